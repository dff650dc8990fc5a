/**
 * Writes evictions, for whoever found that a workload has to leave a cluster.
 *
 * What leaves gracefully is written at once: its copy is looked after by the graceful eviction. What is purged directly
 * is deleted before anything else is made; so it stays where it is while it is the last copy and nothing else fits.
 */
import type { Clock } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import {
  type AnyBinding,
  type Cluster,
  CLUSTER,
  EVENT_REASONS,
  FAILOVER_EVENT_REASONS,
  isPurgedDirectly,
} from '#karmada/apis/index.ts';
import type { Templates } from '#karmada/detector/index.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Informers, type Outcome, retryIn } from '#kube/runtime/index.ts';
import { resourceOf, subjectsOf } from './bindings.ts';
import { type EvictionCause, evictCluster } from './evict-cluster.ts';
import { evictionMemory } from './eviction-memory.ts';
import { mayEvictLastCopy, wouldLoseLastCopy } from './last-copy.ts';

export interface EvictionWriterDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Pick<Templates, 'cached'>;
  readonly clock: Clock;
  readonly evictLastCopy: boolean;
}

/** One binding, the clusters it has to leave, and for each the reason. */
export interface Eviction {
  readonly binding: AnyBinding;
  readonly clusters: readonly string[];
  readonly causeOf: (cluster: string) => EvictionCause;
  /** Tells one occasion from the next of the same kind, such as a taint that was added anew. */
  readonly occasionOf?: (cluster: string) => string;
  readonly events: EventRecorder;
}

export interface EvictionWriter {
  /** When it has to wait, until when; what it waits for has been told. */
  postponed(eviction: Eviction): Outcome | undefined;
  write(eviction: Eviction): Promise<void>;
}

const POSTPONED_MS = 10_000;

export function evictionWriter(deps: EvictionWriterDeps): EvictionWriter {
  const { client, informers, templates, clock, evictLastCopy } = deps;
  const clusters = informers<Cluster>(CLUSTER);
  const memory = evictionMemory(clock);

  function pauseOf({ binding, clusters: leaving, occasionOf = () => '' }: Eviction): number {
    return Math.max(...leaving.map((cluster) => memory.wait(keyOf(binding), cluster, occasionOf(cluster))));
  }

  function reasonToWait(eviction: Eviction): string | undefined {
    const { binding } = eviction;
    const after = evicted(eviction);
    if (!isPurgedDirectly(after.spec.gracefulEvictionTasks?.at(-1)?.purgeMode)) return undefined;
    if (mayEvictLastCopy(binding, templates.cached(binding.spec.resource), evictLastCopy)) return undefined;
    return wouldLoseLastCopy(after, clusters.list(), clock.now());
  }

  return {
    postponed(eviction) {
      const pause = pauseOf(eviction);
      if (pause > 0) return retryIn(pause, 'it was evicted from there a moment ago, and put back');
      const why = reasonToWait(eviction);
      if (why === undefined) return undefined;
      const from = eviction.clusters.join(', ');
      const message = `Eviction from ${from} waits, for it is the last copy and no other cluster fits: ${why}`;
      for (const about of subjectsOf(eviction.binding)) {
        eviction.events.warning(about, FAILOVER_EVENT_REASONS.evictionPostponed, message);
      }
      return retryIn(POSTPONED_MS, message);
    },
    async write(eviction) {
      const { binding } = eviction;
      const { clusters: left = [], gracefulEvictionTasks } = evicted(eviction).spec;
      const body = {
        metadata: { resourceVersion: binding.metadata.resourceVersion },
        spec: { clusters: left.length > 0 ? left : null, gracefulEvictionTasks },
      };
      try {
        await client.patch(resourceOf(binding), binding.metadata, { type: 'merge', body });
      } catch (error) {
        if (!hasReason(error, 'Conflict')) tellFailure(eviction);
        throw error;
      }
      const { occasionOf = () => '' } = eviction;
      for (const cluster of eviction.clusters) memory.evicted(keyOf(binding), cluster, occasionOf(cluster));
    },
  };
}

function evicted({ binding, clusters, causeOf }: Eviction): AnyBinding {
  const spec = clusters.reduce((left, cluster) => evictCluster(left, cluster, causeOf(cluster)), binding.spec);
  return { ...binding, spec };
}

function tellFailure({ binding, clusters, events }: Eviction): void {
  for (const about of subjectsOf(binding)) {
    for (const cluster of clusters) {
      events.warning(about, EVENT_REASONS.evictWorkloadFromClusterFailed, `Evict from cluster ${cluster} failed.`);
    }
  }
}
