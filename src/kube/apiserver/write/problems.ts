/** Everything that is wrong with an object on its way to the store, in the order Kubernetes tells it. */
import type { KubeObject } from '#kube/meta/object.ts';
import { type MetaRules, validateObjectMeta, validateObjectMetaUpdate } from '#kube/meta/object-meta.ts';
import { validateSchema } from '#kube/schema/index.ts';
import type { FieldError, ResourceDefinition } from '../resource.ts';
import type { Served } from '../served.ts';

export function problemsOf(
  { definition }: Served,
  object: KubeObject,
  old: KubeObject | undefined,
  subresource?: string,
): readonly FieldError[] {
  const { strategy } = definition;
  const errors: FieldError[] = [];
  const rules = metaRules(definition);
  if (old) errors.push(...validateObjectMetaUpdate(object.metadata, old.metadata, rules));
  else errors.push(...validateObjectMeta(object.metadata, rules));
  const unchecked: FieldError[] = [];
  if (definition.custom) {
    for (const error of validateSchema(definition.schema, object, old, errors))
      (error.field === '<nil>' ? unchecked : errors).push(error);
  }
  if (subresource === 'status') {
    if (old) errors.push(...(strategy.validateStatusUpdate?.(object, old) ?? []));
    return [...errors, ...unchecked];
  }
  if (subresource !== undefined && INTERNAL.has(subresource)) return errors;
  // A resized pod must be one that could have been made so; what else differs was put back.
  const remade = !strategy.validateUpdate || subresource === 'resize';
  const own = old && !remade ? strategy.validateUpdate?.(object, old) : strategy.validate?.(object);
  // That some rules were not asked is told last.
  return [...errors, ...(own ?? []), ...unchecked];
}

const rulesOf = new WeakMap<ResourceDefinition, MetaRules>();

function metaRules(definition: ResourceDefinition): MetaRules {
  let rules = rulesOf.get(definition);
  if (!rules) {
    const { namespaced, custom, strategy } = definition;
    rules = { namespaced, builtin: !custom, nameProblems: (name) => strategy.nameProblems(name) };
    rulesOf.set(definition, rules);
  }
  return rules;
}

/** Doors through which only the server's own code changes a few fields. */
const INTERNAL = new Set(['binding', 'finalize', 'approval', 'ephemeralcontainers']);
