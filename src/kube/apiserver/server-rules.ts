/** Kinds the server itself has a hand in: a CRD defines what is served. */
import { type Draft, isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { setCondition } from '#kube/meta/condition.ts';
import type { ResourceDefinition, Strategy } from './resource.ts';

export const CRD_CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

/** The definition with the rules only the server can give its kind, if there are any. */
export function withServerRules(definition: ResourceDefinition): ResourceDefinition {
  const id = `${definition.resource}.${definition.group}`;
  const [rules, deprecation] = [RULES[id], DEPRECATED[id]];
  if (!rules && !deprecation) return definition;
  // The schema of a built-in kind is made when first looked at; spreading would look at it now.
  return Object.create(definition, {
    strategy: { value: { ...definition.strategy, ...rules }, enumerable: true },
    deprecation: { value: deprecation, enumerable: true },
  }) as ResourceDefinition;
}

const DEPRECATED: Readonly<Record<string, string | undefined>> = {
  'componentstatuses.': 'v1 ComponentStatus is deprecated in v1.19+',
  'endpoints.': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

const RULES: Readonly<Record<string, Partial<Strategy> | undefined>> = {
  'customresourcedefinitions.apiextensions.k8s.io': {
    terminate: terminateCrd,
    deleteReturnsObject: true,
  },
};

function terminateCrd(draft: Draft<KubeObject>): 'stays' | 'goes' {
  const { metadata } = draft;
  const status = isObject(draft['status']) ? draft['status'] : {};
  const before = Array.isArray(status['conditions']) ? status['conditions'] : [];
  const marked = before.some((condition) => isObject(condition) && condition['type'] === 'Terminating');
  if (!marked) {
    metadata.finalizers = [...(metadata.finalizers ?? []), CRD_CLEANUP];
    const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
    const condition = { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message } as const;
    draft['status'] = { ...status, conditions: setCondition(before, condition, metadata.deletionTimestamp ?? '') };
  }
  return (metadata.finalizers?.length ?? 0) > 0 ? 'stays' : 'goes';
}
