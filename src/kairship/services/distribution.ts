/** Where the objects of an instance have gone: the clusters of their bindings, and whether they arrived. */
import { create } from '@bufbuild/protobuf';
import {
  ClusterProvider,
  type ClusterProviderSummary,
  ClusterProviderSummarySchema,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import {
  type AnyBinding,
  CLUSTER,
  CLUSTER_RESOURCE_BINDING,
  type Cluster,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { EVERYWHERE, type Reads } from '../read/reads.ts';

export type Distribution = (object: KubeObject) => ClusterProviderSummary[];

/** Reads the bindings of all objects at once; the answer tells of each. */
export async function distributionOf(
  reads: Reads,
  instance: string,
  objects: readonly KubeObject[],
): Promise<Distribution> {
  const place = { instance };
  const [namespaced, clusterWide] = [objects.filter(hasNamespace), objects.filter((object) => !hasNamespace(object))];
  const bindingsOf = (resource: typeof RESOURCE_BINDING, of: readonly KubeObject[]) =>
    of.length === 0
      ? Promise.resolve<readonly AnyBinding[]>([])
      : reads.all<AnyBinding>({ place, resource, reach: EVERYWHERE, names: of.map(bindingNameOf) });
  const [bindings, clusters] = await Promise.all([
    Promise.all([bindingsOf(RESOURCE_BINDING, namespaced), bindingsOf(CLUSTER_RESOURCE_BINDING, clusterWide)]),
    reads.all<Cluster>({ place, resource: CLUSTER, reach: EVERYWHERE }),
  ]);
  const byUid = new Map(bindings.flat().map((binding) => [binding.spec.resource.uid, binding]));
  const providers = new Map(clusters.map(({ metadata, spec }) => [metadata.name, spec.provider]));
  return ({ metadata }) => {
    const binding = byUid.get(metadata.uid ?? '');
    const arrived = new Map((binding?.status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item.applied]));
    return (binding?.spec.clusters ?? []).map(({ name }) =>
      create(ClusterProviderSummarySchema, {
        name,
        provider: providerOf(providers.get(name)),
        applied: arrived.get(name) === true,
      }),
    );
  };
}

function bindingNameOf({ kind, metadata }: KubeObject): string {
  return bindingName(kind, metadata.name);
}

/** Karmada names a binding after its object, in lower case. */
export function bindingName(kind: string, name: string): string {
  return `${name.replaceAll(':', '.')}-${kind}`.toLowerCase();
}

function hasNamespace({ metadata }: KubeObject): boolean {
  return metadata.namespace !== undefined && metadata.namespace !== '';
}

/** What people write as a provider, and what the published API calls it. */
const PROVIDERS: readonly (readonly [RegExp, ClusterProvider])[] = [
  [/aws|eks|amazon/i, ClusterProvider.AWS_EKS],
  [/ali|ack/i, ClusterProvider.ALIYUN_ACK],
  [/tencent|tke/i, ClusterProvider.TENCENT_TKE],
  [/huawei|cce/i, ClusterProvider.HUAWEI_CCE],
  [/azure|microsoft|aks/i, ClusterProvider.MICROSOFT_AZURE],
  [/openshift|redhat/i, ClusterProvider.REDHAT_OPENSHIFT4],
  [/rancher|suse/i, ClusterProvider.SUSE_RANCHER],
  [/tanzu|vmware/i, ClusterProvider.VMWARE_TANZU],
  [/kubespray/i, ClusterProvider.DAOCLOUD_KUBESPRAY],
  [/dce4/i, ClusterProvider.DAOCLOUD_DCE4],
];

export function providerOf(text: string | undefined): ClusterProvider {
  const exact = ClusterProvider[text?.toUpperCase() as keyof typeof ClusterProvider] as ClusterProvider | undefined;
  return exact ?? PROVIDERS.find(([pattern]) => pattern.test(text ?? ''))?.[1] ?? ClusterProvider.GENERIC;
}
