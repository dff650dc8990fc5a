/** The advanced settings of an instance as the published API tells them: all of them, with what holds where none is set. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type DeschedulerTimeout,
  type DeschedulerTimeoutSchema,
  type FailoverTimeout,
  type FailoverTimeoutSchema,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { badRequest } from '#base/status-error.ts';
import { KARMADA_VERSION } from '#karmada/apis/index.ts';
import { type Descheduler, evictsAtOnce, type Failover, type InstanceSpec } from '../../instances/index.ts';
import { EVICTION_TIMEOUT_SECONDS } from '../../instances/embedded-flags.ts';

const FAILOVER_DEFAULTS = {
  failoverEvictionTimeout: EVICTION_TIMEOUT_SECONDS,
  clusterMonitorPeriod: 5,
  clusterStartupGracePeriod: 60,
  clusterMonitorGracePeriod: 40,
  gracefulEvictionTimeout: 600,
  clusterSuccessThreshold: 30,
  clusterFailureThreshold: 30,
} as const satisfies { readonly [K in keyof Required<Omit<Failover, 'enabled'>>]: number };

const DESCHEDULER_DEFAULTS = { deschedulingInterval: 120, unschedulableThreshold: 300 } as const;

export function failoverTold(spec: InstanceSpec): {
  enabled: boolean;
  timeout: MessageInitShape<typeof FailoverTimeoutSchema>;
} {
  const { enabled = false, ...times } = spec.failover ?? {};
  const told = { ...FAILOVER_DEFAULTS, ...times };
  return { enabled, timeout: seconds(evictsAtOnce(spec) ? { ...told, failoverEvictionTimeout: 0 } : told) };
}

/** The whole object is written: a time that is left out is the default again. */
export function failoverSet(spec: InstanceSpec, enabled: boolean, timeout: FailoverTimeout | undefined): Failover {
  const times = numbers(timeout, FAILOVER_DEFAULTS);
  if (times.failoverEvictionTimeout !== undefined && evictsAtOnce(spec))
    throw badRequest(
      `timeout.failoverEvictionTimeout: Karmada ${spec.karmadaVersion ?? KARMADA_VERSION} evicts at once from a cluster that is lost; policies say by clusterTolerations what stays, and for how long`,
    );
  return { enabled, ...times };
}

export function deschedulerTold({ descheduler }: InstanceSpec): {
  enabled: boolean;
  timeout: MessageInitShape<typeof DeschedulerTimeoutSchema>;
} {
  const { enabled = false, ...times } = descheduler ?? {};
  return { enabled, timeout: seconds({ ...DESCHEDULER_DEFAULTS, ...times }) };
}

/** Switched off it is not there at all, as in the community's resource. */
export function deschedulerSet(enabled: boolean, timeout: DeschedulerTimeout | undefined): Descheduler | undefined {
  return enabled ? { enabled, ...numbers(timeout, DESCHEDULER_DEFAULTS) } : undefined;
}

function seconds<K extends string>(times: Readonly<Record<K, number>>): Record<K, bigint> {
  return Object.fromEntries(Object.entries<number>(times).map(([name, value]) => [name, BigInt(value)])) as Record<
    K,
    bigint
  >;
}

function numbers<K extends string>(
  timeout: { readonly [Name in NoInfer<K>]: bigint } | undefined,
  defaults: Readonly<Record<K, number>>,
): { [Name in K]?: number } {
  const found: { [Name in K]?: number } = {};
  for (const name of Object.keys(defaults) as K[]) {
    const value = Number(timeout?.[name] ?? 0n);
    if (value < 0 || value > 999_999_999)
      throw badRequest(`timeout.${name}: must be between 0 and 999999999 seconds, found ${value}`);
    if (value > 0) found[name] = value;
  }
  return found;
}
