import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { INSTANCE_NAMESPACE, INSTANCES, type Instance, instanceCrd, KUBECONFIG_KEY } from './instance.ts';

const CRDS: Gvr = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const NAMESPACES: Gvr = { group: '', version: 'v1', resource: 'namespaces' };
const SECRETS: Gvr = { group: '', version: 'v1', resource: 'secrets' };

/** Makes the global cluster know what an instance is. Can be done again. */
export async function installInstances(client: KubeClient): Promise<void> {
  await ensure(client, CRDS, instanceCrd);
  await ensure(client, NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: INSTANCE_NAMESPACE } });
}

/** Registers a running control plane under a name, or gives the one registered new credentials. */
export async function adoptInstance(
  client: KubeClient,
  { name, endpoint, kubeconfig }: { readonly name: string; readonly endpoint: string; readonly kubeconfig: string },
): Promise<void> {
  const secretRef = { namespace: INSTANCE_NAMESPACE, name: `${name}-kubeconfig` };
  const data = { [KUBECONFIG_KEY]: Buffer.from(kubeconfig).toString('base64') };
  await ensure(client, SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: secretRef, type: 'Opaque', data });
  await client.patch(SECRETS, secretRef, { type: 'merge', body: { data } });

  const metadata = { name };
  await ensure(client, INSTANCES, {
    apiVersion: 'kairship.io/v1alpha1',
    kind: 'Instance',
    metadata,
    spec: { mode: 'embedded' },
  });
  const status: Instance['status'] = { state: 'RUNNING', endpoint, secretRef };
  await client.patch(INSTANCES, metadata, { type: 'merge', body: { status } }, { subresource: 'status' });
}

async function ensure(client: KubeClient, gvr: Gvr, object: KubeObject): Promise<void> {
  try {
    await client.create(gvr, object);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}
