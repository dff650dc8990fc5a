/**
 * Giving and taking rights. A binding gives a role to users, groups or holders of a role in a scope; nobody gives more
 * than they have. What can be seen of bindings is what the caller may see in their scopes.
 */
import type { Ids } from '#base/ids.ts';
import { notFound, StatusError } from '#base/status-error.ts';
import type { Action, Caller, Guard } from '#ghippo/access/index.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import { type AccessBinding, type AccessBindingSpec, GHIPPO_GROUP, type Subject } from '#ghippo/apis/kinds.ts';
import type { Permission } from '#ghippo/apis/permission.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import { sameScope, type Scope, scopeText } from '#ghippo/apis/scope.ts';
import { decide } from '#ghippo/decision/decide.ts';
import type { LiveSnapshot } from '#ghippo/decision/live-snapshot.ts';
import type { GrantPath } from '#ghippo/decision/verdict.ts';
import { requireNoEscalation } from './escalation.ts';

const NAME_SUFFIX = 8;

export interface BindingsService {
  grant(caller: Caller, input: AccessBindingSpec & { readonly name?: string }): Promise<AccessBinding>;
  /** Takes back a whole binding. */
  revoke(caller: Caller, name: string): Promise<void>;
  /** Takes a binding from one of its subjects; the last one takes the binding along. */
  revokeFrom(caller: Caller, name: string, subject: Subject): Promise<void>;
  listBindings(
    caller: Caller,
    filter?: { readonly scope?: Scope; readonly subject?: Subject; readonly role?: string },
  ): Promise<readonly AccessBinding[]>;
  /** Everyone who may do something somewhere, and why. */
  whoCan(
    caller: Caller,
    permission: Permission,
    scope: Scope,
  ): Promise<readonly { readonly user: string; readonly because: GrantPath }[]>;
}

export function bindingsService(deps: {
  readonly clients: GhippoClients;
  readonly guard: Guard;
  readonly snapshot: LiveSnapshot;
  readonly ids: Ids;
}): BindingsService {
  const { guard, snapshot, ids } = deps;
  const { bindings, users, groups, roles, workspaces, folders } = deps.clients;
  const on = (action: string, scope: Scope, name: string, detail?: object): Action => ({
    permission: ghippoPermission('access', action),
    scope,
    name,
    ...(detail ? { detail } : {}),
  });

  async function requireSubject({ kind, name }: Subject): Promise<void> {
    // A group with a prefix is an identity provider's: nobody of it needs to have been here yet.
    if (kind === 'Group' && name.includes(':')) return;
    const client = { User: users, Group: groups, Role: roles }[kind];
    if (!(await client.find(name))) throw notFound(client.gvr.resource, name, GHIPPO_GROUP);
  }

  async function requirePlace(scope: Scope): Promise<void> {
    if (scope.type === 'Folder' && !(await folders.find(scope.folder)))
      throw notFound('folders', scope.folder, GHIPPO_GROUP);
    if (scope.type === 'Workspace' && !(await workspaces.find(scope.workspace)))
      throw notFound('workspaces', scope.workspace, GHIPPO_GROUP);
  }

  async function requireFitting({ role: name, scope }: AccessBindingSpec): Promise<void> {
    const role = await roles.find(name);
    if (!role) throw notFound('roles', name, GHIPPO_GROUP);
    if (role.spec.scope !== scope.type)
      throw new StatusError('Invalid', `role "${name}" is for a ${role.spec.scope}, not for ${scopeText(scope)}`);
  }

  async function requireBinding(name: string): Promise<AccessBinding> {
    const binding = await bindings.find(name);
    if (!binding) throw notFound('accessbindings', name, GHIPPO_GROUP);
    return binding;
  }

  return {
    grant: (caller, { name, ...spec }) => {
      const chosen = name ?? `${spec.role}-${ids.suffix(NAME_SUFFIX)}`;
      return guard.perform(caller, on('grant', spec.scope, chosen, spec), async () => {
        await requireFitting(spec);
        await requirePlace(spec.scope);
        for (const subject of spec.subjects) await requireSubject(subject);
        const now = snapshot.current();
        const points = now.role(spec.role)?.points() ?? now.points;
        requireNoEscalation(guard, now, caller, { points, scope: spec.scope });
        return bindings.create({ metadata: { name: chosen }, spec });
      });
    },
    async revoke(caller, name) {
      const { spec } = await requireBinding(name);
      await guard.perform(caller, on('revoke', spec.scope, name, spec), () => bindings.remove(name));
    },
    async revokeFrom(caller, name, subject) {
      const { spec } = await requireBinding(name);
      await guard.perform(
        caller,
        on('revoke', spec.scope, name, { role: spec.role, subjects: [subject] }),
        async () => {
          const isOther = (one: Subject) => !sameSubject(one, subject);
          if (!spec.subjects.some(isOther)) return bindings.remove(name);
          await bindings.modify(name, (draft) => {
            draft.spec.subjects = draft.spec.subjects.filter(isOther);
          });
        },
      );
    },
    async listBindings(caller, { scope, subject, role } = {}) {
      const seen = (await bindings.list()).filter(
        ({ spec }) =>
          (scope === undefined || sameScope(spec.scope, scope)) &&
          (subject === undefined || spec.subjects.some((one) => sameSubject(one, subject))) &&
          (role === undefined || spec.role === role),
      );
      return seen.filter(
        ({ spec }) => isOwn(spec, caller) || guard.may(caller, ghippoPermission('access', 'list'), spec.scope),
      );
    },
    async whoCan(caller, permission, scope) {
      await guard.require(caller, on('list', scope, permission));
      const now = snapshot.current();
      const all = await users.list();
      return all.flatMap(({ metadata: { name: user } }) => {
        const verdict = decide(now, { user, permission, scope });
        return verdict.allowed ? [{ user, because: verdict.because }] : [];
      });
    },
  };
}

function sameSubject(a: Subject, b: Subject): boolean {
  return a.kind === b.kind && a.name === b.name;
}

/** Everyone may see what was given to them by name. */
function isOwn({ subjects }: AccessBindingSpec, { user }: Caller): boolean {
  return subjects.some(({ kind, name }) => kind === 'User' && name === user);
}
