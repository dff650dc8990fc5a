/** Policies of an instance: which objects go where, and how they differ there; of a namespace, and of all of them. */
import {
  ClusterOverridePolicySchema,
  OverridePolicySchema,
} from '#gen/proto/kairship/api/policy/v1alpha1/override_policy_pb.ts';
import { PolicyService } from '#gen/proto/kairship/api/policy/v1alpha1/policy_service_pb.ts';
import {
  ClusterPropagationPolicySchema,
  PropagationPolicySchema,
} from '#gen/proto/kairship/api/policy/v1alpha1/propagation_policy_pb.ts';
import {
  type AnyOverridePolicy,
  CLUSTER_OVERRIDE_POLICY,
  CLUSTER_PROPAGATION_POLICY,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
} from '#karmada/apis/index.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { clientIn, type Context, type ServiceDeps } from '../deps.ts';
import type { Named } from '../manifest-rpcs.ts';
import { refuseInUse } from './in-use.ts';
import { withRawValues } from './policy-messages.ts';
import { policyRpcs } from './policy-rpcs.ts';

const OF_NAMESPACE = kairshipPermission('policy', 'list');
const OF_INSTANCE = kairshipPermission('cluster-policy', 'list');

export function policyService(deps: ServiceDeps): ServedService {
  const shown = (object: KubeObject) => withRawValues(object as AnyOverridePolicy);
  const propagation = policyRpcs(deps, PROPAGATION_POLICY, {
    permission: OF_NAMESPACE,
    schema: PropagationPolicySchema,
  });
  const clusterPropagation = policyRpcs(deps, CLUSTER_PROPAGATION_POLICY, {
    permission: OF_INSTANCE,
    schema: ClusterPropagationPolicySchema,
  });
  const override = policyRpcs(deps, OVERRIDE_POLICY, {
    permission: OF_NAMESPACE,
    schema: OverridePolicySchema,
    shown,
  });
  const clusterOverride = policyRpcs(deps, CLUSTER_OVERRIDE_POLICY, {
    permission: OF_INSTANCE,
    schema: ClusterOverridePolicySchema,
    shown,
  });

  /** Refuses, with what is placed by it, before anything is deleted. */
  const unused = (kind: KindNames, remove: typeof propagation.remove) => async (request: Named, context: Context) => {
    const { instance, namespace, name } = request;
    const at = { ...(namespace ? { namespace } : {}), name };
    const policy = await clientIn(deps, context, { instance }).get(kind, at);
    await refuseInUse(deps.reads, { instance }, kind, policy);
    return remove(request, context);
  };

  return service(PolicyService, {
    listInstancePropagationPolicies: propagation.list,
    listPropagationPolicies: propagation.list,
    getPropagationPolicy: async (...asked) => ({ propagationPolicy: await propagation.get(...asked) }),
    getPropagationPolicyJSON: propagation.json,
    createPropagationPolicy: propagation.create,
    updatePropagationPolicy: propagation.update,
    deletePropagationPolicy: unused(PROPAGATION_POLICY, propagation.remove),

    listClusterPropagationPolicies: clusterPropagation.list,
    getClusterPropagationPolicy: async (...asked) => ({
      clusterPropagationPolicy: await clusterPropagation.get(...asked),
    }),
    getClusterPropagationPolicyJSON: clusterPropagation.json,
    createClusterPropagationPolicy: clusterPropagation.create,
    updateClusterPropagationPolicy: clusterPropagation.update,
    deleteClusterPropagationPolicy: unused(CLUSTER_PROPAGATION_POLICY, clusterPropagation.remove),

    listInstanceOverridePolicies: override.list,
    listOverridePolicies: override.list,
    getOverridePolicy: async (...asked) => ({ overridePolicy: await override.get(...asked) }),
    getOverridePolicyJSON: override.json,
    createOverridePolicy: override.create,
    updateOverridePolicy: override.update,
    deleteOverridePolicy: override.remove,

    listClusterOverridePolicies: clusterOverride.list,
    getClusterOverridePolicy: async (...asked) => ({ clusterOverridePolicy: await clusterOverride.get(...asked) }),
    getClusterOverridePolicyJSON: clusterOverride.json,
    createClusterOverridePolicy: clusterOverride.create,
    updateClusterOverridePolicy: clusterOverride.update,
    deleteClusterOverridePolicy: clusterOverride.remove,
  });
}
