/** Workloads with their policies, created in one call: all of it or none. */
import { badRequest } from '#base/status-error.ts';
import type { GVR } from '#gen/proto/kairship/api/aggregation/v1alpha1/aggregation_pb.ts';
import { AggregationService } from '#gen/proto/kairship/api/aggregation/v1alpha1/aggregation_service_pb.ts';
import {
  CLUSTER_OVERRIDE_POLICY,
  CLUSTER_PROPAGATION_POLICY,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
} from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type RestMapper, restMapper } from '#kube/client/rest-mapper.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { manifestFrom } from '../../write/manifest.ts';
import { dataOf } from '../../write/writes.ts';
import { clientIn, type ServiceDeps } from '../deps.ts';
import { createTogether, type ToCreate } from './create-together.ts';

interface Together {
  /** Absent for what has no namespace. */
  readonly namespace?: string;
  readonly resources: readonly string[];
  /** What each of the resources is, as far as the caller says. */
  readonly gvr: readonly GVR[];
  readonly overrides: { readonly kind: KindNames; readonly manifests: readonly string[] };
  readonly propagations: { readonly kind: KindNames; readonly manifests: readonly string[] };
}

export function aggregationService(deps: ServiceDeps): ServedService {
  return service(AggregationService, {
    async createAggregationResource({ instance, namespace, data, gvr }, context) {
      const { resources, overrides, propagations } = await create(clientIn(deps, context, { instance }), {
        namespace,
        resources: data?.resources ?? [],
        gvr,
        overrides: { kind: OVERRIDE_POLICY, manifests: data?.overridePolicies ?? [] },
        propagations: { kind: PROPAGATION_POLICY, manifests: data?.propagationPolicies ?? [] },
      });
      return { resources, overridePolicies: overrides, propagationPolicies: propagations };
    },
    async createClusterAggregationResource({ instance, data, gvr }, context) {
      const { resources, overrides, propagations } = await create(clientIn(deps, context, { instance }), {
        resources: data?.resources ?? [],
        gvr,
        overrides: { kind: CLUSTER_OVERRIDE_POLICY, manifests: data?.clusterOverridePolicies ?? [] },
        propagations: { kind: CLUSTER_PROPAGATION_POLICY, manifests: data?.clusterPropagationPolicies ?? [] },
      });
      return { resources, clusterOverridePolicies: overrides, clusterPropagationPolicies: propagations };
    },
  });
}

/** What makes anything move comes last: when it does, everything it should meet is there. */
async function create(client: KubeClient, together: Together) {
  const mapper = restMapper(client);
  const { namespace, gvr } = together;
  const policies = ({ kind, manifests }: Together['overrides']) =>
    Promise.all(
      manifests.map(async (data): Promise<ToCreate> => {
        const object = await manifestFrom(data, { gvk: kind, ...(namespace ? { namespace } : {}) });
        return { kind, object };
      }),
    );
  const [overrides, resources, propagations] = await Promise.all([
    policies(together.overrides),
    Promise.all(together.resources.map((data, index) => resource(mapper, data, namespace, gvr[index]))),
    policies(together.propagations),
  ]);
  if (resources.length === 0) throw badRequest('data.resources is empty: there is nothing to create');
  const made = (await createTogether(client, [...overrides, ...resources, ...propagations])).map(dataOf);
  const first = overrides.length + resources.length;
  return {
    overrides: made.slice(0, overrides.length),
    resources: made.slice(overrides.length, first),
    propagations: made.slice(first),
  };
}

/** The request is for a namespace or for none, and so is every object in it. */
async function resource(mapper: RestMapper, data: string, namespace: string | undefined, said: GVR | undefined) {
  const object = await manifestFrom(data, namespace ? { namespace } : {});
  const kind = await mapper.byKind(gvkOf(object));
  if (said && said.resource !== '' && (said.resource !== kind.resource || said.group !== kind.group))
    throw badRequest(`gvr says "${said.resource}" of group "${said.group}", the manifest is a ${kind.kind}`);
  if (kind.namespaced !== (namespace !== undefined))
    throw badRequest(
      `${kind.kind} "${object.metadata.name}" ${kind.namespaced ? 'is of a namespace' : 'has no namespace'}: create it there`,
    );
  return { kind, object };
}
