/**
 * Each setting of an instance and its place in the community's `Karmada`, both ways.
 *
 * A setting takes its place only where putting it back would give the same again; whatever it does not understand stays
 * where it is, and is carried along. So converting there and back loses nothing, on either side.
 */
import { isObject, jsonEqual } from '#base/json.ts';
import { getAt, type Json, type Path, removeAt, setAt } from './at-path.ts';
import type { Descheduler, Failover, Settings, Storage } from './instance.ts';
import type { HostCluster, SecretRef } from './karmada.ts';

type Spec = Record<string, unknown>;

interface Setting<T> {
  /** Takes the value out of a `Karmada` spec, if it is there in the form `put` would give it. */
  readonly take: (spec: Spec) => T | undefined;
  readonly put: (spec: Spec, value: T) => void;
}

type Named = {
  readonly [K in Exclude<keyof Settings, 'karmada' | 'karmadaDeployment'>]-?: Setting<NonNullable<Settings[K]>>;
};

export const settings: Named = {
  karmadaVersion: { take: takeVersion, put: putVersion },
  hostCluster: whole<HostCluster>(['hostCluster'], isObject),
  storage: { take: takeStorage, put: putStorage },
  featureGates: whole<Readonly<Record<string, boolean>>>(['featureGates'], isObject),
  failover: { take: takeFailover, put: putFailover },
  descheduler: { take: takeDescheduler, put: putDescheduler },
  metricsAdapter: { take: takeMetricsAdapter, put: (spec) => ensure(spec, METRICS_ADAPTER) },
  suspend: whole<boolean>(['suspend'], (value) => typeof value === 'boolean'),
};

const METRICS_ADAPTER: Path = ['components', 'karmadaMetricsAdapter'];
const DESCHEDULER: Path = ['components', 'karmadaDescheduler'];
const MANAGER: Path = ['components', 'karmadaControllerManager'];
const ETCD: Path = ['components', 'etcd'];

/** A value that stands in one place as it is. */
function whole<T>(path: Path, fits: (value: unknown) => boolean): Setting<T> {
  return {
    take(spec) {
      const value = getAt(spec, path);
      if (!fits(value) || (isObject(value) && Object.keys(value).length === 0)) return undefined;
      removeAt(spec, path);
      return value as T;
    },
    put: (spec, value) => setAt(spec, path, value),
  };
}

/** A control plane has one version: the tag of the images that are Karmada's own. */
const OWN_IMAGES = [
  'karmadaAggregatedAPIServer',
  'karmadaControllerManager',
  'karmadaScheduler',
  'karmadaWebhook',
] as const;

function takeVersion(spec: Spec): string | undefined {
  const paths = OWN_IMAGES.map((name): Path => ['components', name, 'imageTag']);
  const [first, ...others] = paths.map((path) => getAt(spec, path));
  if (typeof first !== 'string' || others.some((tag) => tag !== first)) return undefined;
  for (const path of paths) removeAt(spec, path);
  return first;
}

function putVersion(spec: Spec, version: string): void {
  for (const name of OWN_IMAGES) setAt(spec, ['components', name, 'imageTag'], version);
}

function takeStorage(spec: Spec): Storage | undefined {
  const external = getAt(spec, [...ETCD, 'external']);
  const found = isObject(external) ? externalStorage(external) : volumeStorage(getAt(spec, VOLUME));
  if (!found) return undefined;
  const { path, value } = placeOf(found);
  if (!jsonEqual(value, getAt(spec, path))) return undefined;
  removeAt(spec, path);
  return found;
}

function putStorage(spec: Spec, storage: Storage): void {
  const { path, value } = placeOf(storage);
  setAt(spec, path, value);
}

const VOLUME: Path = [...ETCD, 'local', 'volumeData'];

function placeOf(storage: Storage): { readonly path: Path; readonly value: Json } {
  switch (storage.type) {
    case 'emptyDir':
      return { path: VOLUME, value: { emptyDir: {} } };
    case 'hostPath':
      return { path: VOLUME, value: { hostPath: { path: storage.path } } };
    case 'pvc':
      return { path: VOLUME, value: { volumeClaim: claimOf(storage) } };
    case 'external':
      return { path: [...ETCD, 'external'], value: { endpoints: storage.endpoints, secretRef: storage.secretRef } };
  }
}

function claimOf({ size, storageClass }: Extract<Storage, { type: 'pvc' }>): Json {
  return {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: size } },
      ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
    },
  };
}

function volumeStorage(volume: unknown): Storage | undefined {
  if (!isObject(volume)) return undefined;
  if (isObject(volume['emptyDir'])) return { type: 'emptyDir' };
  const path = getAt(volume, ['hostPath', 'path']);
  if (typeof path === 'string') return { type: 'hostPath', path };
  const size = getAt(volume, ['volumeClaim', 'spec', 'resources', 'requests', 'storage']);
  if (typeof size !== 'string') return undefined;
  const storageClass = getAt(volume, ['volumeClaim', 'spec', 'storageClassName']);
  return { type: 'pvc', size, ...(typeof storageClass === 'string' ? { storageClass } : {}) };
}

