/**
 * Registers every instance with the identity module, so that people can be given rights on it, and clears away what the
 * identity module keeps of an instance that is gone: its registration, what bound it to a workspace, the rights on it.
 *
 * What is registered is compared with what exists, so an instance deleted while nobody watched is noticed as well.
 */
import {
  ACCESS_BINDING,
  type AccessBinding,
  ghippoClients,
  RESOURCE_REGISTRATION,
  type ResourceRegistration,
  type Scope,
  WORKSPACE_RESOURCE,
  type WorkspaceResource,
  workspaceResourceName,
} from '#ghippo/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { KAIRSHIP_PRODUCT } from '../access/kairship-product.ts';
import { INSTANCES, type Instance } from '../instances/index.ts';

const RESOURCE_TYPE = 'Kairship';

export interface InstanceRegistryDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
}

export function instanceRegistryController({ client, informers }: InstanceRegistryDeps): Controller {
  const known = informers<Instance>(INSTANCES);
  const registered = informers<ResourceRegistration>(RESOURCE_REGISTRATION);
  const owned = informers<WorkspaceResource>(WORKSPACE_RESOURCE);
  const bound = informers<AccessBinding>(ACCESS_BINDING);
  const { registrations, workspaceResources, bindings } = ghippoClients(client);

  async function reconcile({ key: instance }: Reconcile): Promise<Outcome> {
    const found = known.get(instance);
    if (found && found.metadata.deletionTimestamp === undefined) await register(found);
    else if (!found) await clearAway(instance);
    return done;
  }

  async function register({ metadata: { name }, spec }: Instance): Promise<void> {
    const resource = { type: 'Instance', instance: name } as const;
    await registrations.ensure({
      metadata: { name: workspaceResourceName(resource) },
      spec: {
        product: KAIRSHIP_PRODUCT,
        resourceType: RESOURCE_TYPE,
        resource,
        ...(spec.alias === undefined ? {} : { displayName: spec.alias }),
      },
    });
  }

  async function clearAway(instance: string): Promise<void> {
    const names = <T extends KubeObject>(objects: readonly T[], scope: (object: T) => Scope) =>
      objects.filter((object) => instanceIn(scope(object)) === instance).map(({ metadata }) => metadata.name);
    const gone = [
      ...names(registered.list(), ({ spec }) => spec.resource).map((name) => registrations.remove(name)),
      ...names(owned.list(), ({ spec }) => spec.resource).map((name) => workspaceResources.remove(name)),
      ...names(bound.list(), ({ spec }) => spec.scope).map((name) => bindings.remove(name)),
    ];
    await Promise.all(gone);
  }

  return {
    name: 'instance-registry',
    watches: [
      { gvr: INSTANCES },
      { gvr: RESOURCE_REGISTRATION, wakes: (object) => ofInstance((object as ResourceRegistration).spec.resource) },
      { gvr: WORKSPACE_RESOURCE, wakes: (object) => ofInstance((object as WorkspaceResource).spec.resource) },
      { gvr: ACCESS_BINDING, wakes: (object) => ofInstance((object as AccessBinding).spec.scope) },
    ],
    reconcile,
  };
}

function ofInstance(scope: Scope): readonly string[] {
  const instance = instanceIn(scope);
  return instance === undefined ? [] : [instance];
}

function instanceIn(scope: Scope): string | undefined {
  return scope.type === 'Instance' || scope.type === 'Namespace' ? scope.instance : undefined;
}
