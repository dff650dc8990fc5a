/** The sign of life of an agent: a Lease named after its cluster, renewed often enough that one miss is forgiven. */
import { type Clock, sleep } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { NAMESPACES } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { lease } from '#kube/runtime/lease.ts';

export interface HeartbeatDeps {
  readonly control: KubeClient;
  readonly cluster: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly leaseMs?: number;
}

const DEFAULT_LEASE_MS = 40_000;
/** As Karmada's agents do. */
const RENEWALS_PER_LEASE = 4;

export async function heartbeat(deps: HeartbeatDeps): Promise<void> {
  const { control: client, cluster, clock, log, signal, leaseMs = DEFAULT_LEASE_MS } = deps;
  // Whoever answers for the cluster holds it: a second agent of the same cluster takes nothing away from the first.
  const own = lease({ client, namespace: NAMESPACES.cluster, name: cluster, identity: cluster, leaseMs, clock });
  while (!signal.aborted) {
    await own.take(signal).catch((error: unknown) => {
      if (!signal.aborted) log.warn('the sign of life did not arrive', { error });
    });
    await sleep(clock, leaseMs / RENEWALS_PER_LEASE, signal).catch(() => undefined);
  }
}
