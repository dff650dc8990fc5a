/** `kairship trace`: how far a change has come, hop by hop, and where it took its time. */
import { toJson } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import pc from 'picocolors';
import { type Run, RunStateSchema, type Trace, TraceSchema } from '#gen/proto/kairship/api/trace/v1alpha1/trace_pb.ts';
import { TraceService } from '#gen/proto/kairship/api/trace/v1alpha1/trace_service_pb.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import { hasReason } from '#base/status-error.ts';
import { allPages } from '../cli/all-pages.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { enumName } from '../cli/enum-name.ts';
import { CommandFailure, EXIT } from '../cli/failure.ts';
import { follow } from '../cli/follow.ts';
import { type Format, type Listed, type ListOptions, printValue, stateWord, write } from '../cli/output.ts';
import { referenceOf } from '../cli/reference.ts';
import { progress } from '../cli/screen.ts';
import { table } from '../cli/table.ts';
import { clusterLine, sinceStart, span, trunkLine } from '../cli/trace-lines.ts';
import { ago } from './access-words.ts';

export interface TraceOptions extends ConnectionOptions, ListOptions {
  readonly namespace: string;
  readonly allNamespaces?: boolean;
  readonly output?: Format;
}

export function trace(reference: string | undefined, options: TraceOptions): Promise<void> {
  return connected(options, async (on) => {
    if (reference === undefined) return listTraces(on, options);
    const resource = await resourceNamed(on, reference, options.namespace);
    const instance = await on.theInstance();
    if (options.watch) return watch(on, reference, { instance, resource });
    const found = await on
      .rpc(TraceService)
      .getTrace({ instance, resource })
      .catch((error: unknown) => {
        throw hasReason(error, 'NotFound') ? untraced(reference, options.namespace) : error;
      });
    const { output } = options;
    if (output && output.type !== 'table' && output.type !== 'name')
      return printValue(toJson(TraceSchema, found), output);
    write(text(reference, found));
  });
}

function untraced(reference: string, namespace: string): CommandFailure {
  return new CommandFailure(`nothing is known of ${reference} in namespace ${namespace}`, {
    why: 'it does not exist, no policy selects it, or it has not changed for a long time',
    next: `kairship why ${reference}${namespace === 'default' ? '' : ` -n ${namespace}`}`,
    code: EXIT.notFound,
  });
}

/** What a reference means to the API. */
export async function resourceNamed(on: Connection, reference: string, namespace: string) {
  const { kind: word, name } = referenceOf(reference, 'kairship trace');
  const found = await restMapper(on.kube(await on.theInstance())).byName(word);
  return { apiVersion: apiVersionOf(found), kind: found.kind, namespace: found.namespaced ? namespace : '', name };
}

const TRACES: Listed<Trace> = {
  kind: 'trace',
  name: ({ template }) => `${template?.kind.toLowerCase() ?? ''}/${template?.name ?? ''}`,
  object: (each) => toJson(TraceSchema, each),
  columns: [
    { head: 'NAMESPACE', of: ({ template }) => template?.namespace ?? '' },
    { head: 'APPLICATION', of: ({ template }) => `${template?.kind.toLowerCase() ?? ''}/${template?.name ?? ''}` },
    { head: 'STATE', of: ({ runs }) => stateWord(enumName(RunStateSchema, runs[0]?.state)) },
    { head: 'CLUSTERS', of: ({ runs }) => (runs[0]?.clusters ?? []).map(({ name }) => name).join(', ') },
    { head: 'TOOK', of: ({ runs }) => span(Number(runs[0]?.durationMs ?? 0)) },
    { head: 'SLOWEST', of: ({ runs }) => runs[0]?.slowest ?? '', wide: true },
    { head: 'BECAUSE', of: ({ runs }) => runs[0]?.because ?? '' },
    { head: 'AGE', of: ({ runs }) => ago(runs[0]?.startedAt && timestampMs(runs[0].startedAt)) },
  ],
};

async function listTraces(on: Connection, options: TraceOptions): Promise<void> {
  const instance = await on.theInstance();
  const namespace = options.allNamespaces ? '' : options.namespace;
  const ask = () => allPages((page) => on.rpc(TraceService).listTraces({ instance, namespace, ...page }));
  await follow(TRACES, ask, options, 'Nothing has changed lately.');
}

function text(reference: string, { runs }: Trace): string {
  const [run, ...before] = runs;
  if (!run) return `${reference}: nothing is known of it yet`;
  return [headline(reference, run), '', ...paragraphs(run), ...history(before)].join('\n');
}

function headline(reference: string, run: Run): string {
  const state = stateWord(enumName(RunStateSchema, run.state));
  const generation = Number(run.generation) > 0 ? `generation ${run.generation}` : '';
  return [
    pc.bold(reference),
    state,
    `in ${span(Number(run.durationMs))}`,
    generation,
    run.because && `because ${run.because}`,
  ]
    .filter(Boolean)
    .join('  ');
}

const BRANCH = ['rendered', 'applied', 'collected', 'ready'];

function paragraphs(run: Run): readonly string[] {
  const steps = run.steps.map((step) => [
    step.name,
    step.durationMs === undefined ? '–' : span(Number(step.durationMs)),
    span(sinceStart(run, step)),
    step.errors.at(-1)?.message && step.durationMs === undefined
      ? pc.red(step.errors.at(-1)?.message ?? '')
      : step.detail,
  ]);
  const clusters = run.clusters.map((cluster) => [
    cluster.name,
    cluster.replicas === undefined ? '–' : String(cluster.replicas),
    stateWord(enumName(RunStateSchema, cluster.state)),
    ...BRANCH.map((name) => {
      const step = cluster.steps.find((each) => each.name === name);
      return step?.durationMs === undefined ? '–' : span(sinceStart(run, step));
    }),
    cluster.steps.flatMap(({ errors }) => errors).at(-1)?.message ?? '',
  ]);
  const { columns } = process.stdout;
  const width = columns ? { width: columns } : {};
  return [
    table(['STEP', 'TOOK', 'AFTER', 'DETAIL'], steps, width),
    ...(clusters.length === 0
      ? []
      : [
          '',
          table(
            ['CLUSTER', 'REPLICAS', 'STATE', 'RENDERED', 'APPLIED', 'COLLECTED', 'READY', 'TROUBLE'],
            clusters,
            width,
          ),
        ]),
    ...(run.slowest ? ['', `Slowest: ${run.slowest}`] : []),
  ];
}

function history(runs: readonly Run[]): readonly string[] {
  if (runs.length === 0) return [];
  const rows = runs.map((run) => [
    ago(run.startedAt && timestampMs(run.startedAt)),
    enumName(RunStateSchema, run.state),
    span(Number(run.durationMs)),
    run.because,
  ]);
  return ['', table(['BEFORE', 'STATE', 'TOOK', 'BECAUSE'], rows)];
}

async function watch(
  on: Connection,
  reference: string,
  request: { instance: string; resource: Awaited<ReturnType<typeof resourceNamed>> },
): Promise<void> {
  const lines = progress({ isTerminal: process.stdout.isTTY, columns: process.stdout.columns || 80, write });
  for await (const { trace: changed } of on.rpc(TraceService).watchTrace(request)) {
    const run = changed?.runs[0];
    if (!run) continue;
    lines.set('', trunkLine(reference, run));
    const width = Math.max(...run.clusters.map(({ name }) => name.length));
    for (const cluster of run.clusters) lines.set(cluster.name, `  ${clusterLine(run, cluster, width)}`);
  }
}
