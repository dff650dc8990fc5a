/** Instances and clusters, as people read them. Pure. */
import { type Instance, InstanceStatus_StateSchema } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import type { Cluster } from '#karmada/apis/index.ts';
import { addQuantities, parseQuantity, type Quantity, quantityValue, ZERO } from '#kube/meta/quantity.ts';
import { enumName } from '../cli/enum-name.ts';
import { stateWord } from '../cli/output.ts';

/** `running`, `inprocess`, … */
export function stateOf({ status }: Instance): string {
  const name = enumName(InstanceStatus_StateSchema, status?.state).replace('INSTANCE_STATE_', '').toLowerCase();
  return name === 'inprocess' ? 'creating' : name || 'unknown';
}

export function conditionOf({ status }: Cluster, type: string) {
  return status?.conditions?.find((condition) => condition.type === type);
}

export const isReady = (cluster: Cluster) => conditionOf(cluster, 'Ready')?.status === 'True';

/** Why it is as it is, as short as can be: `True`, `False (ClusterNotReachable)`, `Unknown`. */
export function readyText(cluster: Cluster): string {
  const ready = conditionOf(cluster, 'Ready');
  if (!ready) return stateWord('Unknown');
  const word = stateWord(ready.status);
  return ready.status === 'True' ? word : `${word} (${ready.reason})`;
}

export const isCordoned = ({ spec }: Cluster) =>
  (spec.taints ?? []).some(({ key }) => key === 'cluster.karmada.io/unschedulable');

export const taintText = ({ key, value, effect }: { key: string; value?: string | undefined; effect: string }) =>
  `${key}${value ? `=${value}` : ''}:${effect}`;

/** How much of a resource is given away: `3.5/24`, in the unit people think in. */
export function share(cluster: Cluster, resource: 'cpu' | 'memory'): string {
  const { allocatable, allocated, allocating } = cluster.status?.resourceSummary ?? {};
  const total = allocatable?.[resource];
  if (total === undefined) return '';
  const used = [allocated?.[resource], allocating?.[resource]]
    .map((text): Quantity => (text === undefined ? ZERO : parseQuantity(text)))
    .reduce(addQuantities, ZERO);
  const [some, all] = [quantityValue(used), quantityValue(parseQuantity(total))];
  return `${Math.round((100 * some) / Math.max(all, 1e-9))}% of ${resource === 'cpu' ? rounded(all) : bytes(all)}`;
}

const rounded = (value: number) => String(Math.round(value * 10) / 10);

/** `96Gi`, as memory of machines is counted. */
export function bytes(value: number): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
  let scaled = value;
  let unit = 0;
  while (scaled >= 1024 && unit < units.length - 1) {
    scaled /= 1024;
    unit++;
  }
  return `${rounded(scaled)}${units[unit] ?? ''}`;
}

export function nodesText({ status }: Cluster): string {
  const { totalNum, readyNum } = status?.nodeSummary ?? {};
  return totalNum === undefined ? '' : `${readyNum ?? 0}/${totalNum}`;
}

/** CLUSTER, READY, VERSION, PROVIDER, REGION, CPU, MEMORY, NODES. */
export function clusterRow(cluster: Cluster): readonly string[] {
  const { metadata, spec, status } = cluster;
  return [
    metadata.name,
    isCordoned(cluster) ? `${readyText(cluster)}, cordoned` : readyText(cluster),
    status?.kubernetesVersion ?? '',
    spec.provider ?? '',
    spec.region ?? '',
    share(cluster, 'cpu'),
    share(cluster, 'memory'),
    nodesText(cluster),
  ].map((cell) => cell || '–');
}
