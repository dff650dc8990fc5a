/**
 * ResourceBindings and ClusterResourceBindings in `v1alpha1`, as Karmada's conversion webhook has them.
 *
 * The old version knows the template, its replicas and the clusters, and nothing of placement or eviction: who writes in
 * it writes without those, as there. What it has in another place is moved. Pure.
 */
import { isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';

const OLD = 'work.karmada.io/v1alpha1';

/** The binding in the version asked for. */
export function convertBinding(binding: KubeObject, apiVersion: string): KubeObject {
  if (binding.apiVersion === apiVersion) return binding;
  const spec = fields(binding['spec']);
  const status = fields(binding['status']);
  return {
    apiVersion,
    kind: binding.kind,
    metadata: binding.metadata,
    spec: apiVersion === OLD ? oldSpec(spec) : newSpec(spec),
    ...(binding['status'] === undefined ? {} : { status: shared(status) }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function oldSpec({ resource, replicas, replicaRequirements, clusters }: Fields): Fields {
  const { apiVersion, kind, namespace, name, resourceVersion } = fields(resource);
  const { resourceRequest } = fields(replicaRequirements);
  const template = { apiVersion, kind, namespace, name, resourceVersion };
  return present({
    resource: present({ ...template, resourcePerReplicas: resourceRequest, replicas }),
    clusters,
  });
}

function newSpec({ resource, clusters }: Fields): Fields {
  const { replicas, resourcePerReplicas, ...template } = fields(resource);
  const replicaRequirements = resourcePerReplicas === undefined ? undefined : { resourceRequest: resourcePerReplicas };
  return present({ resource: template, replicas, replicaRequirements, clusters });
}

/** What both versions say of a binding's state. */
function shared({ conditions, aggregatedStatus }: Fields): Fields {
  const items = Array.isArray(aggregatedStatus) ? aggregatedStatus.map(fields) : undefined;
  return present({
    conditions,
    aggregatedStatus: items?.map(({ clusterName, status, applied, appliedMessage }) =>
      present({ clusterName, status, applied, appliedMessage }),
    ),
  });
}

function present(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
