/** Whole objects of an instance: read as JSON, changed by manifest or patch, whatever their kind. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import {
  ApiextensionsService,
  PatchCustomResourceRequest_PatchType,
} from '#gen/proto/kairship/api/apiextensions/v1alpha1/apiextensions_service_pb.ts';
import { BINDING, CLUSTER_BINDING, type Kind } from './kinds.ts';
import { transport } from './transport.ts';

export interface ObjectRef {
  readonly instance: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/** As much of an object as every page needs; the rest is looked up by path. */
export interface Thing {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly generation?: number;
    readonly resourceVersion?: string;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly unknown[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const api = createClient(ApiextensionsService, transport);

function addressed({ instance, kind: { group, version, resource }, namespace, name }: ObjectRef) {
  return { instance, group, version, resource, namespace, name };
}

export function useObject(ref: ObjectRef, enabled = true) {
  const namespaced = useQuery(ApiextensionsService.method.getCustomResourceJSON, addressed(ref), {
    enabled: enabled && ref.kind.namespaced,
    select: ({ data }) => JSON.parse(data) as Thing,
  });
  const { namespace: _, ...global } = addressed(ref);
  const wide = useQuery(ApiextensionsService.method.getClusterCustomResourceJSON, global, {
    enabled: enabled && !ref.kind.namespaced,
    select: ({ data }) => JSON.parse(data) as Thing,
  });
  return ref.kind.namespaced ? namespaced : wide;
}

export async function createObject(ref: Omit<ObjectRef, 'name'>, data: string): Promise<void> {
  const { instance, group, version, resource, namespace } = addressed({ ...ref, name: '' });
  if (ref.kind.namespaced) await api.createCustomResource({ instance, group, version, resource, namespace, data });
  else await api.createClusterCustomResource({ instance, group, version, resource, data });
}

export async function replaceObject(ref: ObjectRef, data: string): Promise<void> {
  if (ref.kind.namespaced) await api.updateCustomResource({ ...addressed(ref), data });
  else await api.updateClusterCustomResource({ ...addressed(ref), data });
}

/** A merge patch: what is named changes, the rest stays. */
export async function patchObject(ref: ObjectRef, patch: object): Promise<void> {
  await api.patchCustomResource({
    ...addressed(ref),
    patchType: PatchCustomResourceRequest_PatchType.MERGE,
    data: JSON.stringify(patch),
  });
}

export async function deleteObject(ref: ObjectRef): Promise<void> {
  if (ref.kind.namespaced) await api.deleteCustomResource(addressed(ref));
  else await api.deleteClusterCustomResource(addressed(ref));
}

/** Where something is to run and how it does there, as the engine keeps it. */
export interface Binding {
  readonly spec: {
    readonly clusters?: readonly { readonly name: string; readonly replicas?: number }[];
    readonly replicas?: number;
    readonly gracefulEvictionTasks?: readonly { readonly fromCluster: string; readonly reason: string }[];
  };
  readonly status?: {
    readonly aggregatedStatus?: readonly ClusterStatus[];
    readonly conditions?: readonly Condition[];
  };
  readonly metadata: Thing['metadata'];
}

export function clustersOf({ spec }: Binding): readonly string[] {
  return spec.clusters?.map(({ name }) => name) ?? [];
}

export interface ClusterStatus {
  readonly clusterName: string;
  readonly applied?: boolean;
  readonly appliedMessage?: string;
  readonly health?: string;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export function bindingName(kind: string, name: string): string {
  return `${name.replaceAll(':', '.')}-${kind.toLowerCase()}`;
}

export function useBinding({ instance, kind, namespace, name }: ObjectRef) {
  const of = {
    instance,
    kind: kind.namespaced ? BINDING : CLUSTER_BINDING,
    namespace,
    name: bindingName(kind.kind, name),
  };
  const { data, error, refetch } = useObject(of);
  return { data: data as unknown as Binding | undefined, error, refetch };
}
