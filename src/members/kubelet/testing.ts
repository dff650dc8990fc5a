/** For tests: a pod whose life passes as fast as one can look, in its own time. */
import type { Pod } from '#gen/kube/types.ts';
import type { NodeHealth } from '../requests.ts';
import type { Telling } from './container-life.ts';
import { DEFAULT_PACE } from './pace.ts';
import { lastStep, nextStep, type PodMoment } from './pod-life.ts';
import { since } from './since.ts';

export interface Life {
  pod: Pod;
  now: number;
  node: NodeHealth;
  /** ConfigMaps that are missing, by container. */
  missing: Record<string, string>;
  readonly told: string[];
  /** Goes on until nothing happens any more, or for so long. */
  live(forMs?: number): Life;
  /** What `kubectl get pods` would show of it, roughly. */
  shown(): string;
  moment(): PodMoment;
}

export function lifeOf(start: Pod): Life {
  const times = since(() => life.now);
  const life: Life = {
    pod: start,
    now: Date.UTC(2026, 0, 1),
    node: 'ready',
    missing: {},
    told: [],
    moment: () => ({
      now: life.now,
      pace: { ...DEFAULT_PACE, startMs: 1000 },
      node: life.node,
      hostIP: '172.16.0.2',
      podIP: () => '10.0.0.9',
      since: (part, state) => times.of('pod', part, state),
      missing: (container) => life.missing[container],
    }),
    live(forMs = 3_600_000) {
      const end = life.now + forMs;
      for (let steps = 0; steps < 1000; steps++) {
        const step = nextStep(life.pod, life.moment());
        if (step.is === 'settled') return life;
        if (step.is === 'due') {
          life.pod = { ...life.pod, status: step.status };
          tell(step.tells);
        } else if (life.now + step.forMs > end) return (life.now = end), life;
        else life.now += step.forMs;
      }
      throw new Error('the pod never settled');
    },
    shown() {
      const { phase, containerStatuses = [], initContainerStatuses = [] } = life.pod.status ?? {};
      const states = [...initContainerStatuses, ...containerStatuses].map(({ state, ready, restartCount }) => {
        const what = state?.waiting?.reason ?? state?.terminated?.reason ?? (state?.running ? 'running' : 'none');
        return `${what}${ready ? '+' : ''}${restartCount > 0 ? ` ×${restartCount}` : ''}`;
      });
      const isReady = life.pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
      return `${phase}: ${states.join(', ')}${isReady ? ' (ready)' : ''}`;
    },
  };
  const tell = (tells: readonly Telling[]) => life.told.push(...tells.map(({ reason }) => reason));
  return life;
}

/** Lets a deleted pod go; how long it took, and what was left of it. */
export function endOf(life: Life, stopMs: number): { readonly ms: number; readonly pod: Pod } {
  const from = life.now;
  for (;;) {
    const step = lastStep(life.pod, stopMs, life.moment());
    if (step.is === 'stopped') return { ms: life.now - from, pod: { ...life.pod, status: step.status } };
    if (step.is !== 'stopping') return { ms: life.now - from, pod: life.pod };
    life.now += step.forMs;
  }
}
