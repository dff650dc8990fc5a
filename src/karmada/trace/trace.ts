/**
 * What happened to a template, run by run, hop by hop. Pure.
 *
 * A run is one change on its way: a new generation of the template, another policy, another decision of the scheduler,
 * another override. It holds one span for each hop, and for each cluster's own hops one a cluster. A hop that has been
 * made already opens the next run, unless something before it was made again meanwhile: then it belongs to that.
 * Start at {@link withHop}.
 */
import { type Hop, type Step, STEPS, type Traced } from './tracer.ts';

/** Everything known of one template; the newest run first, at least one. */
export interface Trace {
  readonly template: Omit<Traced, 'generation'> & { readonly uid: string };
  readonly runs: readonly Run[];
}

export interface Run {
  readonly generation?: number;
  /** What set it off. */
  readonly because: string;
  readonly startedAt: number;
  /** Where it goes: the scheduler's answer, or the one before while there is no new one. */
  readonly targets: readonly { readonly name: string; readonly replicas?: number }[];
  readonly spans: readonly Span[];
  /** Spans that there was no room for. */
  readonly dropped?: number;
}

/** Times are milliseconds since the epoch. */
export interface Span {
  readonly step: Step;
  readonly cluster?: string;
  /** When it was made first; absent while it only failed. */
  readonly endedAt?: number;
  /** When it was made last, and how often, where that was more than once. */
  readonly lastAt?: number;
  readonly times: number;
  /** How often it failed; the last few of these with their messages. */
  readonly failures: number;
  readonly errors?: readonly SpanError[];
  readonly detail?: string;
}

export interface SpanError {
  readonly at: number;
  readonly message: string;
}

export const RUNS_KEPT = 5;
const SPANS_KEPT = 1_500;
const ERRORS_KEPT = 5;
const TEXT_KEPT = 500;
/** Hops that set off those after them, and so may open a run. */
const OPENING: ReadonlySet<Step> = new Set(['matched', 'scheduled', 'rendered']);

export interface HopAt extends Hop {
  readonly at: number;
  /** When the template's change was heard of, if it was. */
  readonly writtenAt?: number;
}

/** The trace with one more hop; undefined when that belongs to no run that is known, or says nothing. */
export function withHop(trace: Trace | undefined, hop: HopAt): Trace | undefined {
  const { uid } = hop.template;
  if (uid === undefined) return undefined;
  const runs = trace?.runs ?? [];
  if (saysNothing(runs[0], hop)) return undefined;
  const opens = opensRun(runs[0], hop);
  const index = opens ? 0 : runIndex(runs, hop);
  const run = opens ? newRun(runs[0], hop) : runs[index];
  if (!run) return undefined;
  const next = withSpan(run, hop);
  const all = opens ? [next, ...runs].slice(0, RUNS_KEPT) : runs.with(index, next);
  const { generation: _generation, ...template } = hop.template;
  return { template: trace?.template ?? { ...template, uid }, runs: all };
}

/** The binding was written for another revision of the template only, as of its status: nothing will follow from that. */
function saysNothing(newest: Run | undefined, { repeats, template: { generation } }: HopAt): boolean {
  if (!repeats || generation === undefined || newest?.generation !== generation) return false;
  return madeAt(findSpan(newest, 'bound')) !== undefined;
}

function opensRun(newest: Run | undefined, hop: HopAt): boolean {
  if (!OPENING.has(hop.step)) return false;
  if (!newest) return hop.step === 'matched';
  const { generation } = hop.template;
  if (generation !== undefined && newest.generation !== undefined && generation !== newest.generation) {
    return hop.step === 'matched' && generation > newest.generation;
  }
  if (hop.error !== undefined) return false;
  // What the detector does in one go ends with the binding: while that failed, it is the same attempt.
  const made = madeAt(findSpan(newest, hop.step === 'matched' ? 'bound' : hop.step, hop.cluster));
  if (made === undefined) return false;
  if (hop.step === 'matched') return true;
  if (hop.step === 'scheduled' && sameTargets(newest.targets, hop.targets)) return false;
  return !earlierSince(newest, hop.step, made);
}

