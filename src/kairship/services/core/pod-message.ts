/** A pod as lists show it: what it asks for in numbers, how many of its containers are ready, and who made it. Pure. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type Pod as PodMessage,
  PodSchema,
  PodStatus_OwnedBy_Kind as OwnerKind,
  PodStatus_OwnedBySchema as OwnedBySchema,
} from '#gen/proto/kairship/api/core/v1alpha1/pod_pb.ts';
import type { Container, Pod } from '#gen/kube/types.ts';
import {
  addQuantities,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  tryParseQuantity,
  ZERO,
} from '#kube/meta/quantity.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { asMessage } from '../as-message.ts';

export type PodObject = KubeObject & Pod;
/** The controller of a replica set, by the replica set's uid. */
export type Owners = ReadonlyMap<string, { readonly kind: string; readonly name: string }>;

export function podMessage(pod: PodObject, owners: Owners): PodMessage {
  const { metadata, spec, status } = pod;
  const told = asMessage(PodSchema, { metadata, spec, status: { ...status } });
  const containers = spec?.containers ?? [];
  const states = status?.containerStatuses ?? [];
  if (!told.status) return told;
  Object.assign(told.status, {
    cpuRequest: BigInt(quantityMilliValue(sum(containers, 'requests', 'cpu'))),
    cpuLimit: BigInt(quantityMilliValue(sum(containers, 'limits', 'cpu'))),
    memoryRequest: BigInt(quantityValue(sum(containers, 'requests', 'memory'))),
    memoryLimit: BigInt(quantityValue(sum(containers, 'limits', 'memory'))),
    restartCount: states.reduce((total, { restartCount }) => total + restartCount, 0),
    containerTotalCount: containers.length,
    containerReadyCount: states.filter(({ ready }) => ready).length,
  });
  const owner = ownerOf(pod, owners);
  if (owner) told.status.ownedBy = create(OwnedBySchema, owner);
  return told;
}

function sum(containers: readonly Container[], of: 'requests' | 'limits', resource: string): Quantity {
  return containers.reduce(
    (total, { resources }) => addQuantities(total, tryParseQuantity(resources?.[of]?.[resource] ?? '0') ?? ZERO),
    ZERO,
  );
}

const KINDS: Readonly<Record<string, OwnerKind>> = {
  Deployment: OwnerKind.DEPLOYMENT,
  StatefulSet: OwnerKind.STATEFULSET,
  DaemonSet: OwnerKind.DAEMONSET,
  ReplicaSet: OwnerKind.REPLICASET,
};

/** The workload people know: of a replica set's pod, the deployment behind it if there is one. */
function ownerOf({ metadata }: PodObject, owners: Owners): MessageInitShape<typeof OwnedBySchema> | undefined {
  const maker = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (!maker) return undefined;
  const { kind, name } = owners.get(maker.uid) ?? maker;
  return { kind: KINDS[kind] ?? OwnerKind.KIND_UNSPECIFIED, name };
}
