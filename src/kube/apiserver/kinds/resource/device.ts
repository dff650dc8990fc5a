/** Dynamic resources: devices that drivers offer and pods claim. */
import type {
  DeviceClass,
  DeviceClaim,
  ResourceV1ResourceClaim as ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';

const GROUP = { group: 'resource.k8s.io', version: 'v1' } as const;

export const deviceClasses: ResourceDefinition = kind<DeviceClass>(
  { ...GROUP, kind: 'DeviceClass' },
  { generation: 'spec', deleteReturnsObject: true, columns: [nameColumn, ageColumn] },
);

export const resourceClaims: ResourceDefinition = kind<ResourceClaim>(
  { ...GROUP, kind: 'ResourceClaim' },
  {
    deleteReturnsObject: true,
    defaults: ({ spec }) => defaultDevices(spec?.devices),
    columns: [nameColumn, column<ResourceClaim>('State', 'Whether it has its devices.', stateText), ageColumn],
  },
);

function stateText({ metadata, status }: Given<ResourceClaim>): string {
  const deleted = metadata?.deletionTimestamp !== undefined;
  const states = deleted ? ['deleted'] : [];
  if (!status?.allocation) return [...states, ...(deleted ? [] : ['pending'])].join(',');
  return [...states, 'allocated', ...((status.reservedFor ?? []).length > 0 ? ['reserved'] : [])].join(',');
}

export const resourceClaimTemplates: ResourceDefinition = kind<ResourceClaimTemplate>(
  { ...GROUP, kind: 'ResourceClaimTemplate' },
  {
    deleteReturnsObject: true,
    defaults: ({ spec }) => defaultDevices(spec?.spec?.devices),
    columns: [nameColumn, ageColumn],
  },
);

export const resourceSlices: ResourceDefinition = kind<ResourceSlice>(
  { ...GROUP, kind: 'ResourceSlice' },
  {
    generation: 'spec',
    deleteReturnsObject: true,
    fields: {
      'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
      'spec.driver': ({ spec }) => spec?.driver ?? '',
    },
    columns: [
      nameColumn,
      column<ResourceSlice>('Node', 'Where the devices are.', ({ spec }) => spec?.nodeName ?? ''),
      column<ResourceSlice>('Driver', 'Whose devices they are.', ({ spec }) => spec?.driver ?? ''),
      column<ResourceSlice>('Pool', 'The pool they belong to.', ({ spec }) => spec?.pool?.name ?? ''),
      ageColumn,
    ],
  },
);

function defaultDevices(devices: Making<DeviceClaim> | undefined): void {
  for (const request of devices?.requests ?? []) {
    for (const one of [request.exactly, ...(request.firstAvailable ?? [])]) {
      if (!one) continue;
      one.allocationMode ||= 'ExactCount';
      if (one.allocationMode === 'ExactCount') one.count ||= 1;
      for (const toleration of one.tolerations ?? []) toleration.operator ||= 'Equal';
    }
  }
}
