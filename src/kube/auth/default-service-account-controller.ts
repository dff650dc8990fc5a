import type { Namespace, ServiceAccount } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { type Controller, done, type Outcome, type Reconcile } from '#kube/runtime/controller.ts';

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const ACCOUNTS = { group: '', version: 'v1', resource: 'serviceaccounts' };
const NAME = 'default';

/** Gives every namespace the service account its pods run as when they name none. */
export function defaultServiceAccountController({ client }: { client: KubeClient }): Controller {
  const namespaces = typed<Namespace>(client, { gvr: NAMESPACES, kind: 'Namespace', namespaced: false });
  const accounts = typed<ServiceAccount>(client, { gvr: ACCOUNTS, kind: 'ServiceAccount', namespaced: true });

  async function reconcile({ key: namespace }: Reconcile): Promise<Outcome> {
    const found = await namespaces.find(namespace);
    if (!found || found.metadata.deletionTimestamp !== undefined) return done;
    await accounts.ensure({ metadata: { name: NAME, namespace } });
    return done;
  }

  return {
    name: 'service-account',
    watches: [
      { gvr: NAMESPACES },
      {
        gvr: ACCOUNTS,
        wakes: ({ metadata }, _old, change) =>
          change === 'deleted' && metadata.name === NAME ? [metadata.namespace ?? ''] : [],
      },
    ],
    reconcile,
  };
}
