/** Dynamic resources: devices that drivers offer and pods claim. */
import type {
  DeviceClass,
  DeviceClaim,
  ResourceV1ResourceClaim as ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '#gen/kube/types.ts';
import { META_FIELDS, type ResourceDefinition } from '#kube/apiserver/resource.ts';
import { invalid, required } from '#kube/meta/field-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { dnsLabel, dnsSubdomain, immutable, oneOf, unique } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';

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
    validate: ({ spec }) => deviceRules(spec?.devices ?? {}, 'spec.devices'),
    validateUpdate: (claim, old) => immutable(claim.spec, old.spec, 'spec'),
    statusKeeps: META_FIELDS,
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
    validate: ({ spec }) => deviceRules(spec?.spec?.devices ?? {}, 'spec.spec.devices'),
    validateUpdate: (template, old) => immutable(template.spec, old.spec, 'spec'),
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

/** Names of requests, and for each the class its device is of. */
function* deviceRules({ requests = [] }: Given<DeviceClaim>, path: string): Errors {
  yield* unique(
    requests.map(({ name }) => name),
    (at) => `${path}.requests[${at}].name`,
  );
  for (const [at, { name = '', exactly, firstAvailable = [] }] of requests.entries()) {
    const own = `${path}.requests[${at}]`;
    if (name === '') yield required(`${own}.name`);
    else yield* dnsLabel(name, `${own}.name`);
    if (!exactly && firstAvailable.length === 0) {
      yield required(own, 'exactly one of `exactly` or `firstAvailable` is required');
    } else if (exactly && firstAvailable.length > 0) {
      yield invalid(own, null, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set');
    }
    if (exactly) yield* deviceRequest(exactly, `${own}.exactly`);
    for (const [index, one] of firstAvailable.entries()) yield* deviceRequest(one, `${own}.firstAvailable[${index}]`);
  }
}

interface DeviceRequest {
  readonly deviceClassName?: string | undefined;
  readonly allocationMode?: string | undefined;
  readonly count?: number | undefined;
}

function* deviceRequest({ deviceClassName = '', allocationMode, count = 0 }: DeviceRequest, path: string): Errors {
  if (deviceClassName === '') yield required(`${path}.deviceClassName`);
  else yield* dnsSubdomain(deviceClassName, `${path}.deviceClassName`);
  yield* oneOf(allocationMode, ['All', 'ExactCount'], `${path}.allocationMode`);
  if (allocationMode === 'ExactCount' && count <= 0) yield invalid(`${path}.count`, count, 'must be greater than zero');
}
