/**
 * How many replicas one metric asks for. Pure.
 *
 * Kubernetes' rule, `current × usage ÷ target`, with its cautions: pods that are not ready or have no reading count for
 * nothing when scaling up and for all they may use when scaling down, small differences are let be, and such guesses
 * never turn the direction. Across members one thing is added, as in karmada v1.18 pkg/controllers/federatedhpa: what is
 * counted in the members that answer is brought to the scale of the whole by `calibration`, the share of the replicas
 * that those members have.
 */
import { type PodGroups, podGroups, type ReadinessRules, type Sample, type Samples } from './pod-groups.ts';
import type { PodView } from './pod-view.ts';

export interface Sizing extends ReadinessRules {
  /** Of the template. */
  readonly current: number;
  /** What the members report, in sum. */
  readonly statusReplicas: number;
  readonly calibration: number;
  readonly pods: readonly PodView[];
  /** By how much usage may differ from the target, as a share of it, before anything is done. */
  readonly tolerance: { readonly up: number; readonly down: number };
}

/** `usage` and `utilization` are what the status shows: thousandths per pod (or in all), and percent of the requests. */
export type Proposal =
  | { readonly replicas: number; readonly usage: number; readonly utilization?: number; readonly because: string }
  | { readonly failure: string };

const NO_PODS = { failure: 'no pods returned by selector while calculating replica count' } as const;

/** By the share of what pods request; `container` when only one of theirs counts. */
export function utilizationReplicas(
  samples: Samples,
  resource: string,
  container: string | undefined,
  targetPercent: number,
  sizing: Sizing,
): Proposal {
  if (sizing.pods.length === 0) return NO_PODS;
  const requests = requestsOf(sizing.pods, resource, container);
  if ('failure' in requests) return requests;
  const fallback = (id: string) => Math.trunc(((requests.byPod.get(id) ?? 0) * Math.max(100, targetPercent)) / 100);
  return fromSamples(samples, resource, sizing, fallback, (counted) =>
    utilization(counted, requests.byPod, targetPercent),
  );
}

/** By what each pod uses; `resource` when it is one. */
export function averageReplicas(
  samples: Samples,
  resource: string | undefined,
  target: number,
  sizing: Sizing,
): Proposal {
  if (sizing.pods.length === 0) return NO_PODS;
  return fromSamples(
    samples,
    resource,
    sizing,
    () => target,
    (counted) => average(counted, target),
  );
}

/** By one value for all, such as the requests an ingress gets: as many replicas more as it is above its target. */
export function valueReplicas(usage: number, target: number, sizing: Sizing): Proposal {
  const ratio = usage / target;
  const shown = { usage, because: `${usage}m is ${percent(ratio)} of the target` };
  if (sizing.current === 0) return { replicas: Math.ceil(ratio), ...shown };
  if (isWithin(ratio, sizing)) return { replicas: sizing.current, ...shown };
  if (sizing.pods.length === 0) return { failure: `unable to calculate ready pods: ${NO_PODS.failure}` };
  const ready = sizing.pods.filter(({ phase, ready: is }) => phase === 'Running' && is?.status === 'True').length;
  return { replicas: Math.ceil((ratio * ready) / sizing.calibration), ...shown };
}

/** By one value that all pods share: so many that each has its part. */
export function sharedReplicas(usage: number, target: number, sizing: Sizing): Proposal {
  const { statusReplicas, calibration } = sizing;
  const ratio = usage / (target * statusReplicas);
  const members = isWithin(ratio, sizing) ? statusReplicas : usage / target;
  const each = statusReplicas === 0 ? 0 : Math.ceil(usage / statusReplicas);
  const because = `${usage}m shared by ${statusReplicas} is ${percent(ratio)} of the target`;
  return { replicas: Math.ceil(members / calibration), usage: each, because };
}

interface Usage {
  /** Of what is used to what is wanted. */
  readonly ratio: number;
  readonly usage: number;
  readonly utilization?: number;
}

