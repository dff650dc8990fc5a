/** A member of an instance, or a cluster that could become one, as the published API tells it. Pure. */
import {
  type Cluster as ClusterMessage,
  ClusterPhase,
  ClusterSchema,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { type Cluster, READY } from '#karmada/apis/index.ts';
import type { Cluster as InventoryCluster } from '#kpanda/registry/index.ts';
import { findCondition } from '#kube/meta/condition.ts';
import { asMessage } from '../as-message.ts';
import { providerOf } from '../distribution.ts';

/** What the instance knows of a member, with what only the inventory knows. */
export function memberMessage(cluster: Cluster, known: InventoryCluster | undefined): ClusterMessage {
  const { spec, status = {} } = cluster;
  const { allocatable = {}, allocated = {} } = status.resourceSummary ?? {};
  return told(providerOf(spec.provider), memberPhase(cluster), {
    metadata: cluster.metadata,
    spec: {
      apiEndpoint: spec.apiEndpoint,
      region: spec.region,
      zone: spec.zones?.join(',') ?? spec.zone,
      taints: spec.taints,
      secretRef: spec.secretRef,
      ...inventorySpec(known),
    },
    status: {
      ...inventoryStatus(known),
      ...(status.kubernetesVersion ? { kubernetesVersion: status.kubernetesVersion } : {}),
      ...(spec.id ? { kubeSystemID: spec.id } : {}),
      proxyMode: spec.syncMode,
      resourceSummary: { allocatable: texts(allocatable), allocated: texts(allocated) },
    },
  });
}

export function candidateMessage(cluster: InventoryCluster): ClusterMessage {
  const { metadata, spec, status = {} } = cluster;
  return told(providerOf(spec.provider), candidatePhase(cluster), {
    metadata,
    spec: { apiEndpoint: spec.apiEndpoint, region: spec.region, zone: spec.zone, ...inventorySpec(cluster) },
    status: {
      ...inventoryStatus(cluster),
      resourceSummary: {
        allocatable: texts(status.resourceSummary?.allocatable ?? {}),
        allocated: texts(status.resourceSummary?.used ?? {}),
      },
    },
  });
}

function told(provider: ReturnType<typeof providerOf>, phase: ClusterPhase, object: object): ClusterMessage {
  const message = asMessage(ClusterSchema, object);
  if (message.spec) message.spec.provider = provider;
  if (message.status) message.status.phase = phase;
  return message;
}

function inventorySpec(known: InventoryCluster | undefined): object {
  if (!known) return {};
  return { managedBy: 'kpanda', aliasName: known.spec.aliasName ?? '' };
}

/** The inventory has percent where the API has shares. */
function inventoryStatus(known: InventoryCluster | undefined): object {
  const { kubernetesVersion, kubeSystemID, podCIDR, cpuUsage = 0, memoryUsage = 0 } = known?.status ?? {};
  return { kubernetesVersion, kubeSystemID, podCIDR, cpuUsage: cpuUsage / 100, memoryUsage: memoryUsage / 100 };
}

function texts(amounts: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)]));
}

/** Unknown means: what is shown is what was last heard, and what is asked for may come late. */
export function memberPhase({ metadata, status }: Cluster): ClusterPhase {
  if (metadata.deletionTimestamp !== undefined) return ClusterPhase.DELETING;
  const ready = findCondition(status?.conditions, READY.type);
  if (!ready) return ClusterPhase.CREATING;
  return ready.status === 'True' ? ClusterPhase.RUNNING : ClusterPhase.UNKNOWN;
}

export function candidatePhase({ metadata, status }: InventoryCluster): ClusterPhase {
  if (metadata.deletionTimestamp !== undefined || status?.phase === 'Deleting') return ClusterPhase.DELETING;
  if (status?.phase === 'Running') return ClusterPhase.RUNNING;
  return status?.phase === 'Unknown' ? ClusterPhase.UNKNOWN : ClusterPhase.CREATING;
}
