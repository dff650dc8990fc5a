/** All that decisions look at, as it is and as it would be. Pure: a changed world shares what did not change. */
import type {
  AnyBinding,
  AnyOverridePolicy,
  AnyPropagationPolicy,
  Cluster,
  ClusterOverridePolicy,
  ClusterPropagationPolicy,
  ObjectReference,
  OverridePolicy,
  PropagationPolicy,
  ResourceSelector,
} from '#karmada/apis/index.ts';
import { keyOfReference } from '#karmada/detector/templates.ts';
import { resourceMatches } from '#karmada/selector/index.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';

export interface World {
  readonly clusters: readonly Cluster[];
  readonly bindings: readonly AnyBinding[];
  readonly policies: readonly PropagationPolicy[];
  readonly clusterPolicies: readonly ClusterPropagationPolicy[];
  readonly overridePolicies: readonly OverridePolicy[];
  readonly clusterOverridePolicies: readonly ClusterOverridePolicy[];
  template(reference: ObjectReference): KubeObject | undefined;
  /** Templates that a policy's selector means. */
  selected(selector: ResourceSelector): Iterable<KubeObject>;
}

/** What differs between two worlds. */
export interface Change {
  /** As admission would leave them. */
  readonly applied: readonly KubeObject[];
  readonly removed: readonly ObjectReference[];
  /** Clusters that are new, or differ. */
  readonly clusters: readonly Cluster[];
  /** Clusters that everything is evicted from. */
  readonly lost: readonly string[];
}

const LISTS = {
  PropagationPolicy: 'policies',
  ClusterPropagationPolicy: 'clusterPolicies',
  OverridePolicy: 'overridePolicies',
  ClusterOverridePolicy: 'clusterOverridePolicies',
} as const;

export type PolicyKinds = keyof typeof LISTS;

export function isPolicyKind(kind: string): kind is PolicyKinds {
  return Object.hasOwn(LISTS, kind);
}

export function isPropagationPolicy(object: KubeObject): object is AnyPropagationPolicy {
  return object.kind === 'PropagationPolicy' || object.kind === 'ClusterPropagationPolicy';
}

export function isOverridePolicy(object: KubeObject): object is AnyOverridePolicy {
  return object.kind === 'OverridePolicy' || object.kind === 'ClusterOverridePolicy';
}

export function policiesOf(world: World, kind: PolicyKinds): readonly KubeObject[] {
  return world[LISTS[kind]];
}

export function idOf({ apiVersion, kind, namespace, name }: ObjectReference): string {
  return `${apiVersion} ${kind} ${keyOfReference({ apiVersion, kind, name, ...(namespace ? { namespace } : {}) })}`;
}

export function referenceOf({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): ObjectReference {
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

export function changedWorld(world: World, { applied, removed, clusters }: Change): World {
  const overlay = new Map<string, KubeObject | undefined>();
  for (const reference of removed) overlay.set(idOf(reference), undefined);
  for (const object of applied) overlay.set(idOf(referenceOf(object)), object);
  const list = <T extends KubeObject>(kind: PolicyKinds, before: readonly T[]): readonly T[] => {
    const kept = before.filter((each) => !overlay.has(idOf(referenceOf(each))));
    return [...kept, ...applied.filter((each) => each.kind === kind).map((each) => each as T)];
  };
  const names = new Set(clusters.map(({ metadata }) => metadata.name));
  return {
    clusters: [...world.clusters.filter(({ metadata }) => !names.has(metadata.name)), ...clusters],
    bindings: world.bindings,
    policies: list('PropagationPolicy', world.policies),
    clusterPolicies: list('ClusterPropagationPolicy', world.clusterPolicies),
    overridePolicies: list('OverridePolicy', world.overridePolicies),
    clusterOverridePolicies: list('ClusterOverridePolicy', world.clusterOverridePolicies),
    template: (reference) => (overlay.has(idOf(reference)) ? overlay.get(idOf(reference)) : world.template(reference)),
    *selected(selector) {
      for (const object of world.selected(selector)) if (!overlay.has(idOf(referenceOf(object)))) yield object;
      for (const object of applied) if (resourceMatches(object, [selector])) yield object;
    },
  };
}

/** By `namespace/name`, or the bare name. */
export function bindingsByKey(world: World): ReadonlyMap<string, AnyBinding> {
  return new Map(world.bindings.map((binding) => [keyOf(binding), binding]));
}
