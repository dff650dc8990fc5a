/**
 * Whether a template may take over the replicas its members have. Pure; as karmada v1.18
 * pkg/controllers/deploymentreplicassyncer: only when every change on its way down has arrived and every report on its
 * way up has, or an old number would be taken for a new one.
 */
import { isObject } from '#base/json.ts';
import type { Deployment } from '#gen/kube/types.ts';
import type { ResourceBinding } from '#karmada/apis/index.ts';
import { schedulingType } from '#karmada/scheduler/index.ts';

export type ReplicasSync =
  | { readonly type: 'none'; readonly because: string }
  | { readonly type: 'wait'; readonly because: string }
  | { readonly type: 'set'; readonly replicas: number };

export function replicasSync(
  { spec, status }: Pick<Deployment, 'spec' | 'status'>,
  binding: ResourceBinding,
): ReplicasSync {
  if (schedulingType(binding.spec.placement ?? {}) !== 'Divided') return none('its replicas are not divided');
  const wanted = spec?.replicas;
  const found = status?.replicas ?? 0;
  if (wanted === found) return none('the members have what the template asks for');
  if (wanted === undefined || wanted !== (binding.spec.replicas ?? 0)) return wait('the binding has another number');
  if (binding.metadata.generation !== binding.status?.schedulerObservedGeneration) return wait('it is being scheduled');
  const items = binding.status?.aggregatedStatus ?? [];
  if (items.length !== (binding.spec.clusters ?? []).length) return wait('some members have not reported');
  const counts = items.map((item) => replicasIn(item.status));
  // A member's autoscaler keeps at least one: none means that nobody has looked yet.
  if (counts.some((count) => count <= 0)) return wait('some members have not reported their replicas');
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum === found ? { type: 'set', replicas: found } : wait('the template has not heard of the last report');
}

function replicasIn(status: unknown): number {
  return isObject(status) && typeof status['replicas'] === 'number' ? status['replicas'] : 0;
}

function none(because: string): ReplicasSync {
  return { type: 'none', because };
}

function wait(because: string): ReplicasSync {
  return { type: 'wait', because };
}
