import type { Node, Pod } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import { NODES, PODS } from '../resources.ts';
import { isOver, placePod } from './fit.ts';

/** Binds pods to nodes, one at a time so that each decision sees the one before it. */
export function podSchedulerController({ client, clock }: { client: KubeClient; clock: Clock }): Controller {
  const pods = typed<Pod>(client, { gvr: PODS, kind: 'Pod', namespaced: true });

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const pod = await pods.find(key);
    if (!pod || pod.spec?.nodeName !== undefined || isOver(pod) || pod.metadata.deletionTimestamp !== undefined)
      return done;

    const [nodes, all] = await Promise.all([client.list<Node>(NODES), client.list<Pod>(PODS)]);
    const placement = placePod(pod, nodes.items, all.items);
    if ('node' in placement) {
      await bind(pod, placement.node);
      return done;
    }
    await refuse(pod, placement.unschedulable);
    return retryIn(5_000, placement.unschedulable);
  }

  async function bind(pod: Pod, node: string): Promise<void> {
    const { namespace, name } = pod.metadata;
    await client.create(
      PODS,
      {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
        target: { apiVersion: 'v1', kind: 'Node', name: node },
      },
      { subresource: 'binding' },
    );
  }

  async function refuse(pod: Pod, message: string): Promise<void> {
    const old = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (old?.status === 'False' && old.message === message) return;
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime: old?.status === 'False' ? (old.lastTransitionTime ?? '') : rfc3339(clock.now()),
    };
    const others = pod.status?.conditions?.filter(({ type }) => type !== 'PodScheduled') ?? [];
    const status = { ...pod.status, phase: 'Pending', conditions: [...others, condition] };
    await client.update<Pod>(PODS, { ...pod, status }, { subresource: 'status' });
  }

  return {
    name: 'pod-scheduler',
    concurrency: 1,
    watches: [{ gvr: PODS, wakes: (object) => (isUnbound(object) ? [keyOf(object)] : []) }],
    reconcile,
  };
}

function isUnbound(object: object): boolean {
  const { spec } = object as Pod;
  return spec?.nodeName === undefined;
}
