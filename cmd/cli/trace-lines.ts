/** A trace as lines for people: how far a change has come in each cluster, and how long it took. Pure. */
import pc from 'picocolors';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { ClusterRun, Run, Step } from '#gen/proto/kairship/api/trace/v1alpha1/trace_pb.ts';
import { RunState } from '#gen/proto/kairship/api/trace/v1alpha1/trace_pb.ts';

/** `frankfurt  ▸ rendered 12 ms ▸ applied 41 ms ▸ ready 1.4 s` */
export function clusterLine(run: Run, cluster: ClusterRun, width = 0): string {
  const told = cluster.steps.filter(({ name, errors }) => name !== 'collected' || errors.length > 0);
  const steps = told.map((step) => stepWords(run, step));
  const waits = isDone(cluster) ? '' : pc.dim(' …');
  return `${cluster.name.padEnd(width)}  ${steps.join(' ') || pc.dim('▸ not there yet')}${waits}`;
}

/** `deployment/nginx  ▸ matched 3 ms ▸ bound 8 ms ▸ scheduled 20 ms` */
export function trunkLine(name: string, run: Run): string {
  const steps = run.steps.filter((step) => step.name !== 'aggregated').map((step) => stepWords(run, step));
  return `${pc.bold(name)}  ${steps.join(' ')}`;
}

function stepWords(run: Run, step: Step): string {
  const failed = step.errors.at(-1);
  if (step.durationMs === undefined) return pc.red(`▸ ${step.name} failed: ${failed?.message ?? ''}`);
  const tries = step.attempts > 1 ? pc.yellow(` (${step.attempts} attempts)`) : '';
  const colour = step.name === 'ready' ? pc.green : String;
  return `▸ ${colour(step.name)} ${pc.dim(span(sinceStart(run, step)))}${tries}`;
}

/** From the beginning of the run until the step was made. */
export function sinceStart(run: Run, step: Step): number {
  const from = run.startedAt ? timestampMs(run.startedAt) : 0;
  const begun = step.startedAt ? timestampMs(step.startedAt) : from;
  return Math.max(0, begun - from) + Number(step.durationMs ?? 0);
}

export function span(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/** Something without replicas has nothing that could become ready. */
export function isDone({ state, replicas }: ClusterRun): boolean {
  return state === RunState.Ready || (state === RunState.Applied && !replicas);
}

/** The part of a run in a cluster; of several runs, the newest in which something was done there. */
export interface Part {
  readonly run: Run;
  readonly cluster: ClusterRun;
}

export function partIn(runs: readonly Run[], name: string): Part | undefined {
  const parts = runs.flatMap((run) => {
    const cluster = run.clusters.find((each) => each.name === name);
    return cluster ? [{ run, cluster }] : [];
  });
  return parts.find(({ cluster }) => cluster.steps.length > 0) ?? parts[0];
}

/** Whether these runs have arrived in all of these clusters. */
export function haveArrived(runs: readonly Run[], clusters: readonly string[]): boolean {
  return clusters.every((name) => {
    const part = partIn(runs, name);
    return part !== undefined && isDone(part.cluster);
  });
}

/** What is still missing, one line each; the newest run comes first. */
export function pendingOf(name: string, runs: readonly Run[], clusters: readonly string[]): readonly string[] {
  const [newest] = runs;
  if (!newest) return [`${name}: it has not been looked at yet`];
  return clusters.flatMap((cluster) => {
    const part = partIn(runs, cluster);
    if (part && isDone(part.cluster)) return [];
    const last = (part?.cluster.steps.length ? part.cluster : newest).steps.at(-1);
    const failed = last?.durationMs === undefined ? last?.errors.at(-1)?.message : undefined;
    const far = last ? `${last.name}${last.detail ? `, ${last.detail}` : ''}` : 'written';
    return [`${name} in ${cluster}: ${failed ?? `${far}, and not further`}`];
  });
}
