/** Rules of volume sources that pods and persistent volumes share. */
import type { CSIVolumeSource, PersistentVolumeSpec, Volume } from '#gen/kube/types.ts';
import { type FieldError, forbidden, invalid, invalidAll, required, tooLong } from '#kube/meta/field-error.ts';
import { dnsSubdomainProblems, rangeProblem } from '#kube/meta/names.ts';
import { noBacksteps, oneOf } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

/** What a source cannot do without. */
export const REQUIRED_OF_SOURCE: Readonly<Record<string, readonly string[] | undefined>> = {
  hostPath: ['path'],
  gitRepo: ['repository'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  secret: ['secretName'],
  nfs: ['server', 'path'],
  iscsi: ['targetPortal', 'iqn'],
  glusterfs: ['endpoints', 'path'],
  persistentVolumeClaim: ['claimName'],
  rbd: ['monitors', 'image'],
  cinder: ['volumeID'],
  cephfs: ['monitors'],
  quobyte: ['registry', 'volume'],
  flexVolume: ['driver'],
  configMap: ['name'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  storageos: ['volumeName'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  local: ['path'],
};

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Where Kubernetes tells of a source under another name than its own. */
export function sourcePath(path: string, source: string): string {
  return `${path}.${source === 'gcePersistentDisk' ? 'persistentDisk' : source}`;
}

/** A volume has one source; the others are told as more than one. */
export function secondSource(path: string, source: string): FieldError {
  return forbidden(`${path}.${source === 'cephfs' ? 'cephFS' : source}`, 'may not specify more than 1 volume type');
}

type Source = Pick<
  Given<Volume & PersistentVolumeSpec>,
  'hostPath' | 'nfs' | 'iscsi' | 'local' | 'gcePersistentDisk' | 'awsElasticBlockStore'
>;

export const FORMAT = 'must be valid format';
const STARTING = `${FORMAT} starting with iqn, eui, or naa`;

/** Paths and numbers of the sources that have any. */
export function* persistentSource(volume: Source, source: string, path: string, format = STARTING): Errors {
  const { hostPath, nfs, iscsi, local } = volume;
  if (source === 'hostPath' && hostPath?.path) {
    yield* noBacksteps(hostPath.path, `${path}.path`);
    yield* oneOf(hostPath.type, HOST_PATH_TYPES, `${path}.type`);
  }
  if (source === 'local' && local?.path) yield* noBacksteps(local.path, `${path}.path`);
  if (source === 'nfs' && !nfs?.path?.startsWith('/')) {
    yield invalid(`${path}.path`, nfs?.path ?? '', 'must be an absolute path');
  }
  if (source === 'iscsi' && iscsi) yield* iscsiSource(iscsi, path, format);
  if (source === 'gcePersistentDisk' || source === 'awsElasticBlockStore') {
    const { partition = 0 } = volume[source] ?? {};
    if (partition < 0 || partition > 255) yield invalid(`${path}.partition`, partition, rangeProblem(1, 255));
  }
}

const INITIATORS = [
  /^iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/,
  /^eui\.[A-Za-z0-9]{16}$/,
  /^naa\.[A-Za-z0-9]{32}$/,
];

function* iscsiSource(source: NonNullable<Source['iscsi']>, path: string, format: string): Errors {
  const { iqn = '', lun = 0, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  if (iqn !== '') yield* initiator(iqn, `${path}.iqn`, format);
  if (lun < 0 || lun > 255) yield invalid(`${path}.lun`, lun, rangeProblem(0, 255));
  if ((chapAuthDiscovery || chapAuthSession) && !secretRef) yield required(`${path}.secretRef`);
  if (initiatorName !== undefined) yield* initiator(initiatorName, `${path}.initiatorname`, format);
}

function* initiator(name: string, path: string, format: string): Errors {
  if (!/^(iqn|eui|naa)/.test(name)) yield invalid(path, name, format);
  else if (!INITIATORS.some((format) => format.test(name))) yield invalid(path, name, FORMAT);
}

export function* csiDriverName(driver: string | undefined, path: string): Errors {
  if (!driver) return yield required(path);
  if (driver.length > 63) yield tooLong(path, 63);
  yield* invalidAll(path, driver, dnsSubdomainProblems(driver.toLowerCase()));
}

export function* csiSource({ driver, nodePublishSecretRef }: Given<CSIVolumeSource>, path: string): Errors {
  yield* csiDriverName(driver, `${path}.driver`);
  if (nodePublishSecretRef && !nodePublishSecretRef.name) yield required(`${path}.nodePublishSecretRef.name`);
}
