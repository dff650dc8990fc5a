/**
 * A service for a workload, which goes wherever the workload may go.
 *
 * Its policy is inherited from the workload's: the same clusters may be chosen, and tolerations and the scheduler are
 * the same. What only divides replicas or narrows the choice is left out, because a service chosen for on its own could
 * end up in other clusters than the pods it leads to.
 */
import { badRequest, hasReason, StatusError } from '#base/status-error.ts';
import { isObject } from '#base/json.ts';
import { CreateWorkloadServiceRequest_Kind as Kind } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { type AnyPropagationPolicy, CLUSTER_PROPAGATION_POLICY, PROPAGATION_POLICY } from '#karmada/apis/index.ts';
import { claimOf } from '#karmada/apis/claim.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { manifestFrom } from '../../write/manifest.ts';
import { clientIn, type Context, type ServiceDeps } from '../deps.ts';
import { DEPLOYMENT, SERVICE } from '../kinds.ts';
import { templateLabels } from '../workload-parts.ts';

export interface WorkloadServiceRequest {
  readonly instance: string;
  readonly namespace: string;
  readonly kind: Kind;
  readonly kindName: string;
  readonly data: string;
}

const MANAGER = { fieldManager: 'kairship' } as const;

export async function createWorkloadService(
  deps: ServiceDeps,
  context: Context,
  { instance, namespace, kind, kindName, data }: WorkloadServiceRequest,
): Promise<void> {
  if (kind !== Kind.Deployment || kindName === '')
    throw badRequest('kind and kindName name the workload: a Deployment of the namespace');
  const client = clientIn(deps, context, { instance });
  const workload = await client.get(DEPLOYMENT, { namespace, name: kindName });
  const policy = await policyOf(client, workload);
  const service = leadingTo(workload, await manifestFrom(data, { gvk: SERVICE, namespace }));
  // Tried first: a policy for a service that is refused would be left behind.
  await client.create(SERVICE, service, { ...MANAGER, dryRun: true });
  const made = await client.create(PROPAGATION_POLICY, inheritedPolicy(policy, service), MANAGER);
  try {
    await client.create(SERVICE, service, MANAGER);
  } catch (error) {
    await client.delete(PROPAGATION_POLICY, made.metadata);
    throw error;
  }
}

async function policyOf(client: KubeClient, workload: KubeObject): Promise<AnyPropagationPolicy> {
  const claim = claimOf(workload);
  const { name } = workload.metadata;
  if (!claim)
    throw new StatusError('Conflict', `deployments.apps "${name}" has no policy that a service could inherit`);
  const kind = claim.kind === 'PropagationPolicy' ? PROPAGATION_POLICY : CLUSTER_PROPAGATION_POLICY;
  try {
    return await client.get<AnyPropagationPolicy>(kind, claim);
  } catch (cause) {
    if (!hasReason(cause, 'NotFound')) throw cause;
    throw new StatusError('Conflict', `the policy "${claim.name}" of deployments.apps "${name}" is gone`, { cause });
  }
}

/** A service that says nothing about its pods is meant for all of the workload. */
export function leadingTo(workload: KubeObject, service: KubeObject): KubeObject {
  const spec = isObject(service['spec']) ? service['spec'] : {};
  if (service.metadata.name === undefined) throw badRequest('metadata.name: Required value: the service needs a name');
  if (isObject(spec['selector']) && Object.keys(spec['selector']).length > 0) return service;
  return { ...service, spec: { ...spec, selector: templateLabels(workload) ?? {} } };
}

export function inheritedPolicy({ spec }: AnyPropagationPolicy, service: KubeObject): KubeObject {
  const { namespace = '', name } = service.metadata;
  const { spreadConstraints: _, replicaScheduling: __, workloadAffinity: ___, ...placement } = spec.placement ?? {};
  return {
    apiVersion: PROPAGATION_POLICY.apiVersion,
    kind: PROPAGATION_POLICY.kind,
    metadata: { namespace, name: `${name}-service` },
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'Service', name }],
      placement,
      ...(spec.schedulerName === undefined ? {} : { schedulerName: spec.schedulerName }),
    },
  };
}
