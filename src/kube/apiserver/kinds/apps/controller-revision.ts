import type { ControllerRevision } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { isObject } from '#base/json.ts';
import { required } from '#kube/meta/field-error.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { immutable, nonNegative } from '../checks.ts';
import { type Errors, type Given, kind } from '../kind.ts';

export const controllerRevisions: ResourceDefinition = kind<ControllerRevision>(
  { group: 'apps', version: 'v1', kind: 'ControllerRevision' },
  {
    validate: revisionRules,
    validateUpdate: revisionUpdate,
    columns: [
      nameColumn,
      column<ControllerRevision>('Controller', 'Whose history it is part of.', controllerText),
      column<ControllerRevision>('Revision', 'Its place in the history.', ({ revision }) => revision ?? 0),
      ageColumn,
    ],
  },
);

function controllerText({ metadata }: Given<ControllerRevision>): string {
  const owner = (metadata?.ownerReferences ?? []).find(({ controller }) => controller === true);
  if (!owner) return '<none>';
  const { group } = parseApiVersion(owner.apiVersion ?? '');
  const kind = (owner.kind ?? '').toLowerCase();
  return `${group === '' ? kind : `${kind}.${group}`}/${owner.name ?? ''}`;
}

function* revisionRules({ revision, data }: Given<ControllerRevision>): Errors {
  yield* nonNegative(revision, 'revision');
  if (data === undefined || data === null) yield required('data', 'data is mandatory');
  else if (!isObject(data)) yield required('data', 'data must be a valid JSON object');
}

/** A revision is history: its data never change. */
function* revisionUpdate(revision: Given<ControllerRevision>, old: Given<ControllerRevision>): Errors {
  yield* nonNegative(revision.revision, 'revision');
  yield* immutable(revision.data, old.data, 'data');
}