function fromSamples(
  samples: Samples,
  resource: string | undefined,
  sizing: Sizing,
  fallback: (id: string) => number,
  measure: (counted: Samples) => Usage | { readonly failure: string },
): Proposal {
  const groups = podGroups(sizing.pods, samples, resource, sizing);
  const counted = new Map(samples);
  for (const id of [...groups.ignored, ...groups.unready]) counted.delete(id);
  if (counted.size === 0) return { failure: 'did not receive metrics for any ready pods' };
  const seen = measure(counted);
  if ('failure' in seen) return seen;
  const guessed = withGuesses(counted, groups, seen.ratio, fallback);
  const { ratio: _shown, ...shown } = seen;
  const because = `${percent(seen.ratio)} of the target on ${groups.readyCount} ready pods${doubts(groups)}`;
  if (!guessed) return { replicas: byRatio(seen.ratio, groups.readyCount, sizing), ...shown, because };
  const again = measure(guessed);
  if ('failure' in again) return again;
  return { replicas: byGuess(seen.ratio, again.ratio, guessed.size, sizing), ...shown, because };
}

/** What pods without a usable reading may use; undefined when every pod that counts has one. */
function withGuesses(
  counted: Samples,
  { missing, unready }: PodGroups,
  ratio: number,
  fallback: (id: string) => number,
): Samples | undefined {
  const upWithUnready = unready.length > 0 && ratio > 1;
  if (missing.length === 0 && !upWithUnready) return undefined;
  const guesses = new Map<string, Sample>(counted);
  const guess = (value: number): Sample => ({ value, at: 0, windowMs: 0 });
  if (ratio < 1) for (const id of missing) guesses.set(id, guess(fallback(id)));
  if (ratio > 1) for (const id of missing) guesses.set(id, guess(0));
  if (upWithUnready) for (const id of unready) guesses.set(id, guess(0));
  return guesses;
}

function byRatio(ratio: number, pods: number, sizing: Sizing): number {
  return isWithin(ratio, sizing) ? sizing.current : Math.ceil((ratio * pods) / sizing.calibration);
}

/** A guess may slow a change down, not turn it round. */
function byGuess(ratio: number, guessed: number, pods: number, sizing: Sizing): number {
  const { current } = sizing;
  if (isWithin(guessed, sizing) || (ratio < 1 && guessed > 1) || (ratio > 1 && guessed < 1)) return current;
  const replicas = Math.ceil((guessed * pods) / sizing.calibration);
  return (guessed < 1 && replicas > current) || (guessed > 1 && replicas < current) ? current : replicas;
}

/** A little more than the tolerance, so that what is exactly at it is not beyond it by a rounding error. */
const EPSILON = 1e-12;

function isWithin(ratio: number, { tolerance }: Sizing): boolean {
  return ratio >= 1 - tolerance.down - EPSILON && ratio <= 1 + tolerance.up + EPSILON;
}

function utilization(
  samples: Samples,
  requests: ReadonlyMap<string, number>,
  targetPercent: number,
): Usage | { readonly failure: string } {
  let used = 0;
  let requested = 0;
  let pods = 0;
  for (const [id, { value }] of samples) {
    const request = requests.get(id);
    if (request === undefined) continue;
    used += value;
    requested += request;
    pods++;
  }
  if (requested === 0) return { failure: 'no metrics returned matched known pods' };
  const current = Math.trunc((used * 100) / requested);
  return { ratio: current / targetPercent, usage: Math.trunc(used / pods), utilization: current };
}

function average(samples: Samples, target: number): Usage {
  const total = [...samples.values()].reduce((sum, { value }) => sum + value, 0);
  const usage = Math.trunc(total / samples.size);
  return { ratio: usage / target, usage };
}

function requestsOf(
  pods: readonly PodView[],
  resource: string,
  container: string | undefined,
): { readonly byPod: ReadonlyMap<string, number> } | { readonly failure: string } {
  const byPod = new Map<string, number>();
  for (const pod of pods) {
    let sum = 0;
    for (const { name, requests } of pod.containers) {
      if (container !== undefined && container !== name) continue;
      const request = requests[resource];
      if (request === undefined) {
        return { failure: `missing request for ${resource} in container ${name} of Pod ${pod.name}` };
      }
      sum += request;
    }
    byPod.set(pod.id, sum);
  }
  return { byPod };
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)}%`;
}

function doubts({ unready, missing }: PodGroups): string {
  const parts = [
    ...(unready.length > 0 ? [`${unready.length} not ready`] : []),
    ...(missing.length > 0 ? [`${missing.length} without a reading`] : []),
  ];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}
