/** Pods of a member: all of a namespace, or those of one workload or service. */
import type { ServiceImpl } from '@connectrpc/connect';
import { badRequest } from '#base/status-error.ts';
import {
  type CoreService,
  ListPodsForMemberClusterRequest_KindSchema as Kinds,
} from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { PodStatus_PhaseSchema } from '#gen/proto/kairship/api/core/v1alpha1/pod_pb.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { EVERYWHERE, type Place } from '../../read/reads.ts';
import type { ServiceDeps } from '../deps.ts';
import { within } from '../distributed.ts';
import { POD, REPLICA_SET } from '../kinds.ts';
import { listed } from '../listing.ts';
import { requireMember } from '../membership.ts';
import { podsOf } from '../workload-parts.ts';
import { type Owners, podMessage, type PodObject } from './pod-message.ts';

const LIST = kairshipPermission('pod', 'list');

export function podRpcs(deps: ServiceDeps) {
  /** Who is behind the replica sets that made some pods. */
  async function ownersOf(place: Place, pods: readonly PodObject[]): Promise<Owners> {
    const sets = pods
      .flatMap(({ metadata }) => metadata.ownerReferences ?? [])
      .filter(({ kind }) => kind === 'ReplicaSet');
    if (sets.length === 0) return new Map();
    const names = [...new Set(sets.map(({ name }) => name))];
    const found = await deps.reads.all({ place, resource: REPLICA_SET, reach: EVERYWHERE, names });
    return new Map(
      found.flatMap(({ metadata }) => {
        const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
        return owner ? [[metadata.uid ?? '', owner] as const] : [];
      }),
    );
  }

  return {
    async listPodsForMemberCluster(request, context) {
      const { instance, cluster, namespace, kind, kindName } = request;
      await requireMember(deps, instance, cluster);
      const place = { instance, cluster };
      const named = kind === 0 ? '' : (Kinds.value[kind]?.name ?? '');
      const isPart = await podsOf(deps.reads, { place, namespace, kind: named, name: kindName });
      const isIn = inPhase(request.phase);
      const only = isPart || isIn ? (pod: PodObject) => isPart?.(pod) !== false && isIn?.(pod) !== false : undefined;
      const { objects, pagination } = await listed<PodObject>(deps, context, request, {
        resource: POD,
        permission: LIST,
        only,
      });
      const owners = await ownersOf(place, objects);
      return { items: objects.map((pod) => podMessage(within(cluster, pod), owners)), pagination };
    },
  } satisfies Partial<ServiceImpl<typeof CoreService>>;
}

/** `Running`, `pending`, …; undefined when any is meant. */
export function inPhase(phase: string): ((pod: PodObject) => boolean) | undefined {
  if (phase === '') return undefined;
  const known = PodStatus_PhaseSchema.values.filter(({ number }) => number > 0).map(({ name }) => name);
  const wanted = known.find((name) => name.toLowerCase() === phase.toLowerCase());
  if (wanted === undefined) throw badRequest(`phase "${phase}" is none of ${known.join(', ')}`);
  return ({ status }) => (status?.phase ?? 'Unknown') === wanted;
}
