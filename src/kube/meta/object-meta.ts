/**
 * The rules of `metadata`, the same for every kind.
 *
 * {@link validateObjectMeta} checks an object about to be created, {@link validateObjectMetaUpdate} a change of one.
 * Built-in kinds know the few finalizers without a domain (`foregroundDeletion`) and refuse others; custom resources
 * do not, which is what `builtin` tells.
 */
import { jsonEqual } from '#base/json.ts';
import {
  type FieldError,
  forbidden,
  goJson,
  IMMUTABLE,
  invalid,
  invalidAll,
  required,
  tooLong,
} from '#kube/meta/field-error.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import type { LabelSelectorSpec } from '#kube/meta/label-selector.ts';
import { dnsLabelProblems, labelValueProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import type { ObjectMeta, OwnerReference } from '#kube/meta/object.ts';

export const MAX_ANNOTATION_BYTES = 256 * 1024;

export interface MetaRules {
  readonly namespaced: boolean;
  readonly builtin: boolean;
  nameProblems(name: string): readonly string[];
}

/** Metadata that may still lack its name. */
export type UnnamedMeta = Omit<ObjectMeta, 'name'> & { readonly name?: string };

export function validateObjectMeta(meta: UnnamedMeta, rules: MetaRules): FieldError[] {
  return [
    ...nameErrors(meta, rules),
    ...namespaceErrors(meta.namespace ?? '', rules.namespaced),
    ...(meta.generation !== undefined && meta.generation < 0
      ? [invalid('metadata.generation', meta.generation, 'must be greater than or equal to 0')]
      : []),
    ...labelErrors(meta.labels, 'metadata.labels'),
    ...annotationErrors(meta.annotations, 'metadata.annotations'),
    ...ownerReferenceErrors(meta.ownerReferences ?? []),
    ...finalizerErrors(meta.finalizers ?? [], rules.builtin),
  ];
}

/** What may not change, and what must still hold after a change. */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  { builtin }: Pick<MetaRules, 'builtin'>,
): FieldError[] {
  const errors = [
    ...(old.deletionTimestamp ? newFinalizerErrors(meta.finalizers ?? [], old.finalizers ?? []) : []),
    ...((meta.generation ?? 0) < (old.generation ?? 0)
      ? [invalid('metadata.generation', meta.generation ?? 0, 'must not be decremented')]
      : []),
    ...IMMUTABLE_FIELDS.filter((field) => !jsonEqual(meta[field], old[field])).map((field) =>
      invalid(`metadata.${field}`, meta[field] ?? null, IMMUTABLE),
    ),
    ...labelErrors(meta.labels, 'metadata.labels'),
    ...annotationErrors(meta.annotations, 'metadata.annotations'),
    ...ownerReferenceErrors(meta.ownerReferences ?? []),
  ];
  // Kubernetes checks the metadata of a built-in kind once for all kinds and once for the kind: causes come twice.
  return builtin ? [...errors, ...errors, ...builtinFinalizerErrors(meta.finalizers ?? [])] : errors;
}

const IMMUTABLE_FIELDS = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies readonly (keyof ObjectMeta)[];

function nameErrors({ name = '', generateName = '' }: UnnamedMeta, rules: MetaRules): FieldError[] {
  const prefix = generateName === '' ? [] : rules.nameProblems(withoutTrailingDash(generateName));
  return [
    ...invalidAll('metadata.generateName', generateName, prefix),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : invalidAll('metadata.name', name, rules.nameProblems(name))),
  ];
}

/** A prefix may end in a dash: something follows it. */
function withoutTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

function namespaceErrors(namespace: string, namespaced: boolean): FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbidden('metadata.namespace', 'not allowed on this type')];
  if (namespace === '') return [required('metadata.namespace')];
  return invalidAll('metadata.namespace', namespace, dnsLabelProblems(namespace));
}

export function labelErrors(labels: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    const value = labels[key] ?? '';
    for (const problem of qualifiedNameProblems(key)) errors.push(invalid(path, key, problem));
    for (const problem of labelValueProblems(value)) errors.push(invalid(path, value, problem));
  }
  return errors;
}

export function annotationErrors(
  annotations: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldError[] {
  if (!annotations) return [];
  const entries = Object.entries(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) => invalidAll(path, key, qualifiedNameProblems(key.toLowerCase()))),
    ...(bytes > MAX_ANNOTATION_BYTES ? [tooLong(path, MAX_ANNOTATION_BYTES)] : []),
  ];
}

/** The rules of a `LabelSelector` in a spec. */
export function labelSelectorErrors(selector: LabelSelectorSpec | undefined, path: string): FieldError[] {
  if (!selector) return [];
  return [
    ...labelErrors(selector.matchLabels, `${path}.matchLabels`),
    ...(selector.matchExpressions ?? []).flatMap((expression, at) =>
      expressionErrors(expression, `${path}.matchExpressions[${at}]`),
    ),
  ];
}

function expressionErrors(
  { key, operator, values = [] }: NonNullable<LabelSelectorSpec['matchExpressions']>[number],
  path: string,
): FieldError[] {
  return [
    ...operatorErrors(operator, values, path),
    ...invalidAll(`${path}.key`, key, qualifiedNameProblems(key)),
    ...values.flatMap((value, at) => invalidAll(`${path}.values[${at}]`, value, labelValueProblems(value))),
  ];
}

function operatorErrors(operator: string, values: readonly string[], path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

function ownerReferenceErrors(references: readonly OwnerReference[]): FieldError[] {
  if (references.length === 0) return [];
  const path = 'metadata.ownerReferences';
  const controllers = references
    .filter(({ controller }) => controller === true)
    .map(({ kind, name }) => `${kind}/${name}`);
  return [
    ...references.flatMap((reference) => referenceErrors(reference, path)),
    ...controllers.slice(1).map((other) => {
      const found = `Found "true" in references for ${controllers[0]} and ${other}`;
      return invalid(path, references, `Only one reference can have Controller set to true. ${found}`);
    }),
  ];
}

function referenceErrors(reference: OwnerReference, path: string): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference as Partial<OwnerReference>;
  const { version } = parseApiVersion(apiVersion);
  return [
    ...(version === '' ? [invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty')] : []),
    ...Object.entries({ kind, name, uid })
      .filter(([, value]) => value === '')
      .map(([field]) => invalid(`${path}.${field}`, '', 'must not be empty')),
    ...(apiVersion === 'v1' && kind === 'Event'
      ? [invalid(path, reference, '/v1, Kind=Event is disallowed from being an owner')]
      : []),
  ];
}

const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

function finalizerErrors(finalizers: readonly string[], builtin: boolean): FieldError[] {
  if (finalizers.length === 0) return [];
  const path = 'metadata.finalizers';
  const both = finalizers.includes('orphan') && finalizers.includes('foregroundDeletion');
  return [
    ...finalizers.flatMap((name) => invalidAll(path, name, qualifiedNameProblems(name))),
    ...(both ? [invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')] : []),
    ...(builtin ? builtinFinalizerErrors(finalizers) : []),
  ];
}

function builtinFinalizerErrors(finalizers: readonly string[]): FieldError[] {
  return finalizers.flatMap((name, at) =>
    name.includes('/') || STANDARD_FINALIZERS.has(name)
      ? []
      : [
          invalid(
            `metadata.finalizers[${at}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}

function newFinalizerErrors(finalizers: readonly string[], old: readonly string[]): FieldError[] {
  const added = finalizers.filter((name) => !old.includes(name)).sort();
  if (added.length === 0) return [];
  const list = `[]string{${added.map(goJson).join(', ')}}`;
  return [
    forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
    ),
  ];
}
