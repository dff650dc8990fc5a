/** For tests: Deployments and their ReplicaSets as they are stored, and a way to play a rollout to its end. */
import type { Deployment, ReplicaSet } from '#gen/kube/types.ts';
import { newReplicaSet, renewed, resized, sortReplicaSets, wanted } from './replica-sets.ts';
import { planRollout, type RolloutPlan } from './rollout.ts';

export function deployment(replicas: number, image = 'web:1', more: object = {}): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', uid: 'd', generation: 3 },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate' },
      progressDeadlineSeconds: 600,
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
      ...more,
    },
  };
}

/** The set of a Deployment's template, with so many pods wanted and available. */
export function replicaSet(of: Deployment, revision: number, replicas: number, available = replicas): ReplicaSet {
  const made = newReplicaSet(of, replicas, revision);
  const creationTimestamp = `2026-01-01T00:00:0${revision}Z`;
  const status = { replicas, readyReplicas: available, availableReplicas: available };
  return { ...made, metadata: { ...made.metadata, uid: `rs-${revision}`, creationTimestamp }, status };
}

export const planOf = (target: Deployment, sets: readonly ReplicaSet[], oldPodsRun = false) =>
  planRollout(target, sortReplicaSets(target, sets), oldPodsRun);

export interface Seen {
  readonly wanted: number;
  readonly available: number;
}

/** Carries out plan after plan, with every pod becoming available at once, and answers each state on the way. */
export function play(target: Deployment, start: readonly ReplicaSet[]): { seen: Seen[]; sets: ReplicaSet[] } {
  let sets = [...start];
  const seen: Seen[] = [];
  for (let step = 0; step < 500; step += 1) {
    const plan = planOf(target, sets);
    if (!plan.create && !plan.renew && plan.scale.length === 0) return { seen, sets };
    sets = carriedOut(target, sets, plan);
    const sum = (of: (set: ReplicaSet) => number | undefined) => sets.reduce((all, set) => all + (of(set) ?? 0), 0);
    seen.push({ wanted: sum(wanted), available: sum((set) => set.status?.availableReplicas) });
  }
  throw new Error('the rollout never came to an end');
}

function carriedOut(target: Deployment, sets: readonly ReplicaSet[], plan: RolloutPlan): ReplicaSet[] {
  const { current, old } = sortReplicaSets(target, sets);
  const made = plan.create ? [replicaSet(target, sets.length + 1, wanted(plan.create), 0)] : [];
  return [...sets, ...made].map((set) => {
    if (plan.renew && set === current) return renewed(target, set, old);
    const scaling = plan.scale.find(({ replicaSet: other }) => other === set);
    const next = scaling ? resized(target, set, scaling.replicas) : set;
    const replicas = wanted(next);
    return { ...next, status: { replicas, readyReplicas: replicas, availableReplicas: replicas } };
  });
}
