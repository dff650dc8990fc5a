import type { ControllerRevision } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Given, kind } from '../kind.ts';

export const controllerRevisions: ResourceDefinition = kind<ControllerRevision>(
  { group: 'apps', version: 'v1', kind: 'ControllerRevision' },
  {
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
