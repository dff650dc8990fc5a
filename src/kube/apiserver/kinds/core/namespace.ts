import type { Namespace } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { invalid, invalidAll } from '#kube/meta/field-error.ts';
import { dnsLabelProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';
const FINALIZER = 'kubernetes';

/** Namespaces: their finalizer keeps them until everything inside is gone. */
export const namespaces: ResourceDefinition = kind<Namespace>(
  { group: '', version: 'v1', kind: 'Namespace' },
  {
    shortNames: ['ns'],
    name: dnsLabelProblems,
    deleteReturnsObject: true,
    defaults: defaultNamespace,
    create: prepareNamespace,
    update: keepFinalizers,
    validate: finalizerRules,
    validateUpdate: () => [],
    validateStatus: phaseRules,
    terminate: terminateNamespace,
    fields: { 'status.phase': ({ status }) => status?.phase ?? '' },
    columns: [
      nameColumn,
      column<Namespace>(
        'Status',
        'Active, or Terminating while it is being emptied.',
        ({ status }) => status?.phase ?? '',
      ),
      ageColumn,
    ],
  },
);

/** The name as a label lets selectors name namespaces. */
function defaultNamespace(namespace: Making<Namespace>): void {
  (namespace.status ??= {}).phase ||= 'Active';
  const { metadata } = namespace;
  if (metadata?.name) metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
}

function prepareNamespace(namespace: Making<Namespace>): void {
  namespace.status = { phase: 'Active' };
  const finalizers = namespace.spec?.finalizers ?? [];
  namespace.spec = { finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER] };
}

/** A namespace ends once nothing holds it, which its controller finds out by emptying it. */
function terminateNamespace(namespace: Making<Namespace>): 'stays' | 'goes' {
  namespace.status = { ...namespace.status, phase: 'Terminating' };
  return (namespace.spec?.finalizers ?? []).length > 0 ? 'stays' : 'goes';
}

/** Only the `finalize` subresource takes a finalizer away. */
function keepFinalizers(namespace: Making<Namespace>, old: Given<Namespace>): void {
  namespace.spec = old.spec?.finalizers ? { finalizers: [...old.spec.finalizers] } : {};
}

function* finalizerRules({ spec }: Given<Namespace>): Errors {
  for (const name of spec?.finalizers ?? []) {
    yield* invalidAll('spec.finalizers', name, qualifiedNameProblems(name));
    if (!name.includes('/') && name !== FINALIZER) {
      yield invalid('spec.finalizers', name, 'name is neither a standard finalizer name nor is it fully qualified');
    }
  }
}

function* phaseRules({ metadata, status }: Given<Namespace>): Errors {
  const [phase, when] = metadata?.deletionTimestamp ? ['Terminating', 'is not empty'] : ['Active', 'is empty'];
  if (status?.phase !== phase) {
    yield invalid('status.Phase', status?.phase ?? '', `may only be '${phase}' if \`deletionTimestamp\` ${when}`);
  }
}
