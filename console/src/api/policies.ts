/** Policies of all four kinds: the service's operations for each, under one name. */
import { createClient } from '@connectrpc/connect';
import { PolicyService } from '#gen/proto/kairship/api/policy/v1alpha1/policy_service_pb.ts';
import type { ObjectRef, Thing } from './objects.ts';
import { transport } from './transport.ts';

const api = createClient(PolicyService, transport);

interface Operations {
  readonly create: (ref: ObjectRef, data: string) => Promise<unknown>;
  readonly update: (ref: ObjectRef, data: string) => Promise<unknown>;
  readonly remove: (ref: ObjectRef) => Promise<unknown>;
}

/** The service's own operations, not those of any resource: a policy in use is not deleted by them. */
const OPERATIONS: Readonly<Record<string, Operations>> = {
  PropagationPolicy: {
    create: ({ instance, namespace }, data) => api.createPropagationPolicy({ instance, namespace, data }),
    update: ({ instance, namespace, name }, data) => api.updatePropagationPolicy({ instance, namespace, name, data }),
    remove: ({ instance, namespace, name }) => api.deletePropagationPolicy({ instance, namespace, name }),
  },
  ClusterPropagationPolicy: {
    create: ({ instance }, data) => api.createClusterPropagationPolicy({ instance, data }),
    update: ({ instance, name }, data) => api.updateClusterPropagationPolicy({ instance, name, data }),
    remove: ({ instance, name }) => api.deleteClusterPropagationPolicy({ instance, name }),
  },
  OverridePolicy: {
    create: ({ instance, namespace }, data) => api.createOverridePolicy({ instance, namespace, data }),
    update: ({ instance, namespace, name }, data) => api.updateOverridePolicy({ instance, namespace, name, data }),
    remove: ({ instance, namespace, name }) => api.deleteOverridePolicy({ instance, namespace, name }),
  },
  ClusterOverridePolicy: {
    create: ({ instance }, data) => api.createClusterOverridePolicy({ instance, data }),
    update: ({ instance, name }, data) => api.updateClusterOverridePolicy({ instance, name, data }),
    remove: ({ instance, name }) => api.deleteClusterOverridePolicy({ instance, name }),
  },
};

export async function propagationPolicy({ instance, namespace, name }: Omit<ObjectRef, 'kind'>): Promise<Thing> {
  const { data } = await api.getPropagationPolicyJSON({ instance, namespace, name });
  return JSON.parse(data) as Thing;
}

export async function savePolicy(ref: ObjectRef, data: string, isNew: boolean): Promise<void> {
  const operations = OPERATIONS[ref.kind.kind];
  await operations?.[isNew ? 'create' : 'update'](ref, data);
}

export async function deletePolicy(ref: ObjectRef): Promise<void> {
  await OPERATIONS[ref.kind.kind]?.remove(ref);
}
