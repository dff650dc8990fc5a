/** A cluster of the inventory, and the report about a kubeconfig, as the API tells them. Pure. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  type ClusterSchema,
  ClusterStatus_Phase,
  type ClusterStatusSchema,
  type CredentialStatusSchema,
} from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_pb.ts';
import type { ImportReportSchema } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import type { ObjectMetaSchema } from '#gen/proto/kpanda/api/types/v1alpha1/types_pb.ts';
import type { ObjectMeta } from '#kube/meta/object.ts';
import { type Cluster, type ClusterStatus, type ImportReport, isVirtual } from '../registry/index.ts';

export interface ShownCluster {
  /** Leaves out how much is used. */
  readonly excludeMetrics?: boolean;
}

export function clusterMessage(
  cluster: Cluster,
  { excludeMetrics = false }: ShownCluster = {},
): MessageInitShape<typeof ClusterSchema> {
  const { metadata, spec } = cluster;
  const { collect, secretRef, ...told } = spec;
  return {
    metadata: metaMessage(metadata),
    spec: {
      ...told,
      secretRef,
      managedBy: managerOf(cluster),
      ...(collect ? { collect: { include: [...(collect.include ?? [])], exclude: [...(collect.exclude ?? [])] } } : {}),
    },
    status: statusMessage(cluster, excludeMetrics),
  };
}

/** The component that keeps a cluster in the inventory. */
export function managerOf(cluster: Cluster): string {
  return isVirtual(cluster) ? 'kairship' : 'kpanda';
}

export function phaseOf({ metadata, status }: Cluster): ClusterStatus_Phase {
  if (metadata.deletionTimestamp !== undefined) return ClusterStatus_Phase.Deleting;
  return ClusterStatus_Phase[status?.phase ?? 'Pending'];
}

function statusMessage(cluster: Cluster, excludeMetrics: boolean): MessageInitShape<typeof ClusterStatusSchema> {
  const { cpuUsage, memoryUsage, credential, conditions = [], ...status } = cluster.status ?? {};
  const { capacity, allocatable, used } = status.resourceSummary ?? {};
  const usage = excludeMetrics
    ? {}
    : { ...(cpuUsage === undefined ? {} : { cpuUsage }), ...(memoryUsage === undefined ? {} : { memoryUsage }) };
  return {
    ...status,
    apiGroups: [...(status.apiGroups ?? [])],
    resourceSummary: {
      capacity: { ...capacity },
      allocatable: { ...allocatable },
      used: excludeMetrics ? {} : { ...used },
    },
    ...usage,
    phase: phaseOf(cluster),
    ...(credential ? { credential: credentialMessage(credential) } : {}),
    conditions: conditions.map((condition) => ({ ...condition })),
  };
}

function credentialMessage({
  type,
  expiresAt,
}: NonNullable<ClusterStatus['credential']>): MessageInitShape<typeof CredentialStatusSchema> {
  return { type, ...(expiresAt === undefined ? {} : { expiresAt: timestampFromMs(Date.parse(expiresAt)) }) };
}

/** Without what only the registry needs to know. */
function metaMessage(metadata: ObjectMeta): MessageInitShape<typeof ObjectMetaSchema> {
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    resourceVersion: metadata.resourceVersion ?? '',
    creationTimestamp: millis(metadata.creationTimestamp),
    deletionTimestamp: millis(metadata.deletionTimestamp),
    labels: { ...metadata.labels },
    annotations: { ...metadata.annotations },
  };
}

function millis(time: string | undefined): bigint {
  return BigInt(Date.parse(time ?? '') || 0);
}

export function reportMessage(report: ImportReport): MessageInitShape<typeof ImportReportSchema> {
  const { credential, checks, missing, ...told } = report;
  const { type = 'none', expiresAt } = credential ?? {};
  return {
    ...told,
    checks: checks.map((check) => ({ ...check })),
    missing: missing.map((right) => ({ ...right })),
    credential: { type, ...(expiresAt === undefined ? {} : { expiresAt: timestampFromMs(expiresAt) }) },
  };
}
