/**
 * Runs one pipeline for each member it serves (`member-pipeline.ts`), and hands each the news of its Works. An engine
 * serves those in push mode, an agent its own.
 *
 * A pipeline starts with its Cluster and ends with it. When a member becomes ready all its Works are looked at again:
 * what could not be done meanwhile is done then. So it is when the member begins to serve other APIs.
 */
import type { Ids } from '#base/ids.ts';
import { jsonEqual } from '#base/json.ts';
import type { Metrics } from '#base/metrics.ts';
import { type Cluster, CLUSTER, isPushedTo, READY, type Work, WORK } from '#karmada/apis/index.ts';
import { clusterOfExecutionNamespace, executionNamespace } from '#karmada/names/index.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, manager, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { memberPipeline, type PipelineDeps } from './member-pipeline.ts';

export interface ExecutionDeps extends Omit<PipelineDeps, 'works' | 'clusters'> {
  readonly informers: Informers;
  readonly ids: Ids;
  readonly metrics?: Metrics;
  /** Whose Works are brought from here; those pushed to when absent. */
  readonly serves?: (cluster: Cluster) => boolean;
}

interface Pipeline {
  wake(workKey: string): void;
  end(): void;
}

const NAMESPACE = 'namespace';
/** A member that refuses is asked again soon, but a broken manifest is not sent there a thousand times. */
const RETRY_MS = { min: 50, max: 60_000 };

export interface ExecutionController extends Controller {
  /** Resolves when every pipeline has ended; they end with the controller. */
  ended(): Promise<void>;
}

export function executionController(deps: ExecutionDeps): ExecutionController {
  const { client, informers, clock, ids, log, metrics, serves = isPushedTo } = deps;
  const works = informers<Work>(WORK);
  const clusters = informers<Cluster>(CLUSTER);
  works.index(NAMESPACE, ({ metadata }) => [metadata.namespace ?? '']);
  const pipelines = new Map<string, Pipeline>();
  const running = new Set<Promise<void>>();
  let stopping: AbortSignal = new AbortController().signal;

  function start(name: string): Pipeline {
    const ended = new AbortController();
    let wake: (workKey: string) => void = () => undefined;
    const controllers = memberPipeline({ ...deps, works, clusters }, name, (wakeKey) => {
      wake = wakeKey;
      for (const work of worksOf(name)) wakeKey(keyOf(work));
    });
    const run = manager({
      client,
      informers,
      controllers,
      clock,
      ids,
      log,
      ...(metrics ? { metrics } : {}),
      minRetryMs: RETRY_MS.min,
      maxRetryMs: RETRY_MS.max,
    }).start(AbortSignal.any([ended.signal, stopping]));
    running.add(run);
    void run.finally(() => running.delete(run));
    return { wake: (key) => wake(key), end: () => ended.abort() };
  }

  function worksOf(name: string): readonly Work[] {
    return works.byIndex(NAMESPACE, executionNamespace(name));
  }

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const cluster = clusters.get(key);
    const pipeline = pipelines.get(key);
    if (!cluster || !serves(cluster)) {
      pipeline?.end();
      pipelines.delete(key);
    } else if (pipeline) {
      for (const work of worksOf(key)) pipeline.wake(keyOf(work));
    } else {
      pipelines.set(key, start(key));
    }
    return done;
  }

  function route(object: KubeObject, old: KubeObject | undefined): void {
    const same =
      old?.metadata.generation === object.metadata.generation &&
      old?.metadata.deletionTimestamp === object.metadata.deletionTimestamp;
    if (same) return;
    const cluster = clusterOfExecutionNamespace(object.metadata.namespace ?? '');
    if (cluster !== undefined) pipelines.get(cluster)?.wake(keyOf(object));
  }

  return {
    name: 'execution',
    watches: [
      {
        gvr: CLUSTER,
        wakes(object, old, change) {
          if (old && servesOther(object, old)) deps.members.find(keyOf(object))?.mapper.reset();
          return wokenByCluster(object, old, change);
        },
      },
      {
        gvr: WORK,
        wakes(object, old) {
          route(object, old);
          return [];
        },
      },
    ],
    source(_wake, signal) {
      stopping = signal;
    },
    reconcile,
    ended: async () => void (await Promise.all(running)),
  };
}

/** When it comes or goes, becomes ready, serves other APIs, or is on its way out. */
function wokenByCluster(object: KubeObject, old: KubeObject | undefined, change: string): readonly string[] {
  if (!old || change === 'deleted') return [keyOf(object)];
  const [now, before] = [object as Cluster, old as Cluster].map(({ status }) =>
    isConditionTrue(status?.conditions, READY.type),
  );
  const leaves = object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp;
  const moded = (object as Cluster).spec.syncMode !== (old as Cluster).spec.syncMode;
  return (now && !before) || leaves || moded || servesOther(object, old) ? [keyOf(object)] : [];
}

function servesOther(now: KubeObject, before: KubeObject): boolean {
  const [served, old] = [now as Cluster, before as Cluster].map(({ status }) => status?.apiEnablements);
  return !jsonEqual(served, old);
}
