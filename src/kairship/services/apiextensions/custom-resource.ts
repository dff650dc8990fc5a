/** Custom resources as lists show them: where they have gone, and by which policies. */
import { create } from '@bufbuild/protobuf';
import {
  type CustomResource,
  CustomResourceSchema,
} from '#gen/proto/kairship/api/apiextensions/v1alpha1/custom_resource_pb.ts';
import { CLUSTER_OVERRIDE_POLICY, OVERRIDE_POLICY, type AnyOverridePolicy } from '#karmada/apis/index.ts';
import { claimOf } from '#karmada/apis/claim.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { EVERYWHERE, type Reads } from '../../read/reads.ts';
import { type Distribution, distributionOf } from '../distribution.ts';
import { selects } from '../policy/selects.ts';

/** Reads bindings and override policies once for all of them. */
export async function customResources(
  reads: Reads,
  instance: string,
  objects: readonly KubeObject[],
): Promise<CustomResource[]> {
  const overriding = (resource: typeof OVERRIDE_POLICY) =>
    reads.all<AnyOverridePolicy>({ place: { instance }, resource, reach: EVERYWHERE });
  const [where, ...policies] = await Promise.all([
    distributionOf(reads, instance, objects),
    overriding(OVERRIDE_POLICY),
    overriding(CLUSTER_OVERRIDE_POLICY),
  ]);
  return objects.map((object) => customResource(object, where, policies.flat()));
}

export function customResource(
  object: KubeObject,
  where: Distribution,
  overrides: readonly AnyOverridePolicy[],
): CustomResource {
  const { kind, apiVersion, metadata } = object;
  const claim = claimOf(object);
  return create(CustomResourceSchema, {
    kind,
    apiVersion,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    creationTimestamp: BigInt(Date.parse(metadata.creationTimestamp ?? '') || 0),
    labels: { ...metadata.labels },
    annotations: { ...metadata.annotations },
    clusters: where(object),
    propagationPolicies: claim ? [claim.name] : [],
    overridePolicies: overrides.filter((policy) => doesOverride(policy, object)).map((policy) => policy.metadata.name),
  });
}

/** A policy of a namespace is for that namespace; one without selectors, for everything it can see. */
function doesOverride({ metadata, spec }: AnyOverridePolicy, object: KubeObject): boolean {
  if (metadata.namespace && metadata.namespace !== object.metadata.namespace) return false;
  const selectors = spec.resourceSelectors ?? [];
  const { apiVersion, kind } = object;
  const { name, namespace, labels = {} } = object.metadata;
  return selectors.length === 0 || selects(selectors, { apiVersion, kind, name, namespace, labels: [labels] });
}
