/**
 * What of a workload is different in some clusters, as a form shows it and as a rule of an override policy says it.
 *
 * The form knows replicas, labels, annotations and, of each container, image, variables and amounts; whatever else a rule
 * says stays as it was written. Pure.
 */
import { quantity } from '../../api/quantity.ts';
import { type Path, textAt, valueAt } from '../policy/policy-text.ts';
import { podPath, type WorkloadKind } from './workload-text.ts';

export type Texts = Readonly<Record<string, string>>;

export interface ContainerChanges {
  readonly image: string;
  /** By name: plain values that are other ones, or new. */
  readonly env: Texts;
  /** By `requests.cpu`: amounts that are other ones, or new. */
  readonly amounts: Texts;
}

interface Plain {
  readonly path: string;
  readonly operator: string;
  readonly value?: unknown;
}

export const AMOUNTS = ['requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'] as const;

export function containersPath(kind: WorkloadKind): Path {
  return [...podPath(kind), 'spec', 'containers'];
}

const pointer = (path: Path) => `/${path.join('/')}`;

function plainOf(rule: unknown): readonly Plain[] {
  const found = valueAt(rule, ['overriders', 'plaintext']);
  return Array.isArray(found) ? (found as readonly Plain[]) : [];
}

/** The value that a rule gives to a path; undefined where it leaves it alone. */
export function valueGiven(rule: unknown, path: Path): unknown {
  return plainOf(rule).find((one) => one.path === pointer(path))?.value;
}

/** The same rule with another value for a path, or with none. What is not there yet is added, what is there replaced. */
export function withGiven(rule: unknown, path: Path, value: unknown): object {
  const others = plainOf(rule).filter((one) => one.path !== pointer(path));
  const own = value === undefined ? [] : [{ path: pointer(path), operator: 'add', value }];
  return withOverrider(rule, 'plaintext', [...others, ...own]);
}

const MARKS = { labels: 'labelsOverrider', annotations: 'annotationsOverrider' } as const;
export type Marks = keyof typeof MARKS;

export function marksGiven(rule: unknown, marks: Marks): Texts {
  return (valueAt(rule, ['overriders', MARKS[marks], 0, 'value']) ?? {}) as Texts;
}

export function withMarks(rule: unknown, marks: Marks, value: Texts): object {
  return withOverrider(rule, MARKS[marks], Object.keys(value).length > 0 ? [{ operator: 'add', value }] : []);
}

function withOverrider(rule: unknown, name: string, list: readonly unknown[]): object {
  const { overriders, ...rest } = (rule ?? {}) as Readonly<Record<string, unknown>>;
  const { [name]: _, ...others } = (overriders ?? {}) as Readonly<Record<string, unknown>>;
  return { ...rest, overriders: { ...others, ...(list.length > 0 ? { [name]: list } : {}) } };
}

/** What a rule changes of one container. */
export function containerChanges(rule: unknown, workload: unknown, at: Path): ContainerChanges {
  const env = valueGiven(rule, [...at, 'env']);
  const resources = valueGiven(rule, [...at, 'resources']);
  return {
    image: textAt({ image: valueGiven(rule, [...at, 'image']) }, ['image']),
    env: env === undefined ? {} : different(plainEnv(env), plainEnv(valueAt(workload, [...at, 'env']))),
    amounts:
      resources === undefined
        ? {}
        : different(amountsIn(resources), amountsIn(valueAt(workload, [...at, 'resources']))),
  };
}

export function withContainerChanges(rule: unknown, workload: unknown, at: Path, changes: ContainerChanges): object {
  const { image, env, amounts } = changes;
  const other = <T>(map: Texts, value: T) => (Object.keys(map).length > 0 ? value : undefined);
  const withImage = withGiven(rule, [...at, 'image'], image || undefined);
  const withEnv = withGiven(withImage, [...at, 'env'], other(env, changedEnv(valueAt(workload, [...at, 'env']), env)));
  const amountsNow = amountsIn(valueAt(workload, [...at, 'resources']));
  return withGiven(withEnv, [...at, 'resources'], other(amounts, resourcesOf({ ...amountsNow, ...amounts })));
}

function different(now: Texts, usual: Texts): Texts {
  return Object.fromEntries(Object.entries(now).filter(([key, value]) => usual[key] !== value));
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: unknown;
}

const variables = (list: unknown) => (Array.isArray(list) ? (list as readonly Variable[]) : []);

/** Variables that are told as values; those that come from elsewhere are no text. */
export function plainEnv(list: unknown): Texts {
  const plain = variables(list).filter(({ valueFrom }) => valueFrom === undefined);
  return Object.fromEntries(plain.map(({ name, value = '' }) => [name, value]));
}

function changedEnv(list: unknown, changes: Texts): readonly Variable[] {
  const kept = variables(list).filter(({ name }) => !Object.hasOwn(changes, name));
  return [...kept, ...Object.entries(changes).map(([name, value]) => ({ name, value }))];
}

export function amountsIn(resources: unknown): Texts {
  const found = AMOUNTS.map((key) => [key, textAt(resources, key.split('.'))] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== ''));
}

/** The limit that a request is beyond, which no cluster accepts; empty where it is not. */
export function limitPassed(amounts: Texts, key: string): string {
  const limit = key.startsWith('requests.') ? amounts[key.replace('requests', 'limits')] : undefined;
  return limit !== undefined && quantity(amounts[key]) > quantity(limit) ? limit : '';
}

function resourcesOf(amounts: Texts): object {
  const part = (name: 'requests' | 'limits') => {
    const own = AMOUNTS.filter((key) => key.startsWith(name) && amounts[key]);
    return own.length > 0 ? { [name]: Object.fromEntries(own.map((key) => [key.split('.')[1], amounts[key]])) } : {};
  };
  return { ...part('requests'), ...part('limits') };
}

/** The clusters a rule is for, by name. */
export function clustersOfRule(rule: unknown): readonly string[] {
  const found = valueAt(rule, ['targetCluster', 'clusterNames']);
  return Array.isArray(found) ? found.map(String) : [];
}
