/**
 * Drives workloads out of clusters whose NoExecute taints they do not tolerate (`taint-verdict.ts`), at a steady rate.
 *
 * Runs only with the feature gate Failover and `--enable-no-execute-taint-eviction`. A binding is looked at when one of
 * its clusters changes its taints, when it gets another cluster or placement, and when a toleration ends. What is to be
 * purged directly stays where it is while it is the last copy and nothing else fits (`eviction-writer.ts`).
 */
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import {
  ANNOTATIONS,
  type AnyBinding,
  type Cluster,
  CLUSTER,
  CLUSTER_RESOURCE_BINDING,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import type { Templates } from '#karmada/detector/index.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { bindingsOf } from './bindings.ts';
import { evictionPace } from './eviction-pace.ts';
import { evictionWriter } from './eviction-writer.ts';
import { FAILOVER_DEFAULTS, type FailoverOptions } from './options.ts';
import { type ClusterVerdict, taintEvictionCause, taintVerdicts } from './taint-eviction.ts';
import { noExecuteTaints } from './taint-verdict.ts';

export interface TaintManagerDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Pick<Templates, 'cached'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly options?: FailoverOptions;
}

export function taintManagerController(deps: TaintManagerDeps): Controller {
  const { informers, events, clock } = deps;
  const options = { ...FAILOVER_DEFAULTS, ...deps.options };
  const bindings = bindingsOf(informers);
  const clusters = informers<Cluster>(CLUSTER);
  const writer = evictionWriter({ ...deps, evictLastCopy: options.evictLastCopy });
  const pace = evictionPace(clock, options.evictionRate);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const binding = bindings.get(key);
    const verdicts = binding && !binding.metadata.deletionTimestamp ? verdictsOf(binding) : [];
    const leaving = verdicts.flatMap(({ cluster, verdict }) => (verdict.type === 'now' ? [cluster] : []));
    if (!binding || leaving.length === 0) {
      pace.take(key);
      return firstToEnd(verdicts);
    }
    const causes = (cluster: string) => taintEvictionCause(binding, cluster, options);
    const eviction = { binding, clusters: leaving, causeOf: causes, occasionOf, events };
    const postponed = writer.postponed(eviction);
    if (postponed) return postponed;
    const wait = pace.wait(key);
    if (wait > 0) return retryIn(wait, 'others are evicted first');
    await writer.write(eviction);
    pace.take(key);
    return firstToEnd(verdicts);
  }

  function verdictsOf(binding: AnyBinding): readonly ClusterVerdict[] {
    return taintVerdicts(binding, (name) => clusters.get(name), clock.now(), options);
  }

  function occasionOf(cluster: string): string {
    return JSON.stringify(noExecuteTaints(clusters.get(cluster)?.spec.taints));
  }

  function wokenByBinding(object: KubeObject, old: KubeObject | undefined, change: string): readonly string[] {
    const binding = object as AnyBinding;
    const same = old && old.metadata.generation === object.metadata.generation && placedBy(object) === placedBy(old);
    if (change !== 'deleted' && same) return [];
    const isTainted = (name: string) => noExecuteTaints(clusters.get(name)?.spec.taints).length > 0;
    return binding.spec.clusters?.some(({ name }) => isTainted(name)) ? [keyOf(binding)] : [];
  }

  function wokenByCluster(cluster: Cluster, old: Cluster | undefined): readonly string[] {
    const [now, before] = [cluster, old].map((each) => noExecuteTaints(each?.spec.taints));
    return jsonEqual(now, before) ? [] : bindings.on(cluster.metadata.name).map(keyOf);
  }

  return {
    name: 'taint-manager',
    concurrency: 3,
    watches: [
      { gvr: RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER_RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER, wakes: (object, old) => wokenByCluster(object as Cluster, old as Cluster | undefined) },
    ],
    reconcile,
  };
}

function placedBy({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.appliedPlacement];
}

function firstToEnd(verdicts: readonly ClusterVerdict[]): Outcome {
  const ends = verdicts.flatMap(({ verdict }) => (verdict.type === 'later' ? [verdict.afterMs] : []));
  return ends.length > 0 ? retryIn(Math.min(...ends), 'a toleration ends') : done;
}
