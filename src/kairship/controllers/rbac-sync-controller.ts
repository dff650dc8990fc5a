/** Keeps in every instance the roles of the groups by which the platform speaks for its users (`access/instance-rbac.ts`). */
import {
  ACCESS_BINDING,
  type AccessBinding,
  type Scope,
  WORKSPACE_RESOURCE,
  type WorkspaceResource,
} from '#ghippo/apis/index.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type KindNames, kindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Informer, informer } from '#kube/runtime/informer.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { instanceRbac, ownGroups, RBAC_LABEL } from '../access/instance-rbac.ts';
import { INSTANCES, type Instance } from '../instances/index.ts';

export interface RbacSyncDeps {
  readonly informers: Informers;
  /** An instance as the platform itself. */
  readonly instances: (instance: string) => KubeClient;
}

const rbac = (kind: string, resource: string) => kindNames('rbac.authorization.k8s.io', 'v1', kind, resource);
const KINDS: readonly KindNames[] = [
  rbac('ClusterRole', 'clusterroles'),
  rbac('ClusterRoleBinding', 'clusterrolebindings'),
  rbac('RoleBinding', 'rolebindings'),
  kindNames('policy.karmada.io', 'v1alpha1', 'ClusterPropagationPolicy', 'clusterpropagationpolicies'),
];
const DEFINITIONS = kindNames('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', 'customresourcedefinitions');
const ROLE_BINDINGS = KINDS[2] as KindNames;

export function rbacSyncController({ informers, instances }: RbacSyncDeps): Controller {
  const known = informers<Instance>(INSTANCES);
  const bindings = informers<AccessBinding>(ACCESS_BINDING);
  const owned = informers<WorkspaceResource>(WORKSPACE_RESOURCE);
  /** By instance: the kinds that were defined there. */
  const defined = new Map<string, Informer>();

  function follow(wake: (instance: string) => void, signal: AbortSignal): void {
    known.subscribe(({ type, object: { metadata } }) => {
      const { name } = metadata;
      if (type === 'deleted') {
        defined.get(name)?.stop();
        defined.delete(name);
      } else if (!defined.has(name)) {
        const definitions = informer(instances(name), DEFINITIONS, {}, { signal });
        defined.set(name, definitions);
        definitions.subscribe((change) => {
          if (change.type !== 'modified') wake(name);
        });
      }
    });
  }

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const instance = known.get(key);
    if (instance?.status?.state !== 'RUNNING') return done;
    const client = instances(key);
    const wanted = instanceRbac(namespacesOf(key), ownGroups(defined.get(key)?.list() ?? []));
    for (const object of wanted) await apply(client, object);
    await removeOthers(client, wanted);
    return done;
  }

  function namespacesOf(instance: string): readonly string[] {
    const scopes: readonly Scope[] = [
      ...bindings.list().map(({ spec }) => spec.scope),
      ...owned.list().map(({ spec }) => spec.resource),
    ];
    return scopes.flatMap((scope) =>
      scope.type === 'Namespace' && scope.instance === instance ? [scope.namespace] : [],
    );
  }

  return {
    name: 'rbac-sync',
    watches: [
      { gvr: INSTANCES, wakes: (object, old) => (stateOf(object) === stateOf(old) ? [] : [object.metadata.name]) },
      { gvr: ACCESS_BINDING, wakes: (object) => inScope((object as AccessBinding).spec.scope) },
      { gvr: WORKSPACE_RESOURCE, wakes: (object) => inScope((object as WorkspaceResource).spec.resource) },
    ],
    source: follow,
    reconcile,
  };
}

function stateOf(object: KubeObject | undefined): string | undefined {
  return (object as Instance | undefined)?.status?.state;
}

function inScope(scope: Scope): readonly string[] {
  return scope.type === 'Namespace' ? [scope.instance] : [];
}

/** A namespace that is not there yet gets its roles with the next change; nobody can do anything in it anyway. */
async function apply(client: KubeClient, object: KubeObject): Promise<void> {
  const kind = KINDS.find((each) => each.kind === object.kind);
  if (!kind) return;
  try {
    await client.apply(kind, object, { fieldManager: 'kairship', force: true });
  } catch (error) {
    if (object.metadata.namespace === undefined || !hasReason(error, 'NotFound')) throw error;
  }
}

/** Roles in namespaces where nobody has been given anything any more. */
async function removeOthers(client: KubeClient, wanted: readonly KubeObject[]): Promise<void> {
  const keep = new Set(wanted.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
  const { items } = await client.list(ROLE_BINDINGS, { labelSelector: `${RBAC_LABEL}=true` });
  for (const { metadata } of items) {
    const { namespace = '', name } = metadata;
    if (!keep.has(`${namespace}/${name}`)) await client.delete(ROLE_BINDINGS, { namespace, name });
  }
}
