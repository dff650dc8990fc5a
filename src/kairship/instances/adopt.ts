import type { KubeClient } from '#kube/client/kube-client.ts';
import { INSTANCE_NAMESPACE, INSTANCES, KUBECONFIG_KEY } from './instance.ts';
import { instances, secrets } from './kinds.ts';

/**
 * Registers a control plane that somebody else runs under a name, or gives the one registered new credentials. These
 * belong to the registration and go with it.
 */
export async function adoptInstance(
  client: KubeClient,
  { name, endpoint, kubeconfig }: { readonly name: string; readonly endpoint: string; readonly kubeconfig: string },
): Promise<void> {
  const secretRef = { namespace: INSTANCE_NAMESPACE, name: `${name}-kubeconfig` };
  const data = { [KUBECONFIG_KEY]: Buffer.from(kubeconfig).toString('base64') };
  await secrets(client).ensure({ metadata: secretRef, type: 'Opaque', data });
  await instances(client).ensure({ metadata: { name }, spec: { mode: 'external', secretRef } });
  const { apiVersion, kind, metadata } = await instances(client).get({ name });
  await secrets(client).modify(secretRef, (draft) => {
    draft.metadata.ownerReferences = [{ apiVersion, kind, name, uid: metadata.uid ?? '' }];
  });
  const body = { status: { endpoint, secretRef } };
  await client.patch(INSTANCES, { name }, { type: 'merge', body }, { subresource: 'status' });
}
