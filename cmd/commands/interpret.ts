/**
 * `kairship interpret`: tries customisations of the interpreter out, before anything depends on them.
 *
 * Works on files alone. Alone it checks the scripts; with an operation it runs them on the objects given, as the engine
 * would, and prints what they answer and what they print.
 */
import pc from 'picocolors';
import type { AggregatedStatusItem, ResourceInterpreterCustomization } from '#karmada/apis/index.ts';
import {
  checkScripts,
  interpret as run,
  OPERATIONS,
  operationNamed,
  type ScriptProblem,
} from '#karmada/interpreter/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { CommandFailure, usageFailure } from '../cli/failure.ts';
import { manifestsFrom } from '../cli/manifests.ts';
import { type Format, printValue, write } from '../cli/output.ts';
import { note } from '../cli/screen.ts';
import { stringify } from 'yaml';

export interface InterpretOptions {
  readonly filename: readonly string[];
  readonly recursive?: boolean;
  readonly operation?: string;
  readonly desired?: string;
  readonly observed?: string;
  readonly status?: string;
  readonly replicas?: number;
  readonly output?: Format;
}

export async function interpret(options: InterpretOptions): Promise<void> {
  const customizations = (await manifestsFrom(options.filename, options)).filter(isCustomization);
  if (customizations.length === 0)
    throw usageFailure(
      'no customisations found',
      'no ResourceInterpreterCustomization is in what was given',
      'check the path after -f',
    );
  const problems = customizations.flatMap((each) => checkScripts(each));
  if (problems[0]) throw broken(problems[0]);
  if (options.operation === undefined)
    return note(`${customizations.length} of ${customizations.length} customisations can be read.`);
  await tryOut(customizations, options.operation, options);
}

const isCustomization = (object: KubeObject): object is ResourceInterpreterCustomization =>
  object.kind === 'ResourceInterpreterCustomization';

async function tryOut(
  customizations: readonly ResourceInterpreterCustomization[],
  word: string,
  options: InterpretOptions,
): Promise<void> {
  const operation = operationNamed(word);
  if (!operation)
    throw usageFailure(
      `"${word}" is no operation`,
      `there are ${OPERATIONS.join(', ')}`,
      '--operation InterpretHealth',
    );
  const [desired, observed, items] = await Promise.all([
    one(options.desired),
    one(options.observed),
    itemsIn(options.status),
  ]);
  const outcome = await run(customizations, {
    operation,
    ...(desired ? { desired } : {}),
    ...(observed ? { observed } : {}),
    ...(options.replicas === undefined ? {} : { replicas: options.replicas }),
    ...(items ? { items } : {}),
  });
  for (const line of outcome.printed) note(pc.dim(`printed: ${line}`));
  if ('error' in outcome) throw broken(outcome.error);
  const { output } = options;
  const value = Object.fromEntries(outcome.results.map((result) => [result.name, result.value]));
  if (output && output.type !== 'table' && output.type !== 'name') return printValue(value, output);
  write(stringify(value, { lineWidth: 0 }));
}

async function one(file: string | undefined): Promise<KubeObject | undefined> {
  return file === undefined ? undefined : (await manifestsFrom([file]))[0];
}

/** Each object's status, as if its name were the cluster's; or items as a binding has them. */
async function itemsIn(file: string | undefined): Promise<readonly AggregatedStatusItem[] | undefined> {
  if (file === undefined) return undefined;
  const objects = await manifestsFrom([file]);
  return objects.flatMap((object): readonly AggregatedStatusItem[] => {
    const { status } = object as { status?: { aggregatedStatus?: readonly AggregatedStatusItem[] } };
    if (status?.aggregatedStatus) return status.aggregatedStatus;
    return [
      { clusterName: object.metadata.name, applied: true, ...(status ? { status } : {}) } as AggregatedStatusItem,
    ];
  });
}

function broken({ message, problem, customization, line }: ScriptProblem): CommandFailure {
  if (customization === undefined)
    return usageFailure(message, 'what was given does not go together', 'kairship interpret --help');
  return new CommandFailure(`${message.replace(/(, line \d+)?: [^]*$/, '')}: the script fails`, {
    why: line === undefined ? problem : `line ${line}: ${problem}`,
    next: `correct ${customization} and run this again`,
  });
}
