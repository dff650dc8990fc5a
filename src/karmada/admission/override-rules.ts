/** What an OverridePolicy or ClusterOverridePolicy may say; as karmada v1.18 pkg/util/validation/validation.go. */
import type { FieldOverrider, Overriders, OverrideSpec, SubPathOperation } from '#karmada/apis/index.ts';
import { type FieldError, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import { clusterAffinityErrors } from './placement-rules.ts';
import { selectorNamespaceErrors } from './policy-rules.ts';

export function overrideSpecErrors(spec: OverrideSpec, namespace: string | undefined): FieldError[] {
  const errors = clusterAffinityErrors(spec.targetCluster, 'spec.targetCluster');
  if (spec.overrideRules && spec.targetCluster) {
    errors.push(invalid('spec.targetCluster', spec.targetCluster, "overrideRules and targetCluster can't co-exist"));
  }
  if (spec.overrideRules && spec.overriders && !isEmpty(spec.overriders)) {
    errors.push(invalid('spec.overriders', spec.overriders, "overrideRules and overriders can't co-exist"));
  }
  for (const [index, rule] of (spec.overrideRules ?? []).entries()) {
    const path = `spec.overrideRules[${index}]`;
    errors.push(...overriderErrors(rule.overriders, `${path}.overriders`));
    errors.push(...clusterAffinityErrors(rule.targetCluster, `${path}.targetCluster`));
  }
  return [...errors, ...selectorNamespaceErrors(spec.resourceSelectors, namespace, 'spec.resourceSelectors')];
}

/** The field overrider is newer than this rule and is not counted: upstream's oversight, kept. */
function isEmpty({ fieldOverrider: _newer, ...overriders }: Overriders): boolean {
  return Object.values(overriders).every((list) => list.length === 0);
}

function overriderErrors(overriders: Overriders, path: string): FieldError[] {
  const each = <T>(list: readonly T[] | undefined, name: string, check: (item: T, at: string) => FieldError[]) =>
    (list ?? []).flatMap((item, index) => check(item, `${path}.${name}[${index}]`));
  return [
    ...each(overriders.annotationsOverrider, 'annotationsOverrider', ({ value }, at) =>
      keyErrors(value, `${at}.value`),
    ),
    ...each(overriders.labelsOverrider, 'labelsOverrider', ({ value }, at) => [
      ...keyErrors(value, `${at}.value`),
      ...Object.values(value).flatMap((text) => invalidAll(`${at}.value`, text, labelValueProblems(text))),
    ]),
    ...each(overriders.imageOverrider, 'imageOverrider', ({ predicate }, at) =>
      predicate ? pointerErrors(predicate.path, `${at}.predicate.path`) : [],
    ),
    ...each(overriders.fieldOverrider, 'fieldOverrider', fieldOverriderErrors),
  ];
}

function keyErrors(entries: Readonly<Record<string, string>>, path: string): FieldError[] {
  return Object.keys(entries).flatMap((key) => invalidAll(path, key, qualifiedNameProblems(key)));
}

function fieldOverriderErrors(overrider: FieldOverrider, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const [json, yaml] = [overrider.json ?? [], overrider.yaml ?? []];
  if (yaml.length > 0 && json.length > 0) {
    errors.push(invalid(path, overrider, 'FieldOverrider has both YAML and JSON set. Only one is allowed'));
  }
  if (yaml.length === 0 && json.length === 0) {
    errors.push(required(path, 'FieldOverrider must have either JSON or YAML set'));
  }
  errors.push(...pointerErrors(overrider.fieldPath, `${path}.fieldPath`));
  for (const [index, operation] of json.entries()) errors.push(...operationErrors(operation, `${path}.json[${index}]`));
  for (const [index, operation] of yaml.entries()) errors.push(...operationErrors(operation, `${path}.yaml[${index}]`));
  return errors;
}

function operationErrors({ subPath, operator, value }: SubPathOperation, path: string): FieldError[] {
  const errors = pointerErrors(subPath, `${path}.subPath`);
  if (operator === 'remove' && value !== undefined) {
    errors.push(invalid(`${path}.value`, value, 'value is not allowed for remove operation'));
  }
  if (operator !== 'remove' && value === undefined) {
    errors.push(invalid(`${path}.value`, value, 'value is required for add or replace operation'));
  }
  return errors;
}

function pointerErrors(pointer: string, path: string): FieldError[] {
  if (pointer === '' || pointer.startsWith('/')) return [];
  return [invalid(path, pointer, 'JSON pointer must be empty or start with a "/"')];
}
