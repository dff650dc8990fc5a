import { installGhippo } from '#ghippo/apis/install.ts';
import { systemClock } from '#base/clock.ts';
import { installInstances } from '#kairship/instances/index.ts';
import { installRegistry } from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';

/** Makes the global cluster know every kind of the platform. Can be done again, by every replica. */
export async function installKinds(client: KubeClient, signal: AbortSignal): Promise<void> {
  await Promise.all([
    installInstances(client, systemClock, signal),
    installRegistry(client, systemClock, signal),
    installGhippo(client, { signal }),
  ]);
}
