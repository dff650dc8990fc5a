/**
 * What was given to somebody, or in some place, ends with them: a later user, group, workspace or instance of the same
 * name starts with nothing. A finalizer keeps the object until that is done, even if nobody was there to see it deleted.
 */
import { ghippoClients, resourceOf } from '#ghippo/apis/resources.ts';
import {
  type AccessBinding,
  FOLDER,
  GHIPPO_NAMESPACE,
  GROUP,
  RESOURCE_REGISTRATION,
  type ResourceRegistration,
  ROLE,
  type Subject,
  USER,
  WORKSPACE,
} from '#ghippo/apis/kinds.ts';
import { folderScope, sameScope, type Scope, workspaceScope } from '#ghippo/apis/scope.ts';
import { TOKEN_SELECTOR, tokenOf } from '#ghippo/token/access-token.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Controller, done } from '#kube/runtime/controller.ts';

export const CLEANUP_FINALIZER = 'ghippo.io/cleanup';

/** The kinds whose end ends something else. Keys are `kind/name`. */
const KINDS: readonly KindNames[] = [USER, GROUP, ROLE, WORKSPACE, FOLDER, RESOURCE_REGISTRATION];

export function cleanupController({ client }: { readonly client: KubeClient }): Controller {
  const { bindings, groups, secrets, workspaceResources } = ghippoClients(client);

  async function takeFrom(subject: Subject): Promise<void> {
    const isOther = (one: Subject) => one.kind !== subject.kind || one.name !== subject.name;
    for (const { metadata, spec } of await bindings.list()) {
      if (spec.subjects.every(isOther)) continue;
      if (!spec.subjects.some(isOther)) await bindings.remove(metadata.name);
      else
        await bindings.modify(metadata.name, (draft) => {
          draft.spec.subjects = draft.spec.subjects.filter(isOther);
        });
    }
  }

  async function removeBindings(where: (binding: AccessBinding) => boolean): Promise<void> {
    for (const binding of await bindings.list()) if (where(binding)) await bindings.remove(binding.metadata.name);
  }

  async function removeUser(name: string): Promise<void> {
    await takeFrom({ kind: 'User', name });
    for (const { metadata, spec } of await groups.list()) {
      if (!spec.members?.includes(name)) continue;
      await groups.modify(metadata.name, (draft) => {
        draft.spec.members = (draft.spec.members ?? []).filter((member) => member !== name);
      });
    }
    for (const secret of await secrets.list({ namespace: GHIPPO_NAMESPACE, labelSelector: TOKEN_SELECTOR }))
      if (tokenOf(secret)?.user === name) await secrets.remove(secret.metadata);
    await secrets.remove({ namespace: GHIPPO_NAMESPACE, name: `password-${name}` });
  }

  async function removePlace(scope: Scope): Promise<void> {
    await removeBindings(({ spec }) => sameScope(spec.scope, scope));
    for (const { metadata, spec } of await workspaceResources.list())
      if (scope.type === 'Workspace' && spec.workspace === scope.workspace)
        await workspaceResources.remove(metadata.name);
  }

  async function removeResource({ spec: { resource } }: ResourceRegistration): Promise<void> {
    // An instance takes its namespaces along.
    const isGone = (scope: Scope) =>
      sameScope(scope, resource) ||
      (resource.type === 'Instance' && scope.type === 'Namespace' && scope.instance === resource.instance);
    await removeBindings(({ spec }) => isGone(spec.scope));
    for (const { metadata, spec } of await workspaceResources.list())
      if (isGone(spec.resource)) await workspaceResources.remove(metadata.name);
  }

  async function cleanUp(object: KubeObject): Promise<void> {
    const { name } = object.metadata;
    switch (object.kind) {
      case 'User':
        return removeUser(name);
      case 'Group':
        return takeFrom({ kind: 'Group', name });
      case 'Role':
        await takeFrom({ kind: 'Role', name });
        return removeBindings(({ spec }) => spec.role === name);
      case 'Workspace':
        return removePlace(workspaceScope(name));
      case 'Folder':
        return removePlace(folderScope(name));
      default:
        return removeResource(object as unknown as ResourceRegistration);
    }
  }

  const watched = new Map(KINDS.map((names) => [names.kind, typed<KubeObject>(client, resourceOf(names))]));

  return {
    name: 'ghippo-cleanup',
    watches: KINDS.map((gvr) => ({ gvr, wakes: ({ metadata }) => [`${gvr.kind}/${metadata.name}`] })),
    async reconcile({ key }) {
      const [kind = '', name = ''] = key.split('/');
      const objects = watched.get(kind);
      const object = await objects?.find(name);
      if (!objects || !object) return done;
      if (object.metadata.deletionTimestamp === undefined) {
        await objects.addFinalizer(object, CLEANUP_FINALIZER);
        return done;
      }
      if (!object.metadata.finalizers?.includes(CLEANUP_FINALIZER)) return done;
      await cleanUp(object);
      await objects.dropFinalizer(object, CLEANUP_FINALIZER);
      return done;
    },
  };
}
