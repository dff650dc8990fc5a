import type { StorageClass, VolumeAttributesClass } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Given, kind } from '../kind.ts';

const GROUP = { group: 'storage.k8s.io', version: 'v1' } as const;

export const storageClasses: ResourceDefinition = kind<StorageClass>(
  { ...GROUP, kind: 'StorageClass' },
  {
    shortNames: ['sc'],
    deleteReturnsObject: true,
    defaults: (storageClass) => {
      storageClass.reclaimPolicy ??= 'Delete';
      storageClass.volumeBindingMode ??= 'Immediate';
    },
    columns: [
      {
        ...nameColumn,
        cell: (object) => `${object.metadata.name}${isDefault(object as Given<StorageClass>) ? ' (default)' : ''}`,
      },
      column<StorageClass>('Provisioner', 'Who makes its volumes.', ({ provisioner }) => provisioner ?? ''),
      column<StorageClass>(
        'ReclaimPolicy',
        'What happens to volumes without their claim.',
        ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
      ),
      column<StorageClass>(
        'VolumeBindingMode',
        'When a volume is made.',
        ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
      ),
      column<StorageClass>(
        'AllowVolumeExpansion',
        'Whether volumes may grow.',
        ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
      ),
      ageColumn,
    ],
  },
);

function isDefault({ metadata }: Given<StorageClass>): boolean {
  return ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'].some(
    (annotation) => metadata?.annotations?.[annotation] === 'true',
  );
}

export const volumeAttributesClasses: ResourceDefinition = kind<VolumeAttributesClass>(
  { ...GROUP, kind: 'VolumeAttributesClass' },
  {
    shortNames: ['vac'],
    deleteReturnsObject: true,
    columns: [
      nameColumn,
      column<VolumeAttributesClass>(
        'DriverName',
        'The driver that understands it.',
        ({ driverName }) => driverName ?? '',
      ),
      ageColumn,
    ],
  },
);
