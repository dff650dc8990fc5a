import type { Clock } from '#base/clock.ts';
import { karmadaCrds } from '#karmada/apis/crds/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { installCrds as install } from '#kube/crds/install-crds.ts';

/** Brings Karmada's kinds into an API server, and waits until they are served. */
export function installCrds(client: KubeClient, clock: Clock, signal: AbortSignal): Promise<void> {
  return install(client, karmadaCrds(), clock, signal);
}
