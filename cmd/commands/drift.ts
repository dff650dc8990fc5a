/** `kairship drift`: what lives otherwise than it was sent, by whom, and settling it. */
import { toJson } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import pc from 'picocolors';
import {
  type Drift,
  DriftSchema,
  DriftService,
  type FieldDrift,
  FieldVerdict_Verdict,
} from '#gen/proto/kairship/api/drift/v1alpha1/drift_service_pb.ts';
import { allPages } from '../cli/all-pages.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { usageFailure } from '../cli/failure.ts';
import { follow } from '../cli/follow.ts';
import { type Format, type Listed, type ListOptions, printOne, printValue, write } from '../cli/output.ts';
import { note, waiting } from '../cli/screen.ts';
import { table } from '../cli/table.ts';
import { ago } from './access-words.ts';
import { resourceNamed } from './trace.ts';

const nameOf = ({ resource }: Drift) => `${resource?.kind.toLowerCase() ?? ''}/${resource?.name ?? ''}`;

const DRIFT: Listed<Drift> = {
  kind: 'drift',
  name: (drift) => `${drift.cluster}/${nameOf(drift)}`,
  object: (drift) => toJson(DriftSchema, drift),
  columns: [
    { head: 'NAMESPACE', of: ({ resource }) => resource?.namespace ?? '' },
    { head: 'CLUSTER', of: ({ cluster }) => cluster },
    { head: 'OBJECT', of: nameOf },
    {
      head: 'DIFFERS',
      of: ({ missing, count }) => (missing ? pc.red('missing') : `${count} ${count === 1 ? 'field' : 'fields'}`),
    },
  ],
};

/** Why nobody finds what they have just changed. */
const NOTHING = `Nothing has drifted.
${pc.dim('  What is changed in a cluster is put back at once, unless its policy does not dispatch (spec.suspension).')}`;

export interface DriftListOptions extends ConnectionOptions, ListOptions {
  readonly namespace?: string;
  readonly cluster?: string;
}

export function listDrift(options: DriftListOptions): Promise<void> {
  return connected(options, async (on) => {
    const instance = await on.theInstance();
    const { namespace = '', cluster = '' } = options;
    const ask = () => allPages((page) => on.rpc(DriftService).listDrift({ instance, namespace, cluster, ...page }));
    await follow(DRIFT, ask, options, NOTHING);
  });
}

export interface DriftOptions extends ConnectionOptions {
  readonly namespace: string;
  readonly cluster: string;
  readonly output?: Format;
}

async function about(on: Connection, reference: string, { namespace, cluster }: DriftOptions) {
  return { instance: await on.theInstance(), cluster, resource: await resourceNamed(on, reference, namespace) };
}

export function showDrift(reference: string, options: DriftOptions): Promise<void> {
  return connected(options, async (on) => {
    const drift = await on.rpc(DriftService).getDrift(await about(on, reference, options));
    printOne(DRIFT, drift, options.output, () => text(reference, drift));
  });
}

function text(reference: string, { cluster, missing, fields }: Drift): string {
  const title = `${pc.bold(reference)} in ${cluster}`;
  if (missing) return `${title} is not there at all.`;
  if (fields.length === 0) return `${title} lives as it was sent.`;
  const rows = fields.map(({ path, template, sent, live, manager, writtenAt, keptBy }) => [
    path,
    value(template),
    value(sent),
    pc.yellow(value(live)),
    manager ? `${manager}${writtenAt ? `, ${ago(timestampMs(writtenAt))} ago` : ''}` : '–',
    keptBy ? `kept by ${keptBy}` : '',
  ]);
  return [title, '', table(['FIELD', 'TEMPLATE', 'SENT', 'LIVE', 'WRITTEN BY', 'RULE'], rows)].join('\n');
}

function value(of: FieldDrift['live']): string {
  if (!of || of.kind.case === undefined) return '–';
  return of.kind.case === 'nullValue' ? 'null' : JSON.stringify(of.kind.value);
}

export interface SettleOptions extends DriftOptions {
  readonly field?: readonly string[];
  readonly keep?: boolean;
  readonly dryRun?: boolean;
}

/** Takes what lives as right: by an override policy for that cluster, or by no longer looking at the field. */
export function acceptDrift(reference: string, options: SettleOptions): Promise<void> {
  const { KEEP, OVERRIDE } = FieldVerdict_Verdict;
  return settle(reference, options, options.keep ? KEEP : OVERRIDE);
}

/** Puts what was sent back. */
export function revertDrift(reference: string, options: SettleOptions): Promise<void> {
  return settle(reference, options, FieldVerdict_Verdict.PUT_BACK);
}

function settle(reference: string, options: SettleOptions, verdict: FieldVerdict_Verdict): Promise<void> {
  return connected(options, async (on) => {
    const which = await about(on, reference, options);
    const { fields } = await on.rpc(DriftService).getDrift(which);
    const paths = options.field ?? fields.filter(({ keptBy }) => keptBy === '').map(({ path }) => path);
    const unknown = paths.find((path) => fields.length > 0 && !fields.some((each) => each.path === path));
    if (unknown !== undefined)
      throw usageFailure(
        `${unknown} of ${reference} has not drifted in ${options.cluster}`,
        `what has: ${fields.map(({ path }) => path).join(', ')}`,
        `kairship drift show ${reference} --cluster ${options.cluster}`,
      );
    if (paths.length === 0 || fields.length === 0)
      throw usageFailure(
        `${reference} has not drifted in ${options.cluster}`,
        'there is nothing to settle',
        'kairship drift list',
      );
    const { written } = await waiting(
      'settling it',
      on.rpc(DriftService).resolveDrift({
        ...which,
        verdicts: paths.map((path) => ({ path, verdict })),
        dryRun: options.dryRun === true,
      }),
    );
    const { output } = options;
    if (output && output.type !== 'table' && output.type !== 'name') return printValue({ items: written }, output);
    for (const each of written) {
      const { kind = '', metadata = {} } = each as { kind?: string; metadata?: { name?: string } };
      write(`${kind.toLowerCase()}/${metadata.name ?? ''} ${options.dryRun ? 'would be written' : 'written'}`);
    }
    note(
      `${paths.length} ${paths.length === 1 ? 'field' : 'fields'} of ${reference} in ${options.cluster} ${options.dryRun ? 'would be ' : ''}settled`,
    );
  });
}
