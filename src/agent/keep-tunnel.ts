/** Keeps a tunnel to the control plane open: dials in, serves what comes, and dials again, later each time it fails. */
import { type Clock, sleep } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import { CLUSTER } from '#karmada/apis/index.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import { fraction } from '#kube/runtime/backoff.ts';
import { dialIn } from '#kube/tunnel/dial-in.ts';
import { farEnd } from '#kube/tunnel/reverse-tunnel.ts';
import { memberDoor } from './member-door.ts';

export interface TunnelDeps {
  readonly control: HttpClient;
  readonly member: HttpClient;
  readonly cluster: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const RETRY_MS = { first: 500, most: 30_000 };
/** A tunnel that lasted this long worked: the next attempt need not wait. */
const LASTED_MS = 60_000;

export async function keepTunnel({ control, member, cluster, clock, ids, log, signal }: TunnelDeps): Promise<void> {
  const path = `/apis/${CLUSTER.group}/${CLUSTER.version}/clusters/${encodeURIComponent(cluster)}/tunnel`;
  const door = memberDoor(member);
  let wait = RETRY_MS.first;
  while (!signal.aborted) {
    const begun = clock.now();
    try {
      const link = await dialIn(control.config, path, signal);
      log.info('the tunnel is open');
      const tunnel = farEnd(link, (connection) => door.accept(connection), { clock });
      await aborted(AbortSignal.any([tunnel.signal, signal]));
      tunnel.close();
      if (!signal.aborted) log.warn('the tunnel broke off');
    } catch (error) {
      if (!signal.aborted) log.warn('the tunnel cannot be opened', { error });
    }
    if (clock.now() - begun > LASTED_MS) wait = RETRY_MS.first;
    // Not all agents at once, when it was the control plane that went.
    await sleep(clock, wait * (0.5 + fraction(ids)), signal).catch(() => undefined);
    wait = Math.min(wait * 2, RETRY_MS.most);
  }
  door.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
