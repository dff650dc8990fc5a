/**
 * Which workspace an instance, or a namespace of one, belongs to. The identity module keeps it and judges who may change
 * it: whoever binds needs a say in both the workspace and what is bound.
 */
import { badRequest, notFound } from '#base/status-error.ts';
import { NAMESPACE } from '../kinds.ts';
import { Action } from '#gen/proto/kairship/api/workspace/v1alpha1/workspace_pb.ts';
import { WorkspaceService } from '#gen/proto/kairship/api/workspace/v1alpha1/workspace_service_pb.ts';
import { SYSTEM } from '#ghippo/access/caller.ts';
import type { BindableResource, Workspace } from '#ghippo/apis/kinds.ts';
import { instanceScope, namespaceScope, scopeKey } from '#ghippo/apis/scope.ts';
import type { WorkspacesService } from '#ghippo/workspace/index.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { reachOf } from '../../access/authorize.ts';
import { instances as instancesOf } from '../../instances/kinds.ts';
import { callerIn, type Context, type ServiceDeps } from '../deps.ts';
import { pagination, type PageRequest, slice } from '../paging.ts';

export interface WorkspaceServiceDeps extends ServiceDeps {
  readonly workspaces: WorkspacesService;
}

interface Info {
  readonly workspace: string;
  readonly workspaceId: number;
}

const LIST_INSTANCES = kairshipPermission('instance', 'list');
const LIST_NAMESPACES = kairshipPermission('namespace', 'list');

export function workspaceService(deps: WorkspaceServiceDeps): ServedService {
  const { workspaces } = deps;
  const personIn = (context: Context) => {
    const { user, groups, token } = callerIn(context);
    return { user, groups, method: token ? ('token' as const) : ('session' as const), ...(token ? { token } : {}) };
  };

  /** Whose a resource is may be known to everybody who may see the resource. */
  async function owners(): Promise<(resource: BindableResource) => Info | undefined> {
    const [bound, all] = await Promise.all([workspaces.listResources(SYSTEM), workspaces.listWorkspaces(SYSTEM)]);
    const byName = new Map(all.map((workspace) => [workspace.metadata.name, infoOf(workspace)]));
    const byResource = new Map(bound.map(({ spec }) => [scopeKey(spec.resource), byName.get(spec.workspace)]));
    return (resource) => byResource.get(scopeKey(resource));
  }

  async function instancesSeen(context: Context, permission: string, part: string): Promise<readonly string[]> {
    const reach = reachOf(deps.access, callerIn(context), permission);
    const known = (await instancesOf(deps.global).list()).map(({ metadata }) => metadata.name);
    const within = (name: string) =>
      reach.all || reach.instances.includes(name) || reach.namespaces.some(({ instance }) => instance === name);
    return known.filter((name) => within(name) && name.includes(part)).toSorted();
  }

  async function change(context: Context, resource: BindableResource, wanted: Info | undefined, action: Action) {
    const caller = personIn(context);
    if (action === Action.UNBIND) return workspaces.unbindResource(caller, resource);
    if (action !== Action.BIND) throw badRequest('action: say BIND or UNBIND');
    const all = await workspaces.listWorkspaces(caller);
    const found = all.find(({ metadata, spec }) =>
      wanted?.workspaceId ? spec.id === wanted.workspaceId : metadata.name === wanted?.workspace,
    );
    if (!found) throw notFound('workspaces', wanted?.workspace || String(wanted?.workspaceId ?? ''), 'ghippo.io');
    await workspaces.bindResource(caller, found.metadata.name, resource);
  }

  return service(WorkspaceService, {
    async listInstances(request, context) {
      const names = await instancesSeen(context, LIST_INSTANCES, request.instance);
      const ownerOf = await owners();
      return page(
        request,
        names.map((instance) => ({ instance, ...given(ownerOf(instanceScope(instance))) })),
      );
    },
    async listNamespaceInstances(request, context) {
      const names = await instancesSeen(context, LIST_NAMESPACES, request.instance);
      const ownerOf = await owners();
      const of = async (instance: string) => {
        const reach = reachOf(deps.access, callerIn(context), LIST_NAMESPACES, instance);
        const found = await deps.reads.all({ place: { instance }, resource: NAMESPACE, reach });
        const list = found.map(({ metadata }) => metadata.name).filter((name) => name.includes(request.namespace));
        return list
          .toSorted()
          .map((namespace) => ({ instance, namespace, ...given(ownerOf(namespaceScope(instance, namespace))) }));
      };
      return page(request, (await Promise.all(names.map(of))).flat());
    },
    async listWorkspaces(request, context) {
      const all = (await workspaces.listWorkspaces(personIn(context))).map(infoOf);
      return page(
        request,
        all.filter(({ workspace }) => workspace.includes(request.workspace)),
      );
    },
    async bindInstances(request, context) {
      await change(context, instanceScope(request.instance), request.workspace, request.action);
      return request;
    },
    async bindNamespaceInstances(request, context) {
      const resource = namespaceScope(request.instance, request.namespace);
      await change(context, resource, request.workspace, request.action);
      return request;
    },
  });
}

function page<T>(request: PageRequest, all: readonly T[]) {
  return { items: slice(request, all), pagination: pagination(request, all.length) };
}

function infoOf({ metadata, spec }: Workspace): Info {
  return { workspace: metadata.name, workspaceId: spec.id };
}

function given(workspace: Info | undefined): { readonly workspace?: Info } {
  return workspace ? { workspace } : {};
}
