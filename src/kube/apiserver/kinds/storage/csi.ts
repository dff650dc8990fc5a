/** What CSI drivers tell the cluster: themselves, their nodes, their capacity, their attachments. */
import type { CSIDriver, CSINode, CSIStorageCapacity, VolumeAttachment } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind, type Making } from '../kind.ts';
import { defaultSharedSources } from '../pod/volume-defaults.ts';

const GROUP = { group: 'storage.k8s.io', version: 'v1' } as const;
const boolean = { type: 'boolean' } as const;

export const csiDrivers: ResourceDefinition = kind<CSIDriver>(
  { ...GROUP, kind: 'CSIDriver' },
  {
    unconditionalUpdate: false,
    deleteReturnsObject: true,
    generation: 'spec',
    defaults: defaultCsiDriver,
    columns: [
      nameColumn,
      column<CSIDriver>(
        'AttachRequired',
        'Whether volumes are attached first.',
        ({ spec }) => spec?.attachRequired ?? true,
        boolean,
      ),
      column<CSIDriver>(
        'PodInfoOnMount',
        'Whether it is told of the pod.',
        ({ spec }) => spec?.podInfoOnMount ?? false,
        boolean,
      ),
      column<CSIDriver>(
        'StorageCapacity',
        'Whether it reports capacity.',
        ({ spec }) => spec?.storageCapacity ?? false,
        boolean,
      ),
      column<CSIDriver>('TokenRequests', 'Audiences of the tokens it wants.', ({ spec }) =>
        spec?.tokenRequests ? spec.tokenRequests.map(({ audience = '' }) => audience).join(',') : '<unset>',
      ),
      column<CSIDriver>(
        'RequiresRepublish',
        'Whether volumes are published again.',
        ({ spec }) => spec?.requiresRepublish ?? false,
        boolean,
      ),
      column<CSIDriver>(
        'Modes',
        'Lives its volumes may have.',
        ({ spec }) => (spec?.volumeLifecycleModes ?? []).join(',') || '<none>',
      ),
      ageColumn,
    ],
  },
);

function defaultCsiDriver(driver: Making<CSIDriver>): void {
  const spec = (driver.spec ??= {});
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}

export const csiNodes: ResourceDefinition = kind<CSINode>(
  { ...GROUP, kind: 'CSINode' },
  {
    unconditionalUpdate: false,
    deleteReturnsObject: true,
    columns: [
      nameColumn,
      column<CSINode>('Drivers', 'How many drivers the node has.', ({ spec }) => (spec?.drivers ?? []).length, {
        type: 'integer',
      }),
      ageColumn,
    ],
  },
);

export const csiStorageCapacities: ResourceDefinition = kind<CSIStorageCapacity>(
  { ...GROUP, kind: 'CSIStorageCapacity' },
  {
    unconditionalUpdate: false,
    columns: [
      nameColumn,
      column<CSIStorageCapacity>(
        'StorageClassName',
        'The class it is about.',
        ({ storageClassName }) => storageClassName ?? '',
      ),
      column<CSIStorageCapacity>('Capacity', 'How much room there is.', ({ capacity }) => capacity ?? '<unset>'),
    ],
  },
);

export const volumeAttachments: ResourceDefinition = kind<VolumeAttachment>(
  { ...GROUP, kind: 'VolumeAttachment' },
  {
    unconditionalUpdate: false,
    deleteReturnsObject: true,
    defaults: ({ spec }) => {
      if (spec?.source?.inlineVolumeSpec) defaultSharedSources(spec.source.inlineVolumeSpec);
    },
    columns: [
      nameColumn,
      column<VolumeAttachment>('Attacher', 'The driver that attaches it.', ({ spec }) => spec?.attacher ?? '', {
        format: 'name',
      }),
      column<VolumeAttachment>('PV', 'The volume.', ({ spec }) => spec?.source?.persistentVolumeName ?? ''),
      column<VolumeAttachment>('Node', 'The node.', ({ spec }) => spec?.nodeName ?? ''),
      column<VolumeAttachment>('Attached', 'Whether it is done.', ({ status }) => status?.attached ?? false, boolean),
      ageColumn,
    ],
  },
);
