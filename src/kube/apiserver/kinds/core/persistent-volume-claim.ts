import type { PersistentVolumeClaim } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { kind, type Making } from '../kind.ts';
import { roundResources } from '../pod/container-defaults.ts';
import { accessModesText } from './access-modes.ts';

export const persistentVolumeClaims: ResourceDefinition = kind<PersistentVolumeClaim>(
  { group: '', version: 'v1', kind: 'PersistentVolumeClaim' },
  {
    shortNames: ['pvc'],
    deleteReturnsObject: true,
    defaults: defaultClaim,
    create: (claim) => {
      claim.status = { phase: 'Pending' };
    },
    columns: [
      nameColumn,
      column<PersistentVolumeClaim>('Status', 'Its phase.', ({ metadata, status }) =>
        metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      ),
      column<PersistentVolumeClaim>('Volume', 'The volume it is bound to.', ({ spec }) => spec?.volumeName ?? ''),
      column<PersistentVolumeClaim>('Capacity', 'How much the volume holds.', ({ spec, status }) =>
        spec?.volumeName ? (status?.capacity?.['storage'] ?? '0') : '',
      ),
      column<PersistentVolumeClaim>('Access Modes', 'Who may mount it.', ({ spec, status }) =>
        spec?.volumeName ? accessModesText(status?.accessModes) : '',
      ),
      column<PersistentVolumeClaim>('StorageClass', 'Its storage class.', ({ spec }) => spec?.storageClassName ?? ''),
      column<PersistentVolumeClaim>(
        'VolumeAttributesClass',
        'Its class of attributes.',
        ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>',
      ),
      ageColumn,
      wideColumn<PersistentVolumeClaim>(
        'VolumeMode',
        'File system or block device.',
        ({ spec }) => spec?.volumeMode ?? '<unset>',
      ),
    ],
  },
);

export function defaultClaim(claim: Pick<Making<PersistentVolumeClaim>, 'spec'>): void {
  const spec = (claim.spec ??= {});
  spec.volumeMode ??= 'Filesystem';
  roundResources(spec.resources?.limits);
  roundResources(spec.resources?.requests);
}
