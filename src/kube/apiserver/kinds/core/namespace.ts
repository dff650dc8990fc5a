import type { Namespace } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { dnsLabelProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';

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
function defaultNamespace({ metadata }: Making<Namespace>): void {
  if (metadata?.name) metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
}

function prepareNamespace(namespace: Making<Namespace>): void {
  namespace.status = { phase: 'Active' };
  const finalizers = namespace.spec?.finalizers ?? [];
  namespace.spec = { finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER] };
}

/** Only the `finalize` subresource takes a finalizer away. */
function keepFinalizers(namespace: Making<Namespace>, old: Given<Namespace>): void {
  namespace.spec = old.spec?.finalizers ? { finalizers: [...old.spec.finalizers] } : {};
}
