/**
 * A trace as people and programs read it: a tree of timed steps, each from the end of the one before it. Pure.
 *
 *     written → matched → bound → scheduled ─┬─ cluster a: rendered → applied → collected → ready
 *                                            ├─ cluster b: …
 *                                            └─ aggregated
 */
import { findSpan, madeAt, type Run, type Span, type Trace } from './trace.ts';
import type { Step } from './tracer.ts';

/** How far a run has come; `Failing`: a step was tried, failed, and has not been made since. */
export type RunState = 'Propagating' | 'Failing' | 'Applied' | 'Ready';

export interface RunView {
  readonly generation?: number;
  readonly because: string;
  readonly state: RunState;
  readonly startedAt: string;
  /** Until the last step that was made for the first time. */
  readonly durationMs: number;
  /** The step that took longest, in words. */
  readonly slowest?: string;
  readonly steps: readonly StepView[];
  readonly clusters: readonly ClusterView[];
  readonly dropped?: number;
}

export interface ClusterView {
  readonly name: string;
  readonly replicas?: number;
  readonly state: RunState;
  readonly steps: readonly StepView[];
}

export interface StepView {
  readonly name: Step;
  readonly startedAt: string;
  /** Absent while it has not been made. */
  readonly durationMs?: number;
  readonly detail?: string;
  /** How often it was tried: once for each failure and once for it being made. */
  readonly attempts: number;
  readonly errors?: readonly { readonly at: string; readonly message: string }[];
  /** When it was made again, last, and how often in all. */
  readonly lastAt?: string;
  readonly times?: number;
}

const TRUNK = ['written', 'matched', 'bound', 'scheduled'] as const satisfies readonly Step[];
const BRANCH = ['rendered', 'applied', 'collected', 'ready'] as const satisfies readonly Step[];

export function traceView({ template, runs }: Trace) {
  const [newest, ...history] = runs.map(runView);
  return { template, ...newest, history };
}

export function runView(run: Run): RunView {
  const trunk = timed(spansOf(run, TRUNK), run.startedAt);
  const clusters = clusterNames(run).map((name) => clusterView(run, name, trunk.end));
  const last = Math.max(trunk.end, ...clusters.map(({ end }) => end));
  const aggregated = timed(spansOf(run, ['aggregated']), last);
  const end = Math.max(last, aggregated.end);
  const steps = [...trunk.steps, ...aggregated.steps];
  const views = clusters.map(({ view }) => view);
  const slowest = slowestOf(steps, views);
  return {
    ...(run.generation === undefined ? {} : { generation: run.generation }),
    because: run.because,
    state: stateOf(trunk.failing, views),
    startedAt: timeText(run.startedAt),
    durationMs: end - run.startedAt,
    ...(slowest === undefined ? {} : { slowest }),
    steps,
    clusters: views,
    ...(run.dropped === undefined ? {} : { dropped: run.dropped }),
  };
}

function spansOf(run: Run, steps: readonly Step[], cluster?: string): readonly Span[] {
  return steps.flatMap((step) => findSpan(run, step, cluster) ?? []);
}

/** Where it goes, and where something of it was done besides. */
function clusterNames({ targets, spans }: Run): readonly string[] {
  const names = [...targets.map(({ name }) => name), ...spans.flatMap(({ cluster }) => cluster ?? [])];
  return [...new Set(names)].sort();
}

function clusterView(run: Run, name: string, from: number): { readonly view: ClusterView; readonly end: number } {
  const { steps, end, failing } = timed(spansOf(run, BRANCH, name), from);
  const target = run.targets.find((each) => each.name === name);
  const has = (step: Step) => findSpan(run, step, name)?.endedAt !== undefined;
  const state = failing ? 'Failing' : has('ready') ? 'Ready' : has('applied') ? 'Applied' : 'Propagating';
  const replicas = target?.replicas === undefined ? {} : { replicas: target.replicas };
  return { view: { name, ...replicas, state, steps }, end };
}

interface Timed {
  readonly steps: readonly StepView[];
  /** When the last of them was made first. */
  readonly end: number;
  readonly failing: boolean;
}

function timed(spans: readonly Span[], from: number): Timed {
  const steps: StepView[] = [];
  let at = from;
  let failing = false;
  for (const span of spans) {
    steps.push(stepView(span, at));
    at = Math.max(at, span.endedAt ?? at);
    failing ||= isFailing(span);
  }
  return { steps, end: at, failing };
}

function isFailing(span: Span): boolean {
  const failed = span.errors?.at(-1)?.at;
  return failed !== undefined && failed > (madeAt(span) ?? -1);
}

function stepView(span: Span, from: number): StepView {
  const { step, endedAt, lastAt, times, failures, errors, detail } = span;
  return {
    name: step,
    startedAt: timeText(from),
    ...(endedAt === undefined ? {} : { durationMs: Math.max(0, endedAt - from) }),
    ...(detail === undefined ? {} : { detail }),
    attempts: failures + Math.min(times, 1),
    ...(errors ? { errors: errors.map(({ at, message }) => ({ at: timeText(at), message })) } : {}),
    ...(lastAt === undefined ? {} : { lastAt: timeText(lastAt), times }),
  };
}

function stateOf(failing: boolean, clusters: readonly ClusterView[]): RunState {
  if (failing || clusters.some(({ state }) => state === 'Failing')) return 'Failing';
  if (clusters.length === 0 || clusters.some(({ state }) => state === 'Propagating')) return 'Propagating';
  return clusters.every(({ state }) => state === 'Ready') ? 'Ready' : 'Applied';
}

function slowestOf(steps: readonly StepView[], clusters: readonly ClusterView[]): string | undefined {
  const all = [
    ...steps.map((step) => ({ step, where: '' })),
    ...clusters.flatMap(({ name, steps: own }) => own.map((step) => ({ step, where: ` in ${name}` }))),
  ];
  const [first] = all.sort((a, b) => (b.step.durationMs ?? 0) - (a.step.durationMs ?? 0));
  if (!first?.step.durationMs) return undefined;
  return `${first.step.name}${first.where}: ${first.step.durationMs} ms`;
}

/** To the millisecond: most steps take less than a second. */
function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
