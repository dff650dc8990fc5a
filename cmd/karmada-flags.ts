/** What the flags of `kairship karmada` mean to the engine. Named, written and defaulted as Karmada v1.18 has them. */
import { DEFAULT_GRACE } from '#karmada/cluster/heartbeat.ts';
import { chosenControllers, CONTROLLERS, OFF_BY_DEFAULT } from '#karmada/engine/controller-names.ts';
import type { EngineOptions } from '#karmada/engine/index.ts';
import { CommandFailure, EXIT } from './cli/failure.ts';

export interface EngineFlags {
  readonly controllers: string;
  readonly featureGates: readonly string[];
  readonly skippedPropagatingNamespaces?: string;
  readonly clusterStatusUpdateFrequency?: number;
  readonly clusterSuccessThreshold?: number;
  readonly clusterFailureThreshold?: number;
  readonly clusterMonitorPeriod?: number;
  readonly clusterMonitorGracePeriod?: number;
  readonly clusterStartupGracePeriod?: number;
  readonly enableNoExecuteTaintEviction?: boolean;
  readonly noExecuteTaintEvictionPurgeMode?: 'Gracefully' | 'Directly';
  readonly resourceEvictionRate?: number;
  readonly failoverEvictionTimeout?: number;
  readonly gracefulEvictionTimeout?: number;
  readonly evictLastCopy?: boolean;
  readonly horizontalPodAutoscalerSyncPeriod?: number;
  readonly horizontalPodAutoscalerTolerance?: number;
  readonly horizontalPodAutoscalerDownscaleStabilization?: number;
  readonly horizontalPodAutoscalerCpuInitializationPeriod?: number;
  readonly horizontalPodAutoscalerInitialReadinessDelay?: number;
}

export type EngineSettings = Pick<
  EngineOptions,
  | 'disabled'
  | 'enabled'
  | 'preemption'
  | 'failover'
  | 'autoscaling'
  | 'clusterStatus'
  | 'heartbeat'
  | 'skippedNamespaces'
>;

/** Gates that can be turned here, with their defaults. */
export const GATES = {
  Failover: false,
  PropagationPolicyPreemption: false,
  PropagateDeps: true,
  StatefulFailoverInjection: false,
} as const;

/** Gates of Karmada whose default is all there is here. */
export const FIXED_GATES: Readonly<Record<string, boolean>> = {
  ContextualLogging: true,
  ControllerPriorityQueue: true,
  CustomizedClusterResourceModeling: true,
  FederatedQuotaEnforcement: false,
  GracefulEviction: true,
  LoggingAlphaOptions: false,
  LoggingBetaOptions: true,
  MultiClusterService: false,
  MultiplePodTemplatesScheduling: false,
  PriorityBasedScheduling: false,
  ResourceQuotaEstimate: false,
  SchedulingOvercommitProtection: false,
  WorkloadAffinity: false,
};

/** Throws a usage failure that names what would be valid. */
export function engineSettings(flags: EngineFlags): EngineSettings {
  const gates = gatesOf(flags.featureGates);
  const { disabled, enabled } = controllersOf(flags.controllers);
  const dependencies = gates.PropagateDeps ? [] : (['dependencies'] as const);
  return {
    disabled: [...disabled, ...dependencies],
    enabled,
    preemption: gates.PropagationPolicyPreemption,
    failover: defined({
      enabled: gates.Failover,
      statefulInjection: gates.StatefulFailoverInjection,
      noExecuteTaintEviction: flags.enableNoExecuteTaintEviction,
      purgeMode: flags.noExecuteTaintEvictionPurgeMode,
      evictionRate: flags.resourceEvictionRate,
      evictionTimeoutMs: flags.failoverEvictionTimeout,
      gracefulEvictionTimeoutMs: flags.gracefulEvictionTimeout,
      evictLastCopy: flags.evictLastCopy,
    }),
    autoscaling: defined({
      syncPeriodMs: flags.horizontalPodAutoscalerSyncPeriod,
      tolerance: flags.horizontalPodAutoscalerTolerance,
      downscaleStabilizationMs: flags.horizontalPodAutoscalerDownscaleStabilization,
      cpuInitializationMs: flags.horizontalPodAutoscalerCpuInitializationPeriod,
      initialReadinessMs: flags.horizontalPodAutoscalerInitialReadinessDelay,
    }),
    clusterStatus: {
      ...defined({ everyMs: flags.clusterStatusUpdateFrequency }),
      thresholds: {
        successMs: flags.clusterSuccessThreshold ?? DEFAULT_THRESHOLD_MS,
        failureMs: flags.clusterFailureThreshold ?? DEFAULT_THRESHOLD_MS,
      },
    },
    heartbeat: {
      ...defined({ everyMs: flags.clusterMonitorPeriod }),
      grace: {
        startupMs: flags.clusterStartupGracePeriod ?? DEFAULT_GRACE.startupMs,
        monitorMs: flags.clusterMonitorGracePeriod ?? DEFAULT_GRACE.monitorMs,
      },
    },
    ...(flags.skippedPropagatingNamespaces === undefined
      ? {}
      : { skippedNamespaces: patternsOf(flags.skippedPropagatingNamespaces) }),
  };
}

const DEFAULT_THRESHOLD_MS = 30_000;

function controllersOf(list: string) {
  const choice = chosenControllers(list);
  if (!('unknown' in choice)) return choice;
  throw new CommandFailure(`--controllers: no controller is called ${quoted(choice.unknown)}`, {
    why: `the controllers are ${CONTROLLERS.join(', ')}; off by default: ${OFF_BY_DEFAULT.join(', ')}`,
    next: 'kairship karmada --help',
    code: EXIT.usage,
  });
}

function gatesOf(given: readonly string[]): Readonly<Record<keyof typeof GATES, boolean>> {
  const gates: Record<string, boolean> = { ...GATES };
  for (const setting of given.flatMap((text) => text.split(',')).filter((text) => text.trim() !== '')) {
    const [name = '', value = ''] = setting.trim().split('=');
    const wanted = { true: true, false: false }[value.toLowerCase()];
    if (wanted === undefined) throw unusable(setting, 'a gate is written as Name=true or Name=false');
    if (Object.hasOwn(GATES, name)) gates[name] = wanted;
    else if (!Object.hasOwn(FIXED_GATES, name)) throw unusable(setting, `the feature gates are ${gateNames()}`);
    else if (FIXED_GATES[name] !== wanted) throw unusable(setting, `${name} is always ${FIXED_GATES[name]} here`);
  }
  return gates as Record<keyof typeof GATES, boolean>;
}

function gateNames(): string {
  return [...Object.keys(GATES), ...Object.keys(FIXED_GATES)].sort().join(', ');
}

function unusable(setting: string, why: string): CommandFailure {
  return new CommandFailure(`--feature-gates: ${setting} cannot be used`, {
    why,
    next: 'kairship karmada --help',
    code: EXIT.usage,
  });
}

/** As upstream each is the whole name of a namespace, as a regular expression. */
function patternsOf(list: string): readonly RegExp[] {
  return list.split(',').map((pattern) => {
    try {
      return new RegExp(`^${pattern.trim()}$`);
    } catch (cause) {
      throw new CommandFailure(`--skipped-propagating-namespaces: ${pattern} is no regular expression`, {
        why: 'each entry matches whole names of namespaces',
        next: 'for example: --skipped-propagating-namespaces "kube-.*,team-.*"',
        code: EXIT.usage,
        cause,
      });
    }
  });
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function defined<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<T>;
}
