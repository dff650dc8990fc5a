/**
 * One question to many clusters at once.
 *
 * Each has its own time limit. One that does not answer is a warning on stderr, and the others' answers count; only when
 * nobody answered does the command fail, with the first failure.
 */
import { StatusError } from '#base/status-error.ts';
import type { Cluster } from '#karmada/apis/index.ts';
import { CLUSTER } from '#karmada/apis/resources.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import type { Connection } from './connection.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { warn } from './screen.ts';

/** The instance itself, or one of its members. */
export interface Target {
  /** Absent for the instance. */
  readonly cluster?: string;
  readonly client: HttpClient;
}

export interface Answer<T> {
  readonly target: Target;
  readonly value: T;
}

export const INSTANCE_WORD = '(instance)';
export const nameOf = ({ cluster }: Target): string => cluster ?? INSTANCE_WORD;

export interface Targets {
  readonly instance: Target;
  readonly members: readonly Target[];
}

/** The instance and its members; those that are named with `-C`, or all. */
export async function targetsOf(on: Connection, wanted: readonly string[] | undefined): Promise<Targets> {
  const instance = await on.theInstance();
  const control = on.kube(instance);
  const { items } = await control.list<Cluster>(CLUSTER);
  const known = items.map(({ metadata }) => metadata.name);
  for (const name of wanted ?? []) if (!known.includes(name)) throw noSuchCluster(name, instance, known);
  const members = (wanted ?? known).map((cluster) => ({ cluster, client: on.kube(instance, cluster) }));
  return { instance: { client: control }, members };
}

function noSuchCluster(name: string, instance: string, known: readonly string[]): CommandFailure {
  return new CommandFailure(`there is no cluster "${name}" in ${instance}`, {
    why: `there are ${known.join(', ') || 'none'}`,
    next: `kairship cluster list -i ${instance}`,
    code: EXIT.notFound,
  });
}

export async function askAll<T>(
  targets: readonly Target[],
  work: (target: Target, signal: AbortSignal) => Promise<T>,
  withinMs: number,
): Promise<readonly Answer<T>[]> {
  const outcomes = await Promise.all(targets.map((target) => askOne(target, work, withinMs)));
  const answers = outcomes.flatMap((outcome) => ('value' in outcome ? [outcome] : []));
  const failures = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome] : []));
  // What is not there is no failure while others have it.
  const [worst] = failures.toSorted((a, b) => weight(b.error) - weight(a.error));
  if (answers.length === 0 && worst) throw worst.error;
  for (const { target, error } of failures)
    if (!isNotFound(error))
      warn(`${nameOf(target)} is left out: ${error instanceof Error ? error.message : String(error)}`);
  return answers;
}

type Outcome<T> = Answer<T> | { readonly target: Target; readonly error: unknown };

async function askOne<T>(
  target: Target,
  work: (target: Target, signal: AbortSignal) => Promise<T>,
  withinMs: number,
): Promise<Outcome<T>> {
  const limit = AbortSignal.timeout(withinMs);
  try {
    return { target, value: await work(target, limit) };
  } catch (error) {
    const late = new StatusError('Timeout', `no answer within ${withinMs / 1000} s`, { cause: error });
    return { target, error: limit.aborted ? late : error };
  }
}

const isNotFound = (error: unknown) => error instanceof StatusError && error.reason === 'NotFound';
const weight = (error: unknown) => (isNotFound(error) ? 0 : 1);
