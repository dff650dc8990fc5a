/**
 * The life of a simulated pod: what its status is now, and when to look again. Pure.
 *
 * A pod bound to a node starts after its image is "pulled", becomes Ready after its slowest readiness probe's initial
 * delay, and, when its restart policy lets it end, completes. What real programs do inside is not simulated.
 */
import type { Pod } from '#gen/kube/types.ts';
import { rfc3339 } from '#base/clock.ts';

export interface Pace {
  /** From bound to running. */
  readonly startMs: number;
  /** From running to completed, for pods that are meant to end. */
  readonly runMs: number;
}

export const DEFAULT_PACE: Pace = { startMs: 700, runMs: 3_000 };

export type PodStep =
  | { readonly is: 'settled' }
  | { readonly is: 'waiting'; readonly forMs: number }
  | { readonly is: 'due'; readonly status: NonNullable<Pod['status']> };

/** The next step of a bound pod at `now`. */
export function nextStep(
  pod: Pod,
  { now, pace, podIP, hostIP }: { now: number; pace: Pace; podIP: string; hostIP: string },
): PodStep {
  const phase = pod.status?.phase ?? 'Pending';
  if (phase === 'Succeeded' || phase === 'Failed') return { is: 'settled' };
  if (phase === 'Pending') {
    const dueAt = boundAt(pod) + startDelay(pod, pace);
    if (now < dueAt) return { is: 'waiting', forMs: dueAt - now };
    return { is: 'due', status: running(pod, { now, podIP, hostIP }) };
  }
  if (!meantToEnd(pod)) return { is: 'settled' };
  const endsAt = Date.parse(pod.status?.startTime ?? '') + pace.runMs;
  return now < endsAt ? { is: 'waiting', forMs: endsAt - now } : { is: 'due', status: completed(pod, now) };
}

/** Pods of one Deployment do not start in the same instant: the pace varies by half, fixed by the pod's uid. */
function startDelay(pod: Pod, { startMs }: Pace): number {
  const spread = (Number.parseInt(pod.metadata.uid?.slice(0, 4) ?? '0', 16) || 0) / 0xffff;
  const probe = Math.max(0, ...(pod.spec?.containers ?? []).map((c) => c.readinessProbe?.initialDelaySeconds ?? 0));
  return startMs * (0.5 + spread) + probe * 1000;
}

function boundAt(pod: Pod): number {
  const scheduled = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'True');
  return Date.parse(scheduled?.lastTransitionTime ?? pod.metadata.creationTimestamp ?? '') || 0;
}

const meantToEnd = (pod: Pod) => pod.spec?.restartPolicy === 'Never' || pod.spec?.restartPolicy === 'OnFailure';

function running(
  pod: Pod,
  { now, podIP, hostIP }: { now: number; podIP: string; hostIP: string },
): NonNullable<Pod['status']> {
  const at = rfc3339(now);
  return {
    ...pod.status,
    phase: 'Running',
    startTime: pod.status?.startTime ?? at,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: conditions(pod, at, 'True'),
    containerStatuses: (pod.spec?.containers ?? []).map((container) => ({
      name: container.name,
      image: container.image ?? '',
      imageID: `sim://${container.image ?? ''}`,
      containerID: `sim://${pod.metadata.uid ?? ''}/${container.name}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: at } },
    })),
  };
}

function completed(pod: Pod, now: number): NonNullable<Pod['status']> {
  const at = rfc3339(now);
  const ended = (startedAt: string) => ({ exitCode: 0, reason: 'Completed', startedAt, finishedAt: at });
  return {
    ...pod.status,
    phase: 'Succeeded',
    conditions: conditions(pod, at, 'False', 'PodCompleted'),
    containerStatuses: (pod.status?.containerStatuses ?? []).map((status) => ({
      ...status,
      ready: false,
      started: false,
      state: { terminated: ended(status.state?.running?.startedAt ?? at) },
    })),
  };
}

function conditions(pod: Pod, at: string, ready: 'True' | 'False', reason?: string) {
  const kept = pod.status?.conditions ?? [];
  const set = (type: string, status: 'True' | 'False', why?: string) => {
    const old = kept.find((condition) => condition.type === type);
    return {
      type,
      status,
      ...(why === undefined ? {} : { reason: why }),
      lastTransitionTime: old?.status === status ? (old.lastTransitionTime ?? at) : at,
    };
  };
  return [
    set('PodReadyToStartContainers', ready),
    set('Initialized', 'True', reason),
    set('Ready', ready, reason),
    set('ContainersReady', ready, reason),
    set('PodScheduled', 'True'),
  ];
}

export function podIsReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}
