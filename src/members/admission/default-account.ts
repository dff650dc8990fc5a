import type { ServiceAccount } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { SERVICE_ACCOUNTS } from '../resources.ts';

/** The account of the first pods, before there is anybody to make some: where time flies, none can be waited for. */
export async function ensureAccount(client: KubeClient): Promise<void> {
  const accounts = typed<ServiceAccount>(client, { gvr: SERVICE_ACCOUNTS, kind: 'ServiceAccount', namespaced: true });
  await accounts.ensure({ metadata: { name: 'default', namespace: 'default' } });
}
