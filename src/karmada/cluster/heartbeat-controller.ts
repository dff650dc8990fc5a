/** Marks clusters that pull as unknown when their agent is heard of no more (`heartbeat.ts`). */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import { type Cluster, CLUSTER, NAMESPACES } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type NewCondition, setCondition } from '#kube/meta/condition.ts';
import { keyOf } from '#kube/meta/object.ts';
import type { LeaseObject } from '#kube/runtime/lease.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { DEFAULT_GRACE, type Grace, heardOf, type Heard, silenceOf } from './heartbeat.ts';

export interface HeartbeatDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly clock: Clock;
  /** How often each cluster is looked at. */
  readonly everyMs?: number;
  readonly grace?: Grace;
}

export const LEASE = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' } as const;
const DEFAULT_EVERY_MS = 5_000;

export function heartbeatController(deps: HeartbeatDeps): Controller {
  const { client, informers, clock, everyMs = DEFAULT_EVERY_MS, grace = DEFAULT_GRACE } = deps;
  const clusters = informers<Cluster>(CLUSTER);
  const heard = new Map<string, Heard>();

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const cluster = clusters.get(key);
    if (!cluster || cluster.spec.syncMode !== 'Pull') {
      heard.delete(key);
      return done;
    }
    const now = clock.now();
    const latest = heardOf(cluster, await renewTime(key), heard.get(key), now);
    heard.set(key, latest);
    const silence = silenceOf(cluster, latest, now, grace);
    if (silence) await write(cluster, silence);
    return retryIn(everyMs, 'its agent is listened for');
  }

  async function renewTime(name: string): Promise<string | undefined> {
    try {
      const { spec } = await client.get<LeaseObject>(LEASE, { namespace: NAMESPACES.cluster, name });
      return spec?.renewTime;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async function write(cluster: Cluster, condition: NewCondition): Promise<void> {
    const conditions = setCondition(cluster.status?.conditions, condition, rfc3339(clock.now()));
    try {
      await client.update(
        CLUSTER,
        { ...cluster, status: { ...cluster.status, conditions } },
        { subresource: 'status' },
      );
    } catch (error) {
      // It was heard of meanwhile, or is gone: looked at again.
      if (!hasReason(error, 'Conflict', 'NotFound')) throw error;
    }
  }

  return {
    name: 'cluster-heartbeat',
    watches: [{ gvr: CLUSTER, wakes: (object, old) => (old && modeOf(old) === modeOf(object) ? [] : [keyOf(object)]) }],
    reconcile,
  };
}

const modeOf = (object: unknown) => (object as Cluster).spec.syncMode;
