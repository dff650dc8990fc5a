/**
 * From the first operator's `install.karmada.io KarmadaDeployment` to the settings of an instance and back.
 *
 * What only the old resource knows is carried in `karmadaDeployment`, what only the new settings know in an annotation
 * of the old one: so a fleet can be moved, and moved back, without losing a word.
 */
import { draftOf, isObject, jsonEqual } from '#base/json.ts';
import { getAt, type Path, removeAt, setAt } from './at-path.ts';
import type { Settings, Storage } from './instance.ts';
import type { HostCluster } from './karmada.ts';

/** On a `KarmadaDeployment`: the settings of an instance that it has no words for, as JSON. */
export const SETTINGS_ANNOTATION = 'kairship.io/settings';

export interface KarmadaDeployment {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

type Spec = Record<string, unknown>;
type Draft = { -readonly [K in keyof Settings]: Settings[K] };

const VERSION: Path = ['images', 'karmadaVersion'];
const ENDPOINT: Path = ['controlPlane', 'endPointCfg', 'controlPlaneEndpoint'];
const HOST_SECRET: Path = ['controlPlane', 'endPointCfg', 'secretRef'];
const ETCD: Path = ['controlPlane', 'etcd'];

export function settingsOfDeployment({ spec, annotations }: KarmadaDeployment): Settings {
  const rest: Spec = draftOf(spec);
  const kept = annotations?.[SETTINGS_ANNOTATION];
  const found: Draft = kept === undefined ? {} : (JSON.parse(kept) as Settings);
  const version = getAt(rest, VERSION);
  if (typeof version === 'string') {
    found.karmadaVersion = version;
    removeAt(rest, VERSION);
  }
  const hostCluster = takeHost(rest);
  if (hostCluster) found.hostCluster = { ...hostCluster, ...found.hostCluster };
  const storage = storageOf(getAt(rest, ETCD));
  if (storage) {
    found.storage = storage;
    removeAt(rest, ETCD);
  }
  return { ...found, ...(Object.keys(rest).length > 0 ? { karmadaDeployment: rest } : {}) };
}

export function deploymentOf({ karmadaDeployment = {}, ...settings }: Settings): KarmadaDeployment {
  const spec: Spec = draftOf(karmadaDeployment);
  const { karmadaVersion, hostCluster, storage, ...unspoken } = settings;
  const left: Draft = { ...unspoken };
  if (karmadaVersion !== undefined) setAt(spec, VERSION, karmadaVersion);
  if (hostCluster) putHost(spec, hostCluster, left);
  const etcd = storage && etcdOf(storage);
  if (etcd) setAt(spec, ETCD, etcd);
  else if (storage) left.storage = storage;
  if (Object.keys(left).length === 0) return { spec };
  return { annotations: { [SETTINGS_ANNOTATION]: JSON.stringify(left) }, spec };
}

function takeHost(rest: Spec): HostCluster | undefined {
  const [apiEndpoint, secretRef] = [getAt(rest, ENDPOINT), getAt(rest, HOST_SECRET)];
  const found = {
    ...(typeof apiEndpoint === 'string' ? { apiEndpoint } : {}),
    ...(isObject(secretRef) ? { secretRef } : {}),
  } as unknown as HostCluster;
  if ('apiEndpoint' in found) removeAt(rest, ENDPOINT);
  if ('secretRef' in found) removeAt(rest, HOST_SECRET);
  return Object.keys(found).length > 0 ? found : undefined;
}

function putHost(spec: Spec, { apiEndpoint, secretRef, ...other }: HostCluster, left: Draft): void {
  if (apiEndpoint !== undefined) setAt(spec, ENDPOINT, apiEndpoint);
  if (secretRef !== undefined) setAt(spec, HOST_SECRET, secretRef);
  const unsaid = Object.keys(other).length > 0 || (apiEndpoint === undefined && secretRef === undefined);
  if (unsaid) left.hostCluster = other;
}

function etcdOf(storage: Storage): object | undefined {
  if (storage.type === 'emptyDir') return { storageMode: 'emptyDir' };
  if (storage.type !== 'pvc') return undefined;
  const { size, storageClass } = storage;
  return { storageMode: 'PVC', size, ...(storageClass === undefined ? {} : { storageClass }) };
}

function storageOf(etcd: unknown): Storage | undefined {
  if (!isObject(etcd)) return undefined;
  const { storageMode, size, storageClass } = etcd;
  const storage: Storage | undefined =
    storageMode === 'emptyDir'
      ? { type: 'emptyDir' }
      : storageMode === 'PVC' && typeof size === 'string'
        ? { type: 'pvc', size, ...(typeof storageClass === 'string' ? { storageClass } : {}) }
        : undefined;
  return storage && jsonEqual(etcdOf(storage), etcd) ? storage : undefined;
}
