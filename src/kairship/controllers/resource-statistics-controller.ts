/**
 * Counts what each instance and its members hold and writes it into the instance's status, when it changes.
 *
 * Everything is read from the index, so counting costs the instances nothing. A member that cannot be reached keeps its
 * last numbers, and is named as stale.
 */
import { jsonEqual } from '#base/json.ts';
import {
  CLUSTER,
  CLUSTER_OVERRIDE_POLICY,
  CLUSTER_PROPAGATION_POLICY,
  type Cluster,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
} from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { INSTANCES, type Instance } from '../instances/index.ts';
import { EVERYWHERE, type Reads } from '../read/reads.ts';
import {
  CONFIG_MAP,
  CRON_JOB,
  DAEMON_SET,
  DEPLOYMENT,
  INGRESS,
  JOB,
  NAMESPACE,
  PERSISTENT_VOLUME_CLAIM,
  SECRET,
  SERVICE,
  STATEFUL_SET,
} from '../services/kinds.ts';
import { instanceSummary } from './instance-summary.ts';

const RESOURCES = [NAMESPACE, SERVICE, INGRESS, CONFIG_MAP, SECRET, PERSISTENT_VOLUME_CLAIM];
const POLICIES = [PROPAGATION_POLICY, OVERRIDE_POLICY, CLUSTER_PROPAGATION_POLICY, CLUSTER_OVERRIDE_POLICY];
const WORKLOADS = [DEPLOYMENT, STATEFUL_SET, DAEMON_SET, JOB, CRON_JOB];
const EVERY_MS = 5_000;

export interface ResourceStatisticsDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly reads: Reads;
  readonly everyMs?: number;
}

export function resourceStatisticsController(deps: ResourceStatisticsDeps): Controller {
  const { client, informers, reads, everyMs = EVERY_MS } = deps;
  const known = informers<Instance>(INSTANCES);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const instance = known.get(key);
    if (!instance || instance.metadata.deletionTimestamp !== undefined) return done;
    const place = { instance: key };
    const all = (resource: KindNames) => reads.all({ place, resource, reach: EVERYWHERE });
    const counts = async (kinds: readonly KindNames[], name: (kind: KindNames) => string) =>
      Object.fromEntries(
        await Promise.all(
          kinds.map(
            async (kind) => [name(kind), await reads.count({ place, resource: kind, reach: EVERYWHERE })] as const,
          ),
        ),
      );
    const [clusters, resources, policies, workloads] = await Promise.all([
      reads.all<Cluster>({ place, resource: CLUSTER, reach: EVERYWHERE }),
      counts(RESOURCES, ({ resource }) => resource),
      counts(POLICIES, ({ kind }) => kind),
      Promise.all(WORKLOADS.map(async (kind) => [kind.kind, await all(kind)] as const)),
    ]);
    const summary = instanceSummary({ clusters, resources, policies, workloads: Object.fromEntries(workloads) });
    if (!jsonEqual(instance.status?.summary, summary)) {
      const status = { type: 'merge', body: { status: { summary: { staleClusters: null, ...summary } } } } as const;
      await client.patch(INSTANCES, { name: instance.metadata.name }, status, { subresource: 'status' });
    }
    return retryIn(everyMs, 'the numbers are taken again and again');
  }

  return {
    name: 'resource-statistics',
    watches: [{ gvr: INSTANCES, wakes: ({ metadata }, old) => (old ? [] : [metadata.name]) }],
    concurrency: 4,
    reconcile,
  };
}
