/** Kinds the server itself has a hand in: a namespace waits for its content, a CRD defines what is served. */
import { type Draft, isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { setCondition } from '#kube/meta/condition.ts';
import type { CustomResourceDefinition } from '#gen/kube/types.ts';
import { crdProblems, crdUpdateProblems } from './custom/crd-rules.ts';
import type { ResourceDefinition, Strategy } from './resource.ts';

export const CRD_CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

/** The definition with the rules only the server can give its kind, if there are any. */
export function withServerRules(definition: ResourceDefinition): ResourceDefinition {
  const rules = RULES[`${definition.resource}.${definition.group}`];
  if (!rules) return definition;
  // The schema of a built-in kind is made when first looked at; spreading would look at it now.
  const strategy = { ...definition.strategy, ...rules };
  return Object.create(definition, { strategy: { value: strategy, enumerable: true } }) as ResourceDefinition;
}

const RULES: Readonly<Record<string, Partial<Strategy> | undefined>> = {
  'namespaces.': { terminate: terminateNamespace },
  'customresourcedefinitions.apiextensions.k8s.io': {
    terminate: terminateCrd,
    deleteReturnsObject: true,
    validate: (object) => crdProblems(object as CustomResourceDefinition),
    validateUpdate: (object, old) =>
      crdUpdateProblems(object as CustomResourceDefinition, old as CustomResourceDefinition),
  },
};

function terminateNamespace(draft: Draft<KubeObject>): 'stays' | 'goes' {
  const spec = isObject(draft['spec']) ? draft['spec'] : {};
  draft['status'] = { ...(isObject(draft['status']) ? draft['status'] : {}), phase: 'Terminating' };
  return Array.isArray(spec['finalizers']) && spec['finalizers'].length > 0 ? 'stays' : 'goes';
}

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
