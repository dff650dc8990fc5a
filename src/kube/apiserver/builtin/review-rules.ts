/** What may be asked in a review of somebody's access. */
import { isObject } from '#base/json.ts';
import { type FieldError, forbidden, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import type { KubeObject } from '#kube/meta/object.ts';

type Spec = Readonly<Record<string, unknown>>;

/** Exactly one of a resource and a path. */
export function whatProblems({ resourceAttributes, nonResourceAttributes }: Spec): readonly FieldError[] {
  if (isObject(resourceAttributes) && isObject(nonResourceAttributes)) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', goPath(nonResourceAttributes), detail)];
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
    errors.push(
      invalid('spec.nonResourceAttributes', goPath(nonResourceAttributes), 'disallowed on this kind of request'),
    );
  }
  return errors;
}

/** As Go shows it, which knows no other names for these inside. */
function goPath({ path = '', verb = '' }: Readonly<Record<string, unknown>>): unknown {
  return { Path: path, Verb: verb };
}

/** A review is nobody's object: it has no name and no labels. */
export function metadataProblems(metadata: KubeObject['metadata'], except?: 'namespace'): readonly FieldError[] {
  const { managedFields: _managers, namespace, ...own } = metadata;
  if (Object.keys(own).length === 0 && (except === 'namespace' || namespace === undefined)) return [];
  return [invalid('metadata', metadata, except === undefined ? 'must be empty' : `must be empty except for ${except}`)];
}

/** A selector is given as text or as requirements. */
export function selectorProblems({ resourceAttributes }: Spec): readonly FieldError[] {
  if (!isObject(resourceAttributes)) return [];
  return ['fieldSelector', 'labelSelector'].flatMap((name) => {
    const selector = resourceAttributes[name];
    return isObject(selector) ? [...inSelector(selector, `spec.resourceAttributes.${name}`)] : [];
  });
}

function* inSelector({ rawSelector, requirements }: Spec, path: string): Iterable<FieldError> {
  const given = Array.isArray(requirements) ? requirements.map((one: unknown) => (isObject(one) ? one : {})) : [];
  if (rawSelector && given.length > 0) {
    yield invalid(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements');
  }
  if (!rawSelector && given.length === 0) {
    yield required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`);
  }
  for (const [at, one] of given.entries()) yield* inRequirement(one, `${path}.requirements[${at}]`);
}

/** Operators that are not known here may be known to who asks. */
function* inRequirement({ key, operator, values }: Spec, path: string): Iterable<FieldError> {
  const some = Array.isArray(values) && values.length > 0;
  if ((operator === 'In' || operator === 'NotIn') && !some) {
    yield required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && some) {
    yield forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  }
  const name = typeof key === 'string' ? key : '';
  if (!path.includes('.fieldSelector')) {
    yield* invalidAll(`${path}.key`, name, qualifiedNameProblems(name));
    for (const [at, value] of (Array.isArray(values) ? values : []).entries()) {
      yield* invalidAll(`${path}.values[${at}]`, value, labelValueProblems(String(value)));
    }
  } else if (name === '') yield required(`${path}.key`, 'must be specified');
}
