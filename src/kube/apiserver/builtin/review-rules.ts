/** What may be asked in a review of somebody's access. */
import { isObject } from '#base/json.ts';
import { type FieldError, invalid } from '#kube/meta/field-error.ts';

type Spec = Readonly<Record<string, unknown>>;

/** Exactly one of a resource and a path. */
export function whatProblems({ resourceAttributes, nonResourceAttributes }: Spec): readonly FieldError[] {
  if (isObject(resourceAttributes) && isObject(nonResourceAttributes)) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', nonResourceAttributes, detail)];
  }
  if (isObject(resourceAttributes) || isObject(nonResourceAttributes)) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid('spec.resourceAttributes', null, detail)];
}

export function whoProblems({ user, groups }: Spec): readonly FieldError[] {
  if (user || (Array.isArray(groups) && groups.length > 0)) return [];
  return [invalid('spec.user', '', 'at least one of user or group must be specified')];
}

/** A review in a namespace is about that namespace. */
export function whereProblems({ resourceAttributes, nonResourceAttributes }: Spec, here = ''): readonly FieldError[] {
  const errors: FieldError[] = [];
  const there = isObject(resourceAttributes) ? (resourceAttributes['namespace'] ?? '') : here;
  if (there !== here) {
    errors.push(invalid('spec.resourceAttributes.namespace', there, 'must match metadata.namespace'));
  }
  if (isObject(nonResourceAttributes)) {
    errors.push(invalid('spec.nonResourceAttributes', nonResourceAttributes, 'disallowed on this kind of request'));
  }
  return errors;
}
