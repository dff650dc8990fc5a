/** Which templates a change concerns: only these are looked at. Pure. */
import type { AnyBinding, AnyOverridePolicy, Cluster, ObjectReference } from '#karmada/apis/index.ts';
import { claimOf } from '#karmada/detector/claim.ts';
import { isAffected } from '#karmada/scheduler/scheduler-controller.ts';
import { resourceMatches } from '#karmada/selector/index.ts';
import {
  type Change,
  idOf,
  isOverridePolicy,
  isPolicyKind,
  isPropagationPolicy,
  policiesOf,
  referenceOf,
  type World,
} from './world.ts';

/** By the id of the template, each once. */
export async function concernedTemplates(
  before: World,
  after: World,
  change: Change,
  breathe?: () => Promise<void> | undefined,
): Promise<ReadonlyMap<string, ObjectReference>> {
  const found = new Map<string, ObjectReference>();
  const add = (reference: ObjectReference) => found.set(idOf(reference), reference);
  for (const object of change.applied) if (!isPolicyKind(object.kind)) add(referenceOf(object));
  for (const reference of change.removed) if (!isPolicyKind(reference.kind)) add(reference);
  for (const policy of change.applied.filter(isPropagationPolicy)) {
    for (const selector of policy.spec.resourceSelectors) {
      for (const template of after.selected(selector)) add(referenceOf(template));
    }
  }
  const policies = policyIds(change);
  const overrides = overridesOf(before, change);
  const clusters = clusterPairs(before, change);
  for (const [at, binding] of before.bindings.entries()) {
    if (at % 100 === 99) await breathe?.();
    const { resource } = binding.spec;
    if (
      isClaimed(before, binding, policies) ||
      overrides.some((policy) => overridesIt(policy, before, binding)) ||
      isOnLost(binding, change) ||
      clusters.some(([was, is]) => runsOn(binding, is) || isAffected(binding, was ? [was, is] : [is]))
    ) {
      const { resourceVersion: _version, uid: _uid, ...reference } = resource;
      add(reference);
    }
  }
  return found;
}

export function clusterPairs(before: World, change: Change): readonly (readonly [Cluster | undefined, Cluster])[] {
  return change.clusters.map((is) => [before.clusters.find((was) => was.metadata.name === is.metadata.name), is]);
}

function policyIds({ applied, removed }: Change): ReadonlySet<string> {
  const references = [...applied.filter(isPropagationPolicy).map(referenceOf), ...removed];
  return new Set(references.map(({ kind, namespace = '', name }) => `${kind} ${namespace}/${name}`));
}

function isClaimed(world: World, { spec }: AnyBinding, policies: ReadonlySet<string>): boolean {
  if (policies.size === 0) return false;
  const template = world.template(spec.resource);
  const held = template && claimOf(template);
  return held !== undefined && policies.has(`${held.kind} ${held.namespace ?? ''}/${held.name}`);
}

/** Those that change, as they were and as they would be. */
function overridesOf(before: World, { applied, removed }: Change): readonly AnyOverridePolicy[] {
  const fresh = applied.filter(isOverridePolicy);
  const ids = new Set([...fresh.map(referenceOf), ...removed].map(idOf));
  const old = (['OverridePolicy', 'ClusterOverridePolicy'] as const)
    .flatMap((kind) => policiesOf(before, kind))
    .filter((policy) => ids.has(idOf(referenceOf(policy))));
  return [...fresh, ...old.filter(isOverridePolicy)];
}

function overridesIt({ metadata, spec }: AnyOverridePolicy, world: World, binding: AnyBinding): boolean {
  if (metadata.namespace !== undefined && metadata.namespace !== binding.metadata.namespace) return false;
  const selectors = spec.resourceSelectors ?? [];
  if (selectors.length === 0) return true;
  const template = world.template(binding.spec.resource);
  return template !== undefined && resourceMatches(template, selectors);
}

function runsOn({ spec }: AnyBinding, { metadata }: Cluster): boolean {
  return spec.clusters?.some(({ name }) => name === metadata.name) ?? false;
}

function isOnLost({ spec }: AnyBinding, { lost }: Change): boolean {
  return spec.clusters?.some(({ name }) => lost.includes(name)) ?? false;
}
