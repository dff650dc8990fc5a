import type { Pod } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import { PODS } from '../resources.ts';
import { nextStep, type Pace } from './pod-life.ts';

/** Stands in for the kubelets of all nodes: starts bound pods, ends deleted ones, reports what became of them. */
export function kubeletController({
  client,
  clock,
  pace,
}: {
  client: KubeClient;
  clock: Clock;
  pace: Pace;
}): Controller {
  const pods = typed<Pod>(client, { gvr: PODS, kind: 'Pod', namespaced: true });

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const pod = await pods.find(key);
    if (!pod || pod.spec?.nodeName === undefined) return done;
    if (pod.metadata.deletionTimestamp !== undefined) {
      await remove(pod);
      return done;
    }
    const step = nextStep(pod, { now: clock.now(), pace, podIP: addressOf(pod), hostIP: hostOf(pod.spec.nodeName) });
    if (step.is === 'waiting') return retryIn(step.forMs, 'starting');
    if (step.is === 'due') await client.update<Pod>(PODS, { ...pod, status: step.status }, { subresource: 'status' });
    return done;
  }

  async function remove(pod: Pod): Promise<void> {
    try {
      await client.delete(PODS, pod.metadata, { gracePeriodSeconds: 0 });
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }

  return {
    name: 'kubelet',
    concurrency: 8,
    watches: [{ gvr: PODS, wakes: (object) => (isBound(object) ? [keyOf(object)] : []) }],
    reconcile,
  };
}

function isBound(object: object): boolean {
  const { spec } = object as Pod;
  return spec?.nodeName !== undefined;
}

/** An address in 10.244.0.0/16, fixed by the pod's uid: simulated pods are not reachable, but they look distinct. */
function addressOf(pod: Pod): string {
  const bits = Number.parseInt(pod.metadata.uid?.slice(-4) ?? '0', 16) || 0;
  return `10.244.${bits >> 8}.${bits & 0xff}`;
}

function hostOf(node: string): string {
  const number = Number(node.match(/(\d+)$/)?.[1] ?? 0);
  return `10.0.0.${(number % 250) + 2}`;
}