function externalStorage({ endpoints, secretRef }: Spec): Storage | undefined {
  if (!Array.isArray(endpoints) || !isObject(secretRef)) return undefined;
  return { type: 'external', endpoints: endpoints as readonly string[], secretRef: secretRef as unknown as SecretRef };
}

/** Settings of failover that are flags of Karmada's controller manager. */
const FAILOVER_FLAGS = {
  clusterSuccessThreshold: 'cluster-success-threshold',
  clusterFailureThreshold: 'cluster-failure-threshold',
  clusterStartupGracePeriod: 'cluster-startup-grace-period',
  clusterMonitorPeriod: 'cluster-monitor-period',
  clusterMonitorGracePeriod: 'cluster-monitor-grace-period',
  gracefulEvictionTimeout: 'graceful-eviction-timeout',
  // Known to Karmada up to 1.13, and to our own engine: see `karmadaOf`.
  failoverEvictionTimeout: 'failover-eviction-timeout',
} as const satisfies { readonly [K in Exclude<keyof Failover, 'enabled'>]-?: string };

const DESCHEDULER_FLAGS = {
  deschedulingInterval: 'descheduling-interval',
  unschedulableThreshold: 'unschedulable-threshold',
} as const satisfies { readonly [K in Exclude<keyof Descheduler, 'enabled'>]-?: string };

/** Work leaves a lost cluster only where both say so: the feature, and the answer to the taint of a lost cluster. */
const FAILOVER_GATE: Path = [...MANAGER, 'featureGates', 'Failover'];
const EVICTION_FLAG: Path = [...MANAGER, 'extraArgs', 'enable-no-execute-taint-eviction'];

function takeFailover(spec: Spec): Failover | undefined {
  const enabled = getAt(spec, FAILOVER_GATE);
  const agreed = typeof enabled === 'boolean' && getAt(spec, EVICTION_FLAG) === String(enabled);
  if (agreed) for (const path of [FAILOVER_GATE, EVICTION_FLAG]) removeAt(spec, path);
  const found = {
    ...(agreed ? { enabled } : {}),
    ...takeSeconds(spec, MANAGER, FAILOVER_FLAGS),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

function putFailover(spec: Spec, { enabled, ...times }: Failover): void {
  if (enabled !== undefined) {
    setAt(spec, FAILOVER_GATE, enabled);
    setAt(spec, EVICTION_FLAG, String(enabled));
  }
  putSeconds(spec, MANAGER, FAILOVER_FLAGS, times);
}

function takeDescheduler(spec: Spec): Descheduler | undefined {
  if (!isObject(getAt(spec, DESCHEDULER))) return undefined;
  const times = takeSeconds(spec, DESCHEDULER, DESCHEDULER_FLAGS);
  removeIfEmpty(spec, DESCHEDULER);
  return { enabled: true, ...times };
}

function putDescheduler(spec: Spec, descheduler: Descheduler): void {
  ensure(spec, DESCHEDULER);
  putSeconds(spec, DESCHEDULER, DESCHEDULER_FLAGS, descheduler);
}

/** The component is there because it is wanted; what else is said of it stays. */
function takeMetricsAdapter(spec: Spec): { readonly enabled: true } | undefined {
  if (!isObject(getAt(spec, METRICS_ADAPTER))) return undefined;
  removeIfEmpty(spec, METRICS_ADAPTER);
  return { enabled: true };
}

function ensure(spec: Spec, path: Path): void {
  if (!isObject(getAt(spec, path))) setAt(spec, path, {});
}

function removeIfEmpty(spec: Spec, path: Path): void {
  const value = getAt(spec, path);
  if (isObject(value) && Object.keys(value).length === 0) removeAt(spec, path);
}

function takeSeconds<K extends string>(
  spec: Spec,
  component: Path,
  flags: Readonly<Record<K, string>>,
): Partial<Record<K, number>> {
  const found: Partial<Record<K, number>> = {};
  for (const [name, flag] of Object.entries<string>(flags)) {
    const path: Path = [...component, 'extraArgs', flag];
    const seconds = /^(0|[1-9]\d{0,8})s$/.exec(String(getAt(spec, path)))?.[1];
    if (seconds === undefined) continue;
    found[name as K] = Number(seconds);
    removeAt(spec, path);
  }
  return found;
}

function putSeconds<K extends string>(
  spec: Spec,
  component: Path,
  flags: Readonly<Record<K, string>>,
  times: { readonly [Name in NoInfer<K>]?: number },
): void {
  for (const [name, flag] of Object.entries<string>(flags)) {
    const value = times[name as K];
    if (value !== undefined) setAt(spec, [...component, 'extraArgs', flag], `${value}s`);
  }
}
