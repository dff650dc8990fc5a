/** What Kubernetes demands of the metadata of every object, whatever its kind. */
import { jsonEqual } from '#base/json.ts';
import { forbidden, IMMUTABLE, invalid, invalidAll, required, tooLong } from '#kube/meta/field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '#kube/meta/object.ts';
import { LIMITS } from '../limits.ts';
import type { FieldError, ResourceDefinition } from '../resource.ts';

export function* metadataProblems(definition: ResourceDefinition, object: KubeObject): Iterable<FieldError> {
  const { metadata } = object;
  if (metadata.generateName) {
    yield* invalidAll(
      'metadata.generateName',
      metadata.generateName,
      prefixProblems(definition, metadata.generateName),
    );
  }
  if (!metadata.name) yield required('metadata.name', 'name or generateName is required');
  else yield* invalidAll('metadata.name', metadata.name, definition.strategy.nameProblems(metadata.name));
  if (definition.namespaced && !metadata.namespace) yield required('metadata.namespace');
  if (!definition.namespaced && metadata.namespace) yield forbidden('metadata.namespace', 'not allowed on this type');
  if (metadata.generation !== undefined && metadata.generation < 0) {
    yield invalid('metadata.generation', metadata.generation, 'must be greater than or equal to 0');
  }
  yield* labelProblems('metadata.labels', metadata.labels);
  yield* annotationProblems('metadata.annotations', metadata.annotations);
  yield* ownerProblems('metadata.ownerReferences', metadata.ownerReferences ?? []);
  yield* finalizerProblems('metadata.finalizers', metadata.finalizers ?? []);
}

/** A prefix may end where a name may not: what follows is random letters. */
function prefixProblems(definition: ResourceDefinition, prefix: string): readonly string[] {
  return definition.strategy.nameProblems(prefix.replace(/[-.]+$/, 'x'));
}

function* labelProblems(field: string, labels: ObjectMeta['labels'] = {}): Iterable<FieldError> {
  for (const [key, value] of Object.entries(labels).sort(byKey)) {
    yield* invalidAll(field, key, qualifiedNameProblems(key));
    yield* invalidAll(field, value, labelValueProblems(value));
  }
}

function* annotationProblems(field: string, annotations: ObjectMeta['annotations'] = {}): Iterable<FieldError> {
  let size = 0;
  for (const [key, value] of Object.entries(annotations).sort(byKey)) {
    // Upper case is allowed in an annotation's prefix, for the sake of those written before the rule.
    yield* invalidAll(field, key, qualifiedNameProblems(key.toLowerCase()));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > LIMITS.annotationBytes) yield tooLong(field, LIMITS.annotationBytes);
}

function* ownerProblems(field: string, owners: readonly OwnerReference[]): Iterable<FieldError> {
  let controller: OwnerReference | undefined;
  for (const owner of owners) {
    const [version] = (owner.apiVersion ?? '').split('/').slice(-1);
    if (!version) yield invalid(`${field}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty');
    if (!owner.kind) yield invalid(`${field}.kind`, owner.kind ?? '', 'must not be empty');
    if (!owner.name) yield invalid(`${field}.name`, owner.name ?? '', 'must not be empty');
    if (!owner.uid) yield invalid(`${field}.uid`, owner.uid ?? '', 'must not be empty');
    if (!owner.controller) continue;
    if (controller) {
      const both = `Only one reference can have Controller set to true. Found "true" in references for ${controller.kind}/${controller.name} and ${owner.kind}/${owner.name}`;
      yield invalid(field, owners, both);
    } else controller = owner;
  }
}

const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

function* finalizerProblems(field: string, finalizers: readonly string[]): Iterable<FieldError> {
  for (const [index, finalizer] of finalizers.entries()) {
    const at = `${field}[${index}]`;
    const problems = qualifiedNameProblems(finalizer);
    yield* invalidAll(at, finalizer, problems);
    if (problems.length === 0 && !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer)) {
      yield invalid(at, finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
    }
  }
  const both = finalizers.includes('orphan') && finalizers.includes('foregroundDeletion');
  if (both) {
    yield invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set');
  }
}

const FROZEN = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

export function* metadataUpdateProblems(object: KubeObject, old: KubeObject): Iterable<FieldError> {
  const [now, before] = [object.metadata, old.metadata];
  if (before.deletionTimestamp) {
    const added = (now.finalizers ?? []).filter((one) => !before.finalizers?.includes(one));
    if (added.length > 0) {
      const list = added.map((one) => JSON.stringify(one)).join(', ');
      const problem = forbidden(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
      );
      // Told twice, as Kubernetes does: once by the rules of deletion, once by those of metadata.
      yield problem;
      yield problem;
    }
  }
  for (const field of ['name', 'namespace', ...FROZEN] as const) {
    if (!jsonEqual(now[field], before[field])) yield invalid(`metadata.${field}`, now[field], IMMUTABLE);
  }
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
