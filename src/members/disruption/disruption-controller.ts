/** Keeps the books of PodDisruptionBudgets, which evictions ask. */
import type { Pod, PodDisruptionBudget } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { ClusterView } from '../cluster-view.ts';
import { controllerOf, namespaceOf } from '../owners.ts';
import { DISRUPTION_BUDGETS, PODS } from '../resources.ts';
import { budgetStatus, DISRUPTION_MS } from './budget.ts';

export function disruptionController({
  client,
  clock,
  view,
}: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
}): Controller {
  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const budget = view.disruptionBudgets.get(key);
    if (!budget) return done;
    const selector = selectorOf(budget.spec?.selector);
    const pods = view.pods.inNamespace(namespaceOf(budget)).filter(({ metadata }) => selector.matches(metadata.labels));
    const status = budgetStatus(budget, pods, scaleOf(pods), clock.now());
    if (!jsonEqual(status, budget.status)) {
      const next = { ...budget, status };
      await client.update<PodDisruptionBudget>(DISRUPTION_BUDGETS, next, { subresource: 'status' });
    }
    return status.disruptedPods ? retryIn(DISRUPTION_MS, 'evictions that came to nothing are forgotten then') : done;
  }

  /** How many pods the controllers of these pods want; a pod without one stands for itself. */
  function scaleOf(pods: readonly Pod[]): number {
    const controllers = new Map<string, number>();
    for (const pod of pods) {
      const scaled = scaledBy(pod);
      controllers.set(scaled?.metadata.uid ?? pod.metadata.uid ?? '', replicasOf(scaled) ?? 1);
    }
    return [...controllers.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  function scaledBy(pod: Pod): KubeObject | undefined {
    const owner = controllerOf(pod);
    const key = `${namespaceOf(pod)}/${owner?.name ?? ''}`;
    if (owner?.kind === 'StatefulSet') return view.statefulSets.get(key);
    if (owner?.kind === 'ReplicationController') return view.replicationControllers.get(key);
    if (owner?.kind !== 'ReplicaSet') return undefined;
    const set = view.replicaSets.get(key);
    const deployment = set && controllerOf(set);
    return deployment?.kind === 'Deployment' ? view.deployments.get(`${namespaceOf(pod)}/${deployment.name}`) : set;
  }

  function* wakes(pod: KubeObject): Iterable<string> {
    for (const budget of view.disruptionBudgets.inNamespace(namespaceOf(pod))) {
      if (selectorOf(budget.spec?.selector).matches(pod.metadata.labels)) yield keyOf(budget);
    }
  }

  return {
    name: 'disruption',
    concurrency: 4,
    watches: [{ gvr: DISRUPTION_BUDGETS }, { gvr: PODS, wakes: (pod) => wakes(pod) }],
    reconcile,
  };
}

function replicasOf(object: KubeObject | undefined): number | undefined {
  const spec = object?.['spec'] as { readonly replicas?: number } | undefined;
  return spec?.replicas;
}
