import type { PersistentVolume } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';
import { roundResources } from '../pod/container-defaults.ts';
import { defaultSharedSources } from '../pod/volume-defaults.ts';
import { accessModesText } from './access-modes.ts';

export const persistentVolumes: ResourceDefinition = kind<PersistentVolume>(
  { group: '', version: 'v1', kind: 'PersistentVolume' },
  {
    shortNames: ['pv'],
    deleteReturnsObject: true,
    defaults: defaultPersistentVolume,
    create: (volume) => {
      volume.status = { phase: 'Pending' };
    },
    columns: [
      nameColumn,
      column<PersistentVolume>('Capacity', 'How much it holds.', ({ spec }) => spec?.capacity?.['storage'] ?? '0'),
      column<PersistentVolume>('Access Modes', 'Who may mount it.', ({ spec }) => accessModesText(spec?.accessModes)),
      column<PersistentVolume>(
        'Reclaim Policy',
        'What happens to it without its claim.',
        ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
      ),
      column<PersistentVolume>('Status', 'Its phase.', ({ metadata, status }) =>
        metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      ),
      column<PersistentVolume>('Claim', 'The claim it is bound to.', claimOf),
      column<PersistentVolume>('StorageClass', 'Its storage class.', ({ spec }) => spec?.storageClassName ?? ''),
      column<PersistentVolume>(
        'VolumeAttributesClass',
        'Its class of attributes.',
        ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>',
      ),
      column<PersistentVolume>('Reason', 'Why it is in this phase.', ({ status }) => status?.reason ?? ''),
      ageColumn,
      wideColumn<PersistentVolume>(
        'VolumeMode',
        'File system or block device.',
        ({ spec }) => spec?.volumeMode ?? '<unset>',
      ),
    ],
  },
);

function defaultPersistentVolume(volume: Making<PersistentVolume>): void {
  const spec = (volume.spec ??= {});
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  roundResources(spec.capacity);
  defaultSharedSources(spec);
}

function claimOf({ spec }: Given<PersistentVolume>): string {
  return spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '';
}
