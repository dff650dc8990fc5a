/** What an instance has put into a member, and what becomes of it when the member leaves. Pure. */
import { LeavingObject_Fate as Fate } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { type AnyBinding, type Cluster, READY } from '#karmada/apis/index.ts';
import { findCondition } from '#kube/meta/condition.ts';
import { isOwn, type Named } from './join-check.ts';

export interface Leaving {
  readonly resource: Named;
  readonly fate: Fate;
  readonly replicas: number;
}

export function leavingWith(member: Cluster, bindings: readonly AnyBinding[]): readonly Leaving[] {
  const reachable = isReachable(member);
  return bindings.flatMap(({ spec }) => {
    const { apiVersion, kind, namespace = '', name } = spec.resource;
    const here = spec.clusters?.find((target) => target.name === member.metadata.name);
    if (!here || isOwn({ kind, name })) return [];
    const kept = spec.preserveResourcesOnDeletion === true;
    return {
      resource: { apiVersion, kind, namespace, name },
      fate: kept ? Fate.kept : reachable ? Fate.deleted : Fate.left,
      replicas: here.replicas ?? 0,
    };
  });
}

export function isReachable({ status }: Cluster): boolean {
  return findCondition(status?.conditions, READY.type)?.status === 'True';
}
