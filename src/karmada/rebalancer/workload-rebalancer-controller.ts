/**
 * Has workloads scheduled afresh: sets `rescheduleTriggeredAt` of the bindings a WorkloadRebalancer names (`rebalance.ts`).
 *
 * Each workload's result is in the status; when all are dealt with, `finishTime` is, and with a time to live the
 * rebalancer goes after it. What fails for another reason than a missing binding is tried again.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import {
  type AnyBinding,
  CLUSTER_RESOURCE_BINDING,
  type ObservedWorkload,
  RESOURCE_BINDING,
  WORKLOAD_REBALANCER,
  type WorkloadRebalancer,
  type WorkloadReference,
} from '#karmada/apis/index.ts';
import { bindingName } from '#karmada/names/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { needsTrigger, observedWorkloads, timeToLive } from './rebalance.ts';

export interface WorkloadRebalancerDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly clock: Clock;
}

export function workloadRebalancerController({ client, informers, clock }: WorkloadRebalancerDeps): Controller {
  const rebalancers = informers<WorkloadRebalancer>(WORKLOAD_REBALANCER);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const rebalancer = rebalancers.get(key);
    if (!rebalancer || rebalancer.metadata.deletionTimestamp) return done;
    const attempts = await Promise.all(observedWorkloads(rebalancer).map((each) => rebalance(rebalancer, each)));
    const failures = attempts.flatMap(({ failure }) => failure ?? []);
    const finished = await writeStatus(
      rebalancer,
      attempts.map(({ observed }) => observed),
      failures.length === 0,
    );
    if (failures.length > 0) {
      const message = `${failures.length} resource reschedule triggered failed and need retry`;
      throw new StatusError('Conflict', message, { cause: failures[0] });
    }
    return expire(finished);
  }

  async function rebalance({ metadata }: WorkloadRebalancer, observed: ObservedWorkload): Promise<Attempt> {
    if (observed.result !== undefined) return { observed };
    const { workload } = observed;
    try {
      await trigger(workload, metadata.creationTimestamp ?? '');
      return { observed: { workload, result: 'Successful' } };
    } catch (error) {
      if (!hasReason(error, 'NotFound')) return { observed, failure: error };
      return { observed: { workload, result: 'Failed', reason: 'ReferencedBindingNotFound' } };
    }
  }

  async function trigger({ kind, namespace, name }: WorkloadReference, createdAt: string): Promise<void> {
    const gvr = namespace ? RESOURCE_BINDING : CLUSTER_RESOURCE_BINDING;
    const key = { ...(namespace ? { namespace } : {}), name: bindingName(kind, name) };
    const { metadata, spec } = await client.get<AnyBinding>(gvr, key);
    if (!needsTrigger(createdAt, spec.rescheduleTriggeredAt)) return;
    const { resourceVersion } = metadata;
    const body = { metadata: { resourceVersion }, spec: { rescheduleTriggeredAt: createdAt } };
    await client.patch(gvr, key, { type: 'merge', body });
  }

  /** `finishTime` moves only with what is reported. */
  async function writeStatus(
    rebalancer: WorkloadRebalancer,
    workloads: readonly ObservedWorkload[],
    complete: boolean,
  ): Promise<WorkloadRebalancer> {
    const { generation } = rebalancer.metadata;
    const { finishTime } = rebalancer.status ?? {};
    const status = {
      observedWorkloads: workloads,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...(finishTime === undefined ? {} : { finishTime }),
    };
    if (jsonEqual(rebalancer.status, status)) return rebalancer;
    const now = complete ? { finishTime: rfc3339(clock.now()) } : {};
    const patch = { type: 'merge', body: { status: { ...status, ...now } } } as const;
    return client.patch<WorkloadRebalancer>(WORKLOAD_REBALANCER, rebalancer.metadata, patch, { subresource: 'status' });
  }

  async function expire(rebalancer: WorkloadRebalancer): Promise<Outcome> {
    const left = timeToLive(rebalancer, clock.now());
    if (left === undefined) return done;
    if (left > 0) return retryIn(left, 'its time to live ends');
    const { name, resourceVersion } = rebalancer.metadata;
    const preconditions = resourceVersion === undefined ? {} : { preconditions: { resourceVersion } };
    await client.delete(WORKLOAD_REBALANCER, { name }, preconditions).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
    });
    return done;
  }

  return {
    name: 'workload-rebalancer',
    watches: [
      {
        gvr: WORKLOAD_REBALANCER,
        wakes: (object, old, change) =>
          change === 'deleted' || old?.metadata.generation === object.metadata.generation ? [] : [keyOf(object)],
      },
    ],
    reconcile,
  };
}

interface Attempt {
  readonly observed: ObservedWorkload;
  readonly failure?: unknown;
}
