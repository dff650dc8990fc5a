/**
 * Moves applications away from clusters where they stay unhealthy (`application-failover.ts`), as their policy asks.
 *
 * Acts only on bindings with `failover.application` and `propagateDeps`, of kinds whose health can be told. Since when a
 * copy is unhealthy is remembered here and not written anywhere: a restart begins to count anew, as in Karmada.
 */
import type { Clock } from '#base/clock.ts';
import {
  type AnyBinding,
  type ApplicationFailoverBehavior,
  CLUSTER,
  CLUSTER_RESOURCE_BINDING,
  EVICTION,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import type { Templates } from '#karmada/detector/index.ts';
import type { EventRecorders } from '#karmada/events/index.ts';
import type { ResourceInterpreter } from '#karmada/interpreter/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { detectFailures, purgeOf, type UnhealthySince } from './application-failover.ts';
import { bindingsOf } from './bindings.ts';
import type { EvictionCause } from './evict-cluster.ts';
import { evictionWriter } from './eviction-writer.ts';
import { FAILOVER_DEFAULTS, type FailoverOptions } from './options.ts';
import { preservedLabelState } from './preserved-state.ts';

export interface ApplicationFailoverDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Pick<Templates, 'cached'>;
  readonly interpreter: Pick<ResourceInterpreter, 'handles'>;
  readonly events: EventRecorders;
  readonly clock: Clock;
  readonly options?: FailoverOptions;
}

const PRODUCERS = {
  ResourceBinding: 'resource-binding-application-failover-controller',
  ClusterResourceBinding: 'cluster-resource-binding-application-failover-controller',
} as const;
const NEVER_SEEN: UnhealthySince = new Map();

export function applicationFailoverController(deps: ApplicationFailoverDeps): Controller {
  const { informers, interpreter, clock } = deps;
  const options = { ...FAILOVER_DEFAULTS, ...deps.options };
  const bindings = bindingsOf(informers);
  const writer = evictionWriter({ ...deps, evictLastCopy: options.evictLastCopy });
  const unhealthy = new Map<string, UnhealthySince>();
  const recorders = {
    ResourceBinding: deps.events.of(PRODUCERS.ResourceBinding),
    ClusterResourceBinding: deps.events.of(PRODUCERS.ClusterResourceBinding),
  };

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const binding = bindings.get(key);
    const behavior = binding ? behaviorOf(binding) : undefined;
    if (!binding || !behavior) {
      unhealthy.delete(key);
      return done;
    }
    const { spec, status } = binding;
    const { failed, since, nextMs } = detectFailures(spec, status, unhealthy.get(key) ?? NEVER_SEEN, clock.now());
    unhealthy.set(key, since);
    if (failed.length > 0) {
      const causes = (cluster: string) => causeOf(binding, behavior, cluster);
      const eviction = { binding, clusters: failed, causeOf: causes, events: recorders[binding.kind] };
      const postponed = writer.postponed(eviction);
      if (postponed) return postponed;
      await writer.write(eviction);
    }
    return nextMs === undefined ? done : retryIn(nextMs, 'an application has been unhealthy for too long then');
  }

  /** Undefined for bindings that ask for nothing, or for which nothing can be told. */
  function behaviorOf({ metadata, spec, status }: AnyBinding): ApplicationFailoverBehavior | undefined {
    if (metadata.deletionTimestamp || !spec.propagateDeps || !status?.aggregatedStatus?.length) return undefined;
    return interpreter.handles(gvkOf(spec.resource), 'InterpretHealth') ? spec.failover?.application : undefined;
  }

  function causeOf(binding: AnyBinding, behavior: ApplicationFailoverBehavior, cluster: string): EvictionCause {
    const { kind, spec, status } = binding;
    const preserved = options.statefulInjection
      ? preservedLabelState(behavior.statePreservation, status?.aggregatedStatus, cluster)
      : undefined;
    const clustersBeforeFailover = (spec.clusters ?? []).map(({ name }) => name);
    return {
      ...purgeOf(behavior),
      reason: EVICTION.reasonApplicationFailure,
      producer: PRODUCERS[kind],
      ...(preserved ? { preservedLabelState: preserved, clustersBeforeFailover } : {}),
    };
  }

  return {
    name: 'application-failover',
    concurrency: 8,
    watches: [
      { gvr: RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER_RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER, wakes: () => [] },
    ],
    reconcile,
  };
}

function wokenByBinding(object: KubeObject, old: KubeObject | undefined): readonly string[] {
  const asks = [object, old].some((each) => (each as AnyBinding | undefined)?.spec.failover?.application);
  return asks ? [keyOf(object)] : [];
}
