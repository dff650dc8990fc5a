/** How failover behaves; everything has Karmada's default, so that nothing moves by itself until somebody asks for it. */
export interface FailoverOptions {
  /** Feature gate Failover: ClusterTaintPolicies and the taint manager run at all. Default: no. */
  readonly enabled?: boolean;
  /** `--enable-no-execute-taint-eviction`: taints with effect NoExecute drive workloads out. Default: no. */
  readonly noExecuteTaintEviction?: boolean;
  /** `--no-execute-taint-eviction-purge-mode`, for policies that do not say. Default: Gracefully. */
  readonly purgeMode?: 'Gracefully' | 'Directly';
  /** `--resource-eviction-rate`: how many bindings are evicted in a second; 0 stops all but one in half an hour. Default: 0.5. */
  readonly evictionRate?: number;
  /**
   * `--failover-eviction-timeout`, of Karmada up to 1.13: how long the taint of a cluster that is not ready, or cannot be
   * reached, is tolerated by policies that do not say. Default: not at all, as in later ones.
   */
  readonly evictionTimeoutMs?: number;
  /** `--graceful-eviction-timeout`, for tasks without a grace period of their own. Default: ten minutes. */
  readonly gracefulEvictionTimeoutMs?: number;
  /** Feature gate StatefulFailoverInjection: status is carried along as labels. Default: no. */
  readonly statefulInjection?: boolean;
  /**
   * Whether the last copy of a workload goes when nothing else fits, as in Karmada (karmada#7455). Default: no. The
   * annotation {@link EVICT_LAST_COPY} of a template or binding, `"true"` or `"false"`, has the last word.
   */
  readonly evictLastCopy?: boolean;
}

export const FAILOVER_DEFAULTS = {
  enabled: false,
  noExecuteTaintEviction: false,
  purgeMode: 'Gracefully',
  evictionRate: 0.5,
  evictionTimeoutMs: 0,
  gracefulEvictionTimeoutMs: 600_000,
  statefulInjection: false,
  evictLastCopy: false,
} as const satisfies Required<FailoverOptions>;

export const EVICT_LAST_COPY = 'failover.kairship.io/evict-last-copy';
