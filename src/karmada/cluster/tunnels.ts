/**
 * The agents that have dialled in, one for each cluster that pulls: the way to a member that nobody can reach from outside.
 *
 * The newest tunnel of a cluster counts and the one before is closed: after a reconnect the old one is dead as a rule,
 * and nobody may wait for it.
 */
import type { Duplex } from 'node:stream';
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { type NearEnd, nearEnd } from '#kube/tunnel/reverse-tunnel.ts';

export interface Tunnels {
  /** The link of an agent. Resolves when it is gone. */
  accept(cluster: string, link: Duplex): Promise<void>;
  /** A connection to the API server of the cluster, by its agent. */
  dial(cluster: string): Promise<Duplex>;
  isOpen(cluster: string): boolean;
  close(): void;
}

export function tunnels({ clock }: { readonly clock: Clock }): Tunnels {
  const open = new Map<string, NearEnd>();

  return {
    async accept(cluster, link) {
      const tunnel = nearEnd(link, { clock });
      const before = open.get(cluster);
      open.set(cluster, tunnel);
      before?.close();
      if (!tunnel.signal.aborted)
        await new Promise((resolve) => tunnel.signal.addEventListener('abort', resolve, { once: true }));
      if (open.get(cluster) === tunnel) open.delete(cluster);
    },
    async dial(cluster) {
      const tunnel = open.get(cluster);
      if (!tunnel) throw new StatusError('ServiceUnavailable', `the agent of cluster ${cluster} is not connected`);
      return tunnel.dial();
    },
    isOpen: (cluster) => open.has(cluster),
    close() {
      for (const tunnel of open.values()) tunnel.close();
    },
  };
}
