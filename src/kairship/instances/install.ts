import type { Clock } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { installCrds } from '#kube/crds/index.ts';
import { backupCrd, restoreCrd } from '../backups/backup.ts';
import { INSTANCE_NAMESPACE } from './instance.ts';
import { instanceCrd } from './instance-crd.ts';
import { KARMADAS, karmadaCrd } from './karmada.ts';
import { namespaces } from './kinds.ts';

/**
 * Makes the global cluster know what an instance is. Can be done again; the community's own definition of `Karmada` is
 * left as it is where its operator has installed it.
 */
export async function installInstances(client: KubeClient, clock: Clock, signal: AbortSignal): Promise<void> {
  const served = await client.discover();
  const hasKarmada = served.some(({ group, resource }) => group === KARMADAS.group && resource === KARMADAS.resource);
  const own = [instanceCrd, backupCrd, restoreCrd];
  await installCrds(client, hasKarmada ? own : [...own, karmadaCrd], clock, signal);
  await namespaces(client).ensure({ metadata: { name: INSTANCE_NAMESPACE } });
}
