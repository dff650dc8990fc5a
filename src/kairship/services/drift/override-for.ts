/** An override policy that makes what drifted in one cluster what is wanted there. Pure. */
import {
  type AnyOverridePolicy,
  CLUSTER_OVERRIDE_POLICY,
  OVERRIDE_POLICY,
  type OverrideRule,
  type PlaintextOverrider,
} from '#karmada/apis/index.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { bindingName } from '../distribution.ts';
import type { FieldDifference } from './field-drift.ts';

export function overrideKind({ metadata }: KubeObject): KindNames {
  return metadata.namespace ? OVERRIDE_POLICY : CLUSTER_OVERRIDE_POLICY;
}

/** One policy of ours for each object, with a rule for each cluster. */
export function overrideName({ kind, metadata }: KubeObject): string {
  return `drift-${bindingName(kind, metadata.name)}`;
}

/** `known` is the policy as it is; what it says of the same fields is replaced. */
export function overrideFor(
  object: KubeObject,
  cluster: string,
  fields: readonly FieldDifference[],
  known: AnyOverridePolicy | undefined,
): AnyOverridePolicy {
  const { apiVersion, kind, metadata } = object;
  const names = overrideKind(object);
  const rules = known?.spec.overrideRules ?? [];
  const before = rules.find((rule) => isOf(rule, cluster))?.overriders.plaintext ?? [];
  const paths = new Set(fields.map(({ path }) => path));
  const plaintext = [...before.filter(({ path }) => !paths.has(path)), ...fields.map(overrider)];
  const rule: OverrideRule = { targetCluster: { clusterNames: [cluster] }, overriders: { plaintext } };
  return {
    apiVersion: names.apiVersion,
    kind: names.kind,
    metadata: {
      name: overrideName(object),
      ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
      ...(known?.metadata.resourceVersion ? { resourceVersion: known.metadata.resourceVersion } : {}),
    },
    spec: {
      ...known?.spec,
      resourceSelectors: [
        { apiVersion, kind, name: metadata.name, ...(metadata.namespace ? { namespace: metadata.namespace } : {}) },
      ],
      overrideRules: [...rules.filter((one) => !isOf(one, cluster)), rule],
    },
  } as AnyOverridePolicy;
}

function isOf({ targetCluster }: OverrideRule, cluster: string): boolean {
  return targetCluster?.clusterNames?.length === 1 && targetCluster.clusterNames[0] === cluster;
}

function overrider({ path, sent, live }: FieldDifference): PlaintextOverrider {
  if (live === undefined) return { path, operator: 'remove' };
  return { path, operator: sent === undefined ? 'add' : 'replace', value: live };
}
