/**
 * Whether the agent of a cluster that pulls is still heard of; as karmada v1.18 pkg/controllers/cluster/cluster_controller.go.
 *
 * An agent renews a Lease and posts the status of its cluster. Whoever did neither for longer than the grace is unknown,
 * whatever it said last. Times are those at which news was *seen* here: the clock of a member may be wrong. Pure.
 */
import { type Cluster, READY } from '#karmada/apis/index.ts';
import { findCondition, type NewCondition } from '#kube/meta/condition.ts';

export interface Grace {
  /** How long a new cluster may take to be heard of. */
  readonly startupMs: number;
  readonly monitorMs: number;
}

export const DEFAULT_GRACE: Grace = { startupMs: 60_000, monitorMs: 40_000 };

/** The last news of a cluster, and when it was seen. */
export interface Heard {
  readonly news: string;
  readonly at: number;
}

/** What was heard by now; `renewTime` is that of its Lease. */
export function heardOf(
  cluster: Cluster,
  renewTime: string | undefined,
  before: Heard | undefined,
  now: number,
): Heard {
  const ready = findCondition(cluster.status?.conditions, READY.type);
  const said = ready?.status === 'Unknown' ? '' : JSON.stringify([ready?.status, ready?.reason]);
  const news = `${renewTime ?? ''} ${said}`;
  if (before?.news === news) return before;
  // Nothing at all yet: it counts from when the cluster was made.
  const silent = renewTime === undefined && !ready;
  return { news, at: silent ? Date.parse(cluster.metadata.creationTimestamp ?? '') || now : now };
}

/** The condition to write when it has been silent for too long and does not say so yet. */
export function silenceOf(cluster: Cluster, heard: Heard, now: number, grace: Grace): NewCondition | undefined {
  const ready = findCondition(cluster.status?.conditions, READY.type);
  if (now <= heard.at + (ready ? grace.monitorMs : grace.startupMs)) return undefined;
  if (ready?.status === 'Unknown') return undefined;
  const { type } = READY;
  return ready
    ? { type, status: 'Unknown', reason: READY.statusUnknown, message: READY.statusUnknownMessage }
    : { type, status: 'Unknown', reason: READY.neverUpdated, message: READY.neverUpdatedMessage };
}
