import type { ConfigMap, Namespace } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { type Controller, done, type Outcome, type Reconcile } from '#kube/runtime/controller.ts';

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const NAME = 'kube-root-ca.crt';
const ANNOTATION = 'kubernetes.io/description';
const DESCRIPTION = 'The authority that signed the certificate of this API server.';

/** Publishes the authority of the API server in every namespace, so that pods can tell whom they speak to. */
export function rootCaController({ client, ca }: { client: KubeClient; ca: string }): Controller {
  const namespaces = typed<Namespace>(client, { gvr: NAMESPACES, kind: 'Namespace', namespaced: false });
  const configMaps = typed<ConfigMap>(client, { gvr: CONFIG_MAPS, kind: 'ConfigMap', namespaced: true });

  async function reconcile({ key: namespace }: Reconcile): Promise<Outcome> {
    const found = await namespaces.find(namespace);
    if (!found || found.metadata.deletionTimestamp !== undefined) return done;
    await configMaps.ensure({
      metadata: { name: NAME, namespace, annotations: { [ANNOTATION]: DESCRIPTION } },
      data: { 'ca.crt': ca },
    });
    return done;
  }

  return {
    name: 'root-ca-certificate-publisher',
    watches: [
      { gvr: NAMESPACES },
      {
        gvr: CONFIG_MAPS,
        fieldSelector: `metadata.name=${NAME}`,
        wakes: ({ metadata }) => [metadata.namespace ?? ''],
      },
    ],
    reconcile,
  };
}