/** Whether a hop before this one was made again after `made`; what was made in the same moment led to it. */
function earlierSince(run: Run, step: Step, made: number): boolean {
  const rank = STEPS.indexOf(step);
  return run.spans.some((span) => STEPS.indexOf(span.step) < rank && (madeAt(span) ?? 0) > made);
}

function sameTargets(a: Run['targets'], b: Run['targets'] = []): boolean {
  const text = (targets: Run['targets']) =>
    targets
      .map(({ name, replicas = 0 }) => `${name}:${replicas}`)
      .sort()
      .join();
  return text(a) === text(b);
}

function runIndex(runs: readonly Run[], { template: { generation } }: HopAt): number {
  if (generation === undefined) return 0;
  const found = runs.findIndex((run) => run.generation === undefined || run.generation === generation);
  return found < 0 ? 0 : found;
}

function newRun(before: Run | undefined, hop: HopAt): Run {
  const { generation } = hop.template;
  const isNew = generation === undefined ? hop.writtenAt !== undefined : before?.generation !== generation;
  const written = hop.step === 'matched' && isNew ? hop.writtenAt : undefined;
  const known = generation ?? (hop.step === 'matched' ? undefined : before?.generation);
  const startedAt = Math.min(written ?? hop.at, hop.at);
  return {
    ...(known === undefined ? {} : { generation: known }),
    because: reasonOf(before, hop, isNew),
    startedAt,
    targets: before?.targets ?? [],
    spans: written === undefined ? [] : [{ step: 'written', endedAt: startedAt, times: 1, failures: 0 }],
  };
}

function reasonOf(before: Run | undefined, { step, detail }: HopAt, isNew: boolean): string {
  if (step === 'scheduled') return 'it was scheduled anew';
  if (step === 'rendered') return 'its manifests changed';
  if (!before) return 'it was first propagated';
  return isNew ? 'the template changed' : `the policy changed${detail === undefined ? '' : `: ${detail}`}`;
}

function withSpan(run: Run, hop: HopAt): Run {
  const at = run.spans.findIndex((span) => span.step === hop.step && span.cluster === hop.cluster);
  const full = at < 0 && run.spans.length >= SPANS_KEPT;
  if (full) return { ...run, dropped: (run.dropped ?? 0) + 1 };
  const span = stamped(run.spans[at] ?? emptySpan(hop), hop);
  const spans = at < 0 ? [...run.spans, span] : run.spans.with(at, span);
  const targets = hop.step === 'scheduled' && hop.error === undefined ? (hop.targets ?? run.targets) : run.targets;
  return withReadiness({ ...run, targets, spans }, hop);
}

function emptySpan({ step, cluster }: HopAt): Span {
  return { step, ...(cluster === undefined ? {} : { cluster }), times: 0, failures: 0 };
}

function stamped(span: Span, { at, error, detail }: HopAt): Span {
  if (error !== undefined) {
    const message = textOf(error).slice(0, TEXT_KEPT);
    return {
      ...span,
      failures: span.failures + 1,
      errors: [...(span.errors ?? []), { at, message }].slice(-ERRORS_KEPT),
    };
  }
  return {
    ...span,
    times: span.times + 1,
    ...(span.endedAt === undefined ? { endedAt: at } : { endedAt: span.endedAt, lastAt: at }),
    ...(detail === undefined ? {} : { detail: detail.slice(0, TEXT_KEPT) }),
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The first time a cluster reports that all is well is a hop of its own: what people wait for. */
function withReadiness(run: Run, hop: HopAt): Run {
  const healthy = hop.step === 'collected' && hop.detail === 'Healthy' && hop.error === undefined;
  if (!healthy || findSpan(run, 'ready', hop.cluster) || run.spans.length >= SPANS_KEPT) return run;
  const cluster = hop.cluster === undefined ? {} : { cluster: hop.cluster };
  return { ...run, spans: [...run.spans, { step: 'ready', ...cluster, endedAt: hop.at, times: 1, failures: 0 }] };
}

export function findSpan(run: Run, step: Step, cluster?: string): Span | undefined {
  return run.spans.find((span) => span.step === step && span.cluster === cluster);
}

/** When a hop was made last. */
export function madeAt(span: Span | undefined): number | undefined {
  return span?.lastAt ?? span?.endedAt;
}
