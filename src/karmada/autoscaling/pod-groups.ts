/**
 * Which pods count for a metric. Pure; as Kubernetes' pkg/controller/podautoscaler: pods that go or have failed are
 * ignored, pods that have not started or whose first CPU readings would mislead are not ready yet, and of the others
 * those without a reading are missing.
 */
import type { PodView } from './pod-view.ts';

/** One reading, in thousandths; times in milliseconds. */
export interface Sample {
  readonly value: number;
  readonly at: number;
  readonly windowMs: number;
}

/** By pod, see {@link PodView.id}. */
export type Samples = ReadonlyMap<string, Sample>;

export interface PodGroups {
  readonly readyCount: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  readonly ignored: readonly string[];
}

export interface ReadinessRules {
  readonly now: number;
  /** How long after its start a pod's CPU readings are looked at closely. */
  readonly cpuInitializationMs: number;
  /** A pod that became unready so soon after its start was never ready. */
  readonly initialReadinessMs: number;
}

type Group = 'ready' | 'unready' | 'missing' | 'ignored';

/** `resource`: what is measured; only the CPU of young pods misleads. */
export function podGroups(
  pods: readonly PodView[],
  samples: Samples,
  resource: string | undefined,
  rules: ReadinessRules,
): PodGroups {
  const groups = pods.map((pod) => ({ id: pod.id, group: groupOf(pod, samples.get(pod.id), resource, rules) }));
  const of = (group: Group) => groups.filter((each) => each.group === group).map(({ id }) => id);
  return {
    readyCount: of('ready').length,
    unready: of('unready'),
    missing: of('missing'),
    ignored: of('ignored'),
  };
}

function groupOf(pod: PodView, sample: Sample | undefined, resource: string | undefined, rules: ReadinessRules): Group {
  if (pod.deleting || pod.phase === 'Failed') return 'ignored';
  if (pod.phase === 'Pending') return 'unready';
  if (!sample) return 'missing';
  return resource === 'cpu' && isMisleading(pod, sample, rules) ? 'unready' : 'ready';
}

function isMisleading({ ready, startedAt }: PodView, sample: Sample, rules: ReadinessRules): boolean {
  if (!ready || startedAt === undefined) return true;
  const isUnready = ready.status === 'False';
  if (startedAt + rules.cpuInitializationMs > rules.now) {
    return isUnready || sample.at < ready.since + sample.windowMs;
  }
  return isUnready && startedAt + rules.initialReadinessMs > ready.since;
}
