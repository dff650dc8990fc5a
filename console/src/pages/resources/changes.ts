/** How resources are changed: by their own service where there is one, so that what it refuses is refused here too. */
import { createClient } from '@connectrpc/connect';
import { parse } from 'yaml';
import { AggregationService } from '#gen/proto/kairship/api/aggregation/v1alpha1/aggregation_service_pb.ts';
import { ApiextensionsService } from '#gen/proto/kairship/api/apiextensions/v1alpha1/apiextensions_service_pb.ts';
import { AutoscalingService } from '#gen/proto/kairship/api/autoscaling/v1alpha1/autoscaling_service_pb.ts';
import {
  CoreService,
  CreateWorkloadServiceRequest_Kind,
} from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { NetworkingService } from '#gen/proto/kairship/api/networking/v1alpha1/networking_service_pb.ts';
import { type Kind, PROPAGATION } from '../../api/kinds.ts';
import { createObject, deleteObject, type ObjectRef, replaceObject } from '../../api/objects.ts';
import { savePolicy } from '../../api/policies.ts';
import { transport } from '../../api/transport.ts';
import { textAt } from '../policy/policy-text.ts';
import { policyOf, type Position } from './position.ts';

const aggregation = createClient(AggregationService, transport);
const core = createClient(CoreService, transport);
const networking = createClient(NetworkingService, transport);
const autoscaling = createClient(AutoscalingService, transport);
const extensions = createClient(ApiextensionsService, transport);

interface Changes {
  /** The kind of right that is asked for: `network` of `kairship/network/create`. */
  readonly right: string;
  readonly create: (ref: ObjectRef, data: string) => Promise<unknown>;
  readonly replace: (ref: ObjectRef, data: string) => Promise<unknown>;
  readonly remove: (ref: ObjectRef) => Promise<unknown>;
}

const at = ({ instance, namespace, name }: ObjectRef) => ({ instance, namespace, name });
const wide = ({ instance, name }: ObjectRef) => ({ instance, name });

const CHANGES: Readonly<Record<string, Changes>> = {
  Namespace: {
    right: 'namespace',
    create: ({ instance }, data) => core.createNamespace({ instance, data }),
    replace: (ref, data) => core.updateNamespace({ ...wide(ref), data }),
    remove: (ref) => core.deleteNamespace(wide(ref)),
  },
  Service: {
    right: 'network',
    create: ({ instance, namespace }, data) => core.createService({ instance, namespace, data }),
    replace: (ref, data) => core.updateService({ ...at(ref), data }),
    remove: (ref) => core.deleteService(at(ref)),
  },
  Ingress: {
    right: 'network',
    create: ({ instance, namespace }, data) => networking.createIngress({ instance, namespace, data }),
    replace: (ref, data) => networking.updateIngress({ ...at(ref), data }),
    remove: (ref) => networking.deleteIngress(at(ref)),
  },
  ConfigMap: {
    right: 'config',
    create: ({ instance, namespace }, data) => core.createConfigMap({ instance, namespace, data }),
    replace: (ref, data) => core.updateConfigMap({ ...at(ref), data }),
    remove: (ref) => core.deleteConfigMap(at(ref)),
  },
  Secret: {
    right: 'secret',
    create: ({ instance, namespace }, data) => core.createSecret({ instance, namespace, data }),
    replace: (ref, data) => core.updateSecret({ ...at(ref), data }),
    remove: (ref) => core.deleteSecret(at(ref)),
  },
  PersistentVolumeClaim: {
    right: 'storage',
    create: ({ instance, namespace }, data) => core.createPersistentVolumeClaim({ instance, namespace, data }),
    replace: (ref, data) => core.updatePersistentVolumeClaim({ ...at(ref), data }),
    remove: (ref) => core.deletePersistentVolumeClaim(at(ref)),
  },
  FederatedHPA: {
    right: 'scaling',
    create: ({ instance, namespace }, data) => autoscaling.createFederatedHPA({ instance, namespace, data }),
    replace: (ref, data) => autoscaling.updateFederatedHPA({ ...at(ref), data }),
    remove: (ref) => autoscaling.deleteFederatedHPA(at(ref)),
  },
  CustomResourceDefinition: {
    right: 'custom-resource-definition',
    create: ({ instance }, data) => extensions.createCustomResourceDefinition({ instance, data }),
    replace: (ref, data) => extensions.updateCustomResourceDefinition({ ...wide(ref), data }),
    remove: (ref) => extensions.deleteCustomResourceDefinition(wide(ref)),
  },
};

/** With the policy by which it is placed; a new one is made together with it, or neither is. */
export async function createPlaced(ref: ObjectRef, data: string, position: Position): Promise<void> {
  const { instance, kind, namespace } = ref;
  const policy = policyOf(position, kind, ref);
  if (position.mode === 'inherit') {
    const workload = { kind: CreateWorkloadServiceRequest_Kind.Deployment, kindName: position.workload };
    await core.createWorkloadService({ instance, namespace, ...workload, data });
  } else if (position.mode === 'own' && policy !== undefined) {
    const placed = { resources: [data], propagationPolicies: [policy] };
    await aggregation.createAggregationResource({ instance, namespace, data: placed });
  } else {
    const reused = policy === undefined ? '' : textAt(parse(policy), ['metadata', 'name']);
    // The policy first: it waits for what it is for, and is as it was without it.
    if (policy !== undefined) await savePolicy({ instance, kind: PROPAGATION, namespace, name: reused }, policy, false);
    await changesOf(kind).create(ref, data);
  }
}

export function changesOf(kind: Kind): Changes {
  return (
    CHANGES[kind.kind] ?? {
      right: kind.namespaced ? 'custom-resource' : 'cluster-custom-resource',
      create: createObject,
      replace: replaceObject,
      remove: deleteObject,
    }
  );
}

/** `kairship/network/create` */
export function rightTo(action: 'create' | 'update' | 'delete' | 'get', kind: Kind): string {
  return `kairship/${changesOf(kind).right}/${action}`;
}
