/** From a `Karmada` to how our own engine is started: which of its wishes are flags, and which cannot be fulfilled. */
import { getAt, type Json } from './at-path.ts';
import { isObject } from '#base/json.ts';
import type { KarmadaSpec } from './karmada.ts';

export interface EmbeddedFlags {
  readonly flags: readonly string[];
  /** What the resource asks for and an embedded instance does not have, each said so that a person understands it. */
  readonly unmet: readonly string[];
}

/** Flags of Karmada's controller manager that our engine has under the same name. */
export const ENGINE_FLAGS: readonly string[] = [
  'cluster-failure-threshold',
  'cluster-monitor-grace-period',
  'cluster-monitor-period',
  'cluster-startup-grace-period',
  'cluster-status-update-frequency',
  'cluster-success-threshold',
  'enable-no-execute-taint-eviction',
  'failover-eviction-timeout',
  'graceful-eviction-timeout',
  'horizontal-pod-autoscaler-cpu-initialization-period',
  'horizontal-pod-autoscaler-downscale-stabilization',
  'horizontal-pod-autoscaler-initial-readiness-delay',
  'horizontal-pod-autoscaler-sync-period',
  'horizontal-pod-autoscaler-tolerance',
  'no-execute-taint-eviction-purge-mode',
  'resource-eviction-rate',
  'skipped-propagating-namespaces',
];

/** Components an embedded instance has as parts of its one process, and that need no wish to be there. */
const PRESENT: readonly string[] = [
  'etcd',
  'karmadaAPIServer',
  'karmadaAggregatedAPIServer',
  'karmadaControllerManager',
  'karmadaMetricsAdapter',
  'karmadaScheduler',
  'karmadaWebhook',
  'kubeControllerManager',
];

/** How long a lost cluster is waited for where nobody says, as the published API tells. */
export const EVICTION_TIMEOUT_SECONDS = 30;

export function embeddedFlags(spec: KarmadaSpec): EmbeddedFlags {
  const manager = spec.components?.['karmadaControllerManager'] ?? {};
  const gates = { ...spec.featureGates, ...manager.featureGates };
  const args = Object.entries(manager.extraArgs ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const controllers = manager['controllers'];
  // Whoever lets taints evict may also say by a policy which clusters are tainted.
  const mayEvict = manager.extraArgs?.['enable-no-execute-taint-eviction'] === 'true';
  const flags = [
    ...(mayEvict ? ['--allow-no-execute-taint-policy=true'] : []),
    ...(mayEvict && manager.extraArgs?.['failover-eviction-timeout'] === undefined
      ? [`--failover-eviction-timeout=${EVICTION_TIMEOUT_SECONDS}s`]
      : []),
    ...args.filter(([name]) => ENGINE_FLAGS.includes(name)).map(([name, value]) => `--${name}=${value}`),
    ...(Object.keys(gates).length > 0 ? [`--feature-gates=${gatesText(gates)}`] : []),
    ...(Array.isArray(controllers) && controllers.length > 0 ? [`--controllers=${controllers.join(',')}`] : []),
  ];
  const unknown = args.filter(([name]) => !ENGINE_FLAGS.includes(name)).map(([name]) => `the flag --${name}`);
  return { flags, unmet: [...unknown, ...unmetComponents(spec.components ?? {})] };
}

function gatesText(gates: Readonly<Record<string, boolean>>): string {
  return Object.entries(gates)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, on]) => `${name}=${on}`)
    .join(',');
}

function unmetComponents(components: Json): readonly string[] {
  const absent = Object.keys(components)
    .filter((name) => !PRESENT.includes(name) && isObject(components[name]))
    .map((name) => `the component ${name}`);
  return getAt(components, ['etcd', 'external']) === undefined ? absent : [...absent, 'an external etcd'];
}
