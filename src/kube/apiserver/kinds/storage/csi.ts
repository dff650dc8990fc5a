/** What CSI drivers tell the cluster: themselves, their nodes, their capacity, their attachments. */
import type { CSIDriver, CSINode, CSIStorageCapacity, VolumeAttachment } from '#gen/kube/types.ts';
import { META_FIELDS, type ResourceDefinition } from '#kube/apiserver/resource.ts';
import { duplicate, forbidden, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { qualifiedNameProblems } from '#kube/meta/names.ts';
import { tryParseQuantity } from '#kube/meta/quantity.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { dnsSubdomain, immutable, labelSelector, nonNegative, oneOf, requiredField } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { csiDriverName } from '../pod/volume-source-rules.ts';
import { defaultSharedSources } from '../pod/volume-defaults.ts';

const GROUP = { group: 'storage.k8s.io', version: 'v1' } as const;
const boolean = { type: 'boolean' } as const;

export const csiDrivers: ResourceDefinition = kind<CSIDriver>(
  { ...GROUP, kind: 'CSIDriver' },
  {
    unconditionalUpdate: false,
    deleteReturnsObject: true,
    // Counted from the first change on: a new one has none.
    generation: 'spec',
    create: (driver) => void delete driver.metadata?.generation,
    defaults: defaultCsiDriver,
    validate: driverRules,
    validateUpdate: driverUpdate,
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
    validate: nodeRules,
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
    validate: capacityRules,
    validateUpdate: capacityUpdate,
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
    validate: newAttachmentRules,
    validateUpdate: attachmentUpdate,
    statusKeeps: META_FIELDS,
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

function* driverRules({ spec = {} }: Given<CSIDriver>): Errors {
  yield* oneOf(spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy');
  const audiences = (spec.tokenRequests ?? []).map(({ audience = '' }) => audience);
  for (const [at, { audience = '', expirationSeconds: seconds }] of (spec.tokenRequests ?? []).entries()) {
    const path = `spec.tokenRequests[${at}]`;
    if (audiences.indexOf(audience) < at) yield duplicate(`${path}.audience`, audience);
    if (seconds !== undefined && seconds < 600) {
      yield invalid(`${path}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes');
    }
  }
  for (const mode of spec.volumeLifecycleModes ?? []) {
    yield* oneOf(mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes');
  }
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < 10) {
    yield invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds');
  }
  const inSecrets = spec.serviceAccountTokenInSecrets;
  if (inSecrets !== undefined && audiences.length === 0) {
    const rule = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    yield invalid('spec.serviceAccountTokenInSecrets', inSecrets, rule);
  }
}

function* driverUpdate(driver: Given<CSIDriver>, old: Given<CSIDriver>): Errors {
  yield* driverRules(driver);
  yield* immutable(driver.spec?.attachRequired, old.spec?.attachRequired, 'spec.attachedRequired');
  yield* immutable(driver.spec?.volumeLifecycleModes, old.spec?.volumeLifecycleModes, 'spec.volumeLifecycleModes');
}

const MAX_NODE_ID = 256;

function* nodeRules({ spec }: Given<CSINode>): Errors {
  const names = (spec?.drivers ?? []).map(({ name }) => name);
  for (const [at, { name, nodeID = '', allocatable, topologyKeys = [] }] of (spec?.drivers ?? []).entries()) {
    const path = `spec.drivers[${at}]`;
    yield* csiDriverName(name, `${path}.name`);
    yield* requiredField(nodeID, `${path}.nodeID`);
    if (nodeID.length > MAX_NODE_ID) {
      yield invalid(`${path}.nodeID`, nodeID, `must be ${MAX_NODE_ID} characters or less`);
    }
    yield* nonNegative(allocatable?.count, `${path}.allocatable.count`);
    if (names.indexOf(name) < at) yield duplicate(`${path}.name`, name);
    yield* topologyKeyRules(topologyKeys, path);
  }
}

/** What is wrong with a key is told of the driver. */
function* topologyKeyRules(keys: readonly string[], path: string): Errors {
  for (const [at, key] of keys.entries()) {
    if (key === '') yield required(path);
    if (keys.indexOf(key) < at) yield duplicate(path, key);
    yield* invalidAll(path, key, qualifiedNameProblems(key));
  }
}

function* capacityRules({
  storageClassName = '',
  nodeTopology,
  capacity,
  maximumVolumeSize,
}: Given<CSIStorageCapacity>): Errors {
  yield* labelSelector(nodeTopology, 'nodeTopology');
  yield* dnsSubdomain(storageClassName, 'storageClassName');
  for (const [field, amount] of Object.entries({ capacity, maximumVolumeSize })) {
    if ((tryParseQuantity(amount ?? '0')?.nanos ?? 0n) < 0n) {
      yield invalid(field, amount, 'must be greater than or equal to 0');
    }
  }
}

function* capacityUpdate(capacity: Given<CSIStorageCapacity>, old: Given<CSIStorageCapacity>): Errors {
  yield* capacityRules(capacity);
  yield* immutable(capacity.nodeTopology, old.nodeTopology, 'nodeTopology');
  yield* immutable(capacity.storageClassName, old.storageClassName, 'storageClassName');
}

function* attachmentRules({ spec = {} }: Given<VolumeAttachment>): Errors {
  yield* requiredField(spec.attacher, 'spec.attacher');
  const { inlineVolumeSpec, persistentVolumeName } = spec.source ?? {};
  const rule = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (!inlineVolumeSpec && persistentVolumeName === undefined) yield required('spec.source', rule);
  if (inlineVolumeSpec && persistentVolumeName !== undefined) yield forbidden('spec.source', rule);
  if (persistentVolumeName === '' && !inlineVolumeSpec) {
    yield required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName');
  }
  yield* dnsSubdomain(spec.nodeName ?? '', 'spec.nodeName');
}

/** What came with the first stable version is not asked of attachments that are older. */
function* newAttachmentRules(attachment: Given<VolumeAttachment>): Errors {
  yield* attachmentRules(attachment);
  const { attacher, source } = attachment.spec ?? {};
  yield* csiDriverName(attacher, 'spec.attacher');
  const volume = source?.persistentVolumeName;
  if (volume !== undefined) yield* dnsSubdomain(volume, 'spec.source.persistentVolumeName');
}

function* attachmentUpdate(attachment: Given<VolumeAttachment>, old: Given<VolumeAttachment>): Errors {
  yield* attachmentRules(attachment);
  yield* immutable(attachment.spec, old.spec, 'spec');
}
