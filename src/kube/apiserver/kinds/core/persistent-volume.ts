import type { PersistentVolume, PersistentVolumeSpec } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { jsonEqual } from '#base/json.ts';
import { forbidden, invalid, notSupported, required } from '#kube/meta/field-error.ts';
import { tryParseQuantity } from '#kube/meta/quantity.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { dnsSubdomain, immutable, oneOf, requiredField } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { roundResources } from '../pod/container-defaults.ts';
import { nodeSelector } from '../pod/scheduling-rules.ts';
import { specDiff } from '../pod/spec-diff.ts';
import { defaultSharedSources } from '../pod/volume-defaults.ts';
import {
  csiDriverName,
  FORMAT,
  persistentSource,
  REQUIRED_OF_SOURCE,
  secondSource,
  sourcePath,
} from '../pod/volume-source-rules.ts';
import { accessModesText } from './access-modes.ts';
import { accessModeRules } from './claim-rules.ts';

export const persistentVolumes: ResourceDefinition = kind<PersistentVolume>(
  { group: '', version: 'v1', kind: 'PersistentVolume' },
  {
    shortNames: ['pv'],
    deleteReturnsObject: true,
    defaults: defaultPersistentVolume,
    validate: volumeRules,
    validateUpdate: volumeUpdate,
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

const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const satisfies readonly (keyof PersistentVolumeSpec)[];

function* volumeRules({ spec = {} }: Given<PersistentVolume>): Errors {
  const { accessModes = [], capacity = {}, persistentVolumeReclaimPolicy: policy } = spec;
  if (accessModes.length === 0) yield required('spec.accessModes');
  yield* accessModeRules(accessModes, 'spec.accessModes');
  const names = Object.keys(capacity);
  if (names.length === 0) yield required('spec.capacity');
  if (!names.includes('storage') || names.length > 1)
    yield notSupported('spec.capacity', spec.capacity ?? null, ['storage']);
  for (const [name, value = '0'] of Object.entries(capacity)) {
    if ((tryParseQuantity(value)?.nanos ?? 0n) <= 0n) {
      yield invalid(`spec.capacity[${name}]`, value, 'must be greater than zero');
    }
  }
  yield* oneOf(policy, ['Delete', 'Recycle', 'Retain'], 'spec.persistentVolumeReclaimPolicy');
  if (spec.nodeAffinity?.required) yield* nodeSelector(spec.nodeAffinity.required, 'spec.nodeAffinity.required');
  yield* sourceRules(spec);
  if (spec.hostPath?.path === '/' && policy === 'Recycle') {
    yield forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'");
  }
  if (spec.storageClassName) yield* dnsSubdomain(spec.storageClassName, 'spec.storageClassName');
  yield* oneOf(spec.volumeMode, ['Block', 'Filesystem'], 'spec.volumeMode');
  yield* attributesClassRules(spec);
}

function* attributesClassRules({ volumeAttributesClassName: name, csi }: Given<PersistentVolumeSpec>): Errors {
  if (name === undefined) return;
  if (name === '') yield required('spec.volumeAttributesClassName', 'an empty string is disallowed');
  else yield* dnsSubdomain(name, 'spec.volumeAttributesClassName');
  if (!csi) yield required('spec.csi', 'has to be specified when using volumeAttributesClassName');
}

function* sourceRules(spec: Given<PersistentVolumeSpec>): Errors {
  const [first, ...others] = SOURCES.filter((source) => spec[source] !== undefined);
  if (first === undefined) return yield required('spec', 'must specify a volume type');
  yield* requiredOf(spec, first);
  yield* persistentSource(spec, first, sourcePath('spec', first), FORMAT);
  if (first === 'csi') {
    yield* csiDriverName(spec.csi?.driver, 'spec.csi.driver');
    yield* requiredField(spec.csi?.volumeHandle, 'spec.csi.volumeHandle');
  }
  if (first === 'cinder' && spec.cinder?.secretRef) {
    yield* requiredField(spec.cinder.secretRef.name, 'spec.cinder.secretRef.name');
    yield* requiredField(spec.cinder.secretRef.namespace, 'spec.cinder.secretRef.namespace');
  }
  for (const other of others) {
    if (other === 'flexVolume') yield* requiredOf(spec, other);
    else yield secondSource('spec', other);
  }
  if (first === 'local' && !spec.nodeAffinity) {
    yield required('spec.nodeAffinity', 'Local volume requires node affinity');
  }
}

function* requiredOf(spec: Given<PersistentVolumeSpec>, source: (typeof SOURCES)[number]): Errors {
  for (const field of REQUIRED_OF_SOURCE[source] ?? []) {
    yield* requiredField((spec[source] as Record<string, unknown>)[field], `${sourcePath('spec', source)}.${field}`);
  }
}

function* volumeUpdate(volume: Given<PersistentVolume>, old: Given<PersistentVolume>): Errors {
  yield* volumeRules(volume);
  const source = (one: Given<PersistentVolume>) =>
    Object.fromEntries(SOURCES.map((name) => [name, one.spec?.[name]] as const).filter(([, value]) => value));
  if (!jsonEqual(source(volume), source(old))) {
    const rule = 'spec.persistentvolumesource is immutable after creation';
    yield forbidden('spec.persistentvolumesource', `${rule}\n${specDiff(source(old), source(volume))}`);
  }
  yield* immutable(volume.spec?.volumeMode, old.spec?.volumeMode, 'volumeMode');
  if (old.spec?.nodeAffinity) yield* immutable(volume.spec?.nodeAffinity, old.spec.nodeAffinity, 'nodeAffinity');
}
