/** How a product tells which resources there are, and that one is gone. */
import type { BindableResource, ResourceRegistration } from '#ghippo/apis/kinds.ts';
import { ghippoClients } from '#ghippo/apis/resources.ts';
import { workspaceResourceName } from '#ghippo/apis/workspace-resource-name.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';

/** Registers a resource that people can be given rights on. Can be done again. */
export async function registerResource(
  client: KubeClient,
  spec: ResourceRegistration['spec'],
): Promise<'created' | 'updated' | 'unchanged'> {
  const metadata = { name: workspaceResourceName(spec.resource) };
  return ghippoClients(client).registrations.ensure({ metadata, spec });
}

/** Its bindings go with it, so that a later resource of the same name starts with none. */
export async function deregisterResource(client: KubeClient, resource: BindableResource): Promise<void> {
  await ghippoClients(client).registrations.remove(workspaceResourceName(resource));
}
