/** The volumes of a pod: one source each, and what each source cannot do without. */
import type { DownwardAPIVolumeFile, KeyToPath, ProjectedVolumeSource, Volume } from '#gen/kube/types.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '#kube/meta/field-error.ts';
import { tryParseQuantity } from '#kube/meta/quantity.ts';
import { dnsLabel, fileMode, localPath, oneOf, requiredField } from '../checks.ts';
import { claimSpec } from '../core/claim-rules.ts';
import type { Errors, Given } from '../kind.ts';
import { fieldReference, resourceReference } from './env-rules.ts';
import { csiSource, persistentSource, REQUIRED_OF_SOURCE, secondSource, sourcePath } from './volume-source-rules.ts';

/** Volumes by name, for mounts to refer to; those with errors are left out, as Kubernetes leaves them. */
export type KnownVolumes = ReadonlyMap<string, Given<Volume>>;

export function checkVolumes(
  volumes: readonly Given<Volume>[],
  path: string,
): { readonly known: KnownVolumes; readonly errors: readonly FieldError[] } {
  const known = new Map<string, Given<Volume>>();
  const errors: FieldError[] = [];
  for (const [at, volume] of volumes.entries()) {
    const { name = '' } = volume;
    const own = [...volumeSource(volume, `${path}[${at}]`), ...volumeName(name, `${path}[${at}].name`)];
    if (known.has(name)) own.push(duplicate(`${path}[${at}].name`, name));
    if (own.length === 0) known.set(name, volume);
    errors.push(...own);
  }
  return { known, errors };
}

function* volumeName(name: string, path: string): Errors {
  if (name === '') yield required(path);
  else yield* dnsLabel(name, path);
}

/** In the order in which Kubernetes looks at them: the first is the volume's, any other is one too many. */
const SOURCES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const satisfies readonly (keyof Volume)[];

function* volumeSource(volume: Given<Volume>, path: string): Errors {
  const [first, ...others] = SOURCES.filter((source) => volume[source] !== undefined);
  if (first === undefined) yield required(path, 'must specify a volume type');
  else yield* sourceRules(volume, first, sourcePath(path, first));
  for (const other of others) yield secondSource(path, other);
}

function* sourceRules(volume: Given<Volume>, source: (typeof SOURCES)[number], path: string): Errors {
  for (const field of REQUIRED_OF_SOURCE[source] ?? []) {
    yield* requiredField((volume[source] as Record<string, unknown>)[field], `${path}.${field}`);
  }
  const { emptyDir, secret, configMap, downwardAPI, projected, csi, ephemeral, image } = volume;
  if (source === 'emptyDir' && (tryParseQuantity(emptyDir?.sizeLimit ?? '0')?.nanos ?? 0n) < 0n) {
    yield forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
  }
  if (source === 'secret' && secret) yield* keyedFiles(secret.defaultMode, secret.items, path);
  if (source === 'configMap' && configMap) yield* keyedFiles(configMap.defaultMode, configMap.items, path);
  if (source === 'downwardAPI' && downwardAPI) {
    yield* fileMode(downwardAPI.defaultMode, `${path}.defaultMode`);
    for (const file of downwardAPI.items ?? []) yield* downwardFile(file, path);
  }
  if (source === 'projected' && projected) yield* projectedSources(projected, path);
  if (source === 'csi' && csi) yield* csiSource(csi, path);
  if (source === 'ephemeral') yield* claimTemplate(ephemeral?.volumeClaimTemplate, `${path}.volumeClaimTemplate`);
  if (source === 'image') yield* oneOf(image?.pullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.pullPolicy`);
  yield* persistentSource(volume, source, path);
}

function* claimTemplate(
  template: NonNullable<Given<Volume>['ephemeral']>['volumeClaimTemplate'],
  path: string,
): Errors {
  if (!template) yield required(path);
  else yield* claimSpec(template.spec ?? {}, `${path}.spec`);
}

function* keyedFiles(mode: number | undefined, items: readonly Given<KeyToPath>[] | undefined, path: string): Errors {
  yield* fileMode(mode, `${path}.defaultMode`);
  for (const [at, item] of (items ?? []).entries()) yield* keyToPath(item, `${path}.items[${at}]`);
}

function* keyToPath({ key, path = '', mode }: Given<KeyToPath>, at: string): Errors {
  yield* requiredField(key, `${at}.key`);
  yield* requiredField(path, `${at}.path`);
  yield* localPath(path, `${at}.path`);
  yield* fileMode(mode, `${at}.mode`);
}

function* downwardFile(file: Given<DownwardAPIVolumeFile>, at: string): Errors {
  const { path = '', fieldRef, resourceFieldRef, mode } = file;
  yield* requiredField(path, `${at}.path`);
  yield* localPath(path, `${at}.path`);
  if (fieldRef) yield* fieldReference(fieldRef, `${at}.fieldRef`);
  if (fieldRef && resourceFieldRef) {
    yield invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (resourceFieldRef) yield* resourceReference(resourceFieldRef, `${at}.resourceFieldRef`, true);
  else if (!fieldRef) yield required(at, 'one of fieldRef and resourceFieldRef is required');
  yield* fileMode(mode, `${at}.mode`);
}

const TEN_MINUTES = 600;

function* projectedSources(projected: Given<ProjectedVolumeSource>, path: string): Errors {
  yield* fileMode(projected.defaultMode, `${path}.defaultMode`);
  const paths = new Set<string>();
  for (const [at, source] of (projected.sources ?? []).entries()) {
    const own = `${path}.sources[${at}]`;
    for (const kind of ['secret', 'configMap'] as const) {
      const { name, items } = source[kind] ?? {};
      if (!source[kind]) continue;
      yield* requiredField(name, `${own}.${kind}.name`);
      for (const [index, item] of (items ?? []).entries()) {
        yield* keyToPath(item, `${own}.${kind}.items[${index}]`);
        yield* uniquePath(item.path, name ?? '', paths, path);
      }
    }
    for (const file of source.downwardAPI?.items ?? []) {
      yield* downwardFile(file, `${own}.downwardAPI`);
      yield* uniquePath(file.path, file.path ?? '', paths, path);
    }
    if (source.serviceAccountToken) yield* accountToken(source.serviceAccountToken, own, path);
    if (Object.keys(source).length > 1) yield forbidden(own, 'may not specify more than 1 volume type per source');
  }
}

function* uniquePath(file: string | undefined, shown: string, paths: Set<string>, path: string): Errors {
  if (!file) return;
  if (paths.has(file)) yield invalid(path, shown, 'conflicting duplicate paths');
  paths.add(file);
}

type TokenProjection = NonNullable<NonNullable<Given<ProjectedVolumeSource>['sources']>[number]['serviceAccountToken']>;

function* accountToken({ expirationSeconds = 0, path: file = '' }: TokenProjection, own: string, path: string): Errors {
  const at = `${own}.serviceAccountToken.expirationSeconds`;
  if (expirationSeconds < TEN_MINUTES)
    yield invalid(at, expirationSeconds, 'may not specify a duration less than 10 minutes');
  if (expirationSeconds > 2 ** 32)
    yield invalid(at, expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
  yield* requiredField(file, `${path}.path`);
  yield* localPath(file, `${path}.path`);
}
