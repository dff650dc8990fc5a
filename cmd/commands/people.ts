/** `kairship user`, `role`, `workspace` and `audit`: who there is, what they may do, where, and what they did. */
import { toJson } from '@bufbuild/protobuf';
import pc from 'picocolors';
import { hasReason, type StatusError } from '#base/status-error.ts';
import { type Binding, BindingSchema, AccessService } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import {
  type AuditRecord,
  AuditRecord_Verdict,
  AuditRecord_VerdictSchema,
  AuditRecordSchema,
  AuditService,
} from '#gen/proto/ghippo/api/audit/v1alpha1/audit_service_pb.ts';
import { LoginService } from '#gen/proto/ghippo/api/login/v1alpha1/login_service_pb.ts';
import { type Role, RoleSchema, RoleService } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import { Scope_TypeSchema, Subject_Kind, Subject_KindSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { type User, UserSchema, UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import {
  type Workspace,
  WorkspaceSchema,
  WorkspaceService,
} from '#gen/proto/ghippo/api/workspace/v1alpha1/workspace_service_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { allPages } from '../cli/all-pages.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { consoleAddress } from '../cli/console-address.ts';
import { enumName } from '../cli/enum-name.ts';
import { CommandFailure, EXIT, usageFailure } from '../cli/failure.ts';
import { follow } from '../cli/follow.ts';
import { type Format, type Listed, type ListOptions, printOne, printValue, stateWord, write } from '../cli/output.ts';
import { askHidden, confirm, fromStdin } from '../cli/prompt.ts';
import { note } from '../cli/screen.ts';
import { table } from '../cli/table.ts';
import { ago, scopeFrom, scopeText } from './access-words.ts';

type Listing = ConnectionOptions & ListOptions;

const USERS: Listed<User> = {
  kind: 'user',
  name: ({ name }) => name,
  object: (user) => toJson(UserSchema, user),
  columns: [
    { head: 'NAME', of: ({ name }) => name },
    { head: 'DISPLAY NAME', of: ({ displayName }) => displayName },
    { head: 'EMAIL', of: ({ email }) => email },
    { head: 'ENABLED', of: ({ enabled }) => (enabled ? 'yes' : pc.red('no')) },
    { head: 'FROM', of: ({ source }) => source || 'here', wide: true },
    { head: 'AGE', of: ({ createdAt }) => ago(createdAt) },
  ],
};

export function listUsers(options: Listing): Promise<void> {
  return connected(options, (on) =>
    follow(USERS, () => allPages((page) => on.rpc(UsersService).listUsers(page)), options, 'There are no users.'),
  );
}

export function getUser(name: string, options: ConnectionOptions & { readonly output?: Format }): Promise<void> {
  return connected(options, async (on) => {
    const user = await on.rpc(UsersService).getUser({ id: name });
    const [{ items: roles }, { items: groups }] = await Promise.all([
      on.rpc(UsersService).listUserRoles({ id: user.id }),
      on.rpc(UsersService).listUserGroups({ id: user.id }),
    ]);
    const rights = roles.map(({ role, scope, through }) => {
      const by = through && through.kind !== Subject_Kind.User ? ` through ${through.name}` : '';
      return `  ${role} in ${scope ? scopeText(scope) : 'platform'}${by}`;
    });
    printOne(USERS, user, options.output, () =>
      [
        `${pc.bold(user.name)}${user.displayName ? `  ${user.displayName}` : ''}${user.enabled ? '' : pc.red('  disabled')}`,
        ...(user.email ? [`  Email    ${user.email}`] : []),
        ...(groups.length > 0 ? [`  Groups   ${groups.join(', ')}`] : []),
        rights.length > 0 ? '  Roles' : '  Roles    none: kairship role grant ROLE --to user/NAME --in PLACE',
        ...rights.map((line) => `  ${line}`),
      ].join('\n'),
    );
  });
}

export interface CreateUserOptions extends ConnectionOptions {
  readonly displayName?: string;
  readonly email?: string;
  readonly passwordStdin?: boolean;
  readonly link?: boolean;
}

/** Without a password a user comes by a link, a token or an identity provider. */
export function createUser(name: string, options: CreateUserOptions): Promise<void> {
  return connected(options, async (on) => {
    const password = options.passwordStdin ? await fromStdin() : '';
    const { displayName = '', email = '' } = options;
    await on.rpc(UsersService).createUser({ name, displayName, email, password });
    note(`user/${pc.bold(name)} created`);
    if (options.link) {
      const { code } = await on.rpc(LoginService).createLoginLink({ user: name });
      note('A link that signs them in once:');
      write(`${consoleAddress(on.server)}/signin?code=${code}`);
    }
    note(pc.dim(`  Next: kairship role grant ROLE --to user/${name} --in instance/NAME`));
  });
}

export function enableUser(name: string, enabled: boolean, options: ConnectionOptions): Promise<void> {
  return connected(options, async (on) => {
    await on.rpc(UsersService).updateUser({ id: name, enabled });
    note(enabled ? `user/${name} may sign in again` : `user/${name} is disabled, and signed out everywhere`);
  });
}

export function setPassword(
  name: string,
  options: ConnectionOptions & { readonly passwordStdin?: boolean },
): Promise<void> {
  return connected(options, async (on) => {
    const password = options.passwordStdin
      ? await fromStdin()
      : await askHidden(`New password of ${name}: `, '--password-stdin');
    await on.rpc(UsersService).setUserPassword({ id: name, password });
    note(`user/${name} has a new password, and is signed out everywhere`);
  });
}

export function deleteUser(name: string, options: ConnectionOptions & { readonly yes?: boolean }): Promise<void> {
  return connected(options, async (on) => {
    if (!(await confirm(`Delete user ${name}, with all they were given?`, options.yes)))
      throw usageFailure(`user "${name}" stays`, 'the answer was no', `kairship user disable ${name}`);
    await on.rpc(UsersService).deleteUser({ id: name });
    note(`user/${name} deleted`);
  });
}

const ROLES: Listed<Role> = {
  kind: 'role',
  name: ({ name }) => name,
  object: (role) => toJson(RoleSchema, role),
  columns: [
    { head: 'NAME', of: ({ name }) => name },
    { head: 'GIVEN IN', of: ({ scope }) => enumName(Scope_TypeSchema, scope).toLowerCase() },
    { head: 'BUILT IN', of: ({ builtin }) => (builtin ? 'yes' : 'no') },
    {
      head: 'PERMISSIONS',
      of: ({ permissions, includes }) =>
        [...includes.map(({ tier, product }) => `${product || 'all'}: up to ${tier}`), ...permissions].join(', '),
      wide: true,
    },
    { head: 'DESCRIPTION', of: ({ description, displayName }) => description || displayName },
  ],
};

export function listRoles(options: Listing): Promise<void> {
  return connected(options, (on) =>
    follow(ROLES, () => allPages((page) => on.rpc(RoleService).listRoles(page)), options, 'There are no roles.'),
  );
}

export interface GrantOptions extends ConnectionOptions {
  readonly to: string;
  readonly in: string;
}

/** `user/alice`, `group/dev`, `role/editor` */
function subjectFrom(text: string) {
  const [kind = '', name = ''] = text.split('/');
  const kinds: Readonly<Record<string, number>> = {
    user: Subject_Kind.User,
    group: Subject_Kind.Group,
    role: Subject_Kind.Role,
  };
  const known = kinds[kind];
  if (known === undefined || name === '')
    throw usageFailure(`"${text}" is nobody`, 'say user/NAME, group/NAME or role/NAME', '--to user/NAME');
  return { kind: known as Subject_Kind, name };
}

export function grant(role: string, options: GrantOptions): Promise<void> {
  return connected(options, async (on) => {
    const [scope, subject] = [scopeFrom(options.in), subjectFrom(options.to)];
    // A right in what is not there would be cleaned away, and nobody be told.
    if (scope.instance !== '') await on.rpc(InstanceService).getInstance({ name: scope.instance });
    const there = await on.rpc(AccessService).listBindings({ role, scope, subject, pageSize: 1 });
    if (there.items[0]) return note(`${options.to} is ${pc.bold(role)} in ${options.in} already`);
    const { name } = await on.rpc(AccessService).grant({ role, scope, subjects: [subject] });
    note(`${options.to} is ${pc.bold(role)} in ${options.in} (binding/${name})`);
  });
}

export function revoke(role: string, options: GrantOptions): Promise<void> {
  return connected(options, async (on) => {
    const [scope, subject] = [scopeFrom(options.in), subjectFrom(options.to)];
    const found = await allPages((page) => on.rpc(AccessService).listBindings({ role, scope, subject, ...page }));
    if (found.length === 0)
      throw new CommandFailure(`${options.to} is not ${role} in ${options.in}`, {
        why: 'no binding gives it there',
        next: 'kairship role bindings',
        code: EXIT.notFound,
      });
    for (const { name } of found) await on.rpc(AccessService).revoke({ name, subject });
    note(`${options.to} is no longer ${role} in ${options.in}`);
  });
}

const BINDINGS: Listed<Binding> = {
  kind: 'binding',
  name: ({ name }) => name,
  object: (binding) => toJson(BindingSchema, binding),
  columns: [
    { head: 'ROLE', of: ({ role }) => role },
    { head: 'IN', of: ({ scope }) => (scope ? scopeText(scope) : '') },
    {
      head: 'TO',
      of: ({ subjects }) =>
        subjects.map(({ kind, name }) => `${enumName(Subject_KindSchema, kind).toLowerCase()}/${name}`).join(', '),
    },
    { head: 'NAME', of: ({ name }) => name, wide: true },
  ],
};

export function listBindings(options: Listing): Promise<void> {
  return connected(options, (on) =>
    follow(
      BINDINGS,
      () => allPages((page) => on.rpc(AccessService).listBindings(page)),
      options,
      'Nobody was given anything.',
    ),
  );
}

export interface AskRightOptions extends ConnectionOptions {
  readonly in: string;
  readonly user?: string;
  readonly output?: Format;
}

export function whoCan(permission: string, options: AskRightOptions): Promise<void> {
  return connected(options, async (on) => {
    const { items } = await on.rpc(AccessService).whoCan({ permission, scope: scopeFrom(options.in) });
    const { output } = options;
    const people = items.map(({ user, reason, binding }) => ({ user, reason, binding }));
    if (output && output.type !== 'table') return printValue({ items: people }, output);
    if (people.length === 0) return note(`Nobody may ${permission} in ${options.in}.`);
    write(
      table(
        ['USER', 'BECAUSE'],
        people.map(({ user, reason }) => [user, reason]),
      ),
    );
  });
}

/** Ends with 4 when the answer is no. */
export function can(permission: string, options: AskRightOptions): Promise<void> {
  return connected(options, async (on) => {
    const { user = '' } = options;
    const { allowed, reason } = await on.rpc(AccessService).decide({ user, permission, scope: scopeFrom(options.in) });
    write(`${stateWord(allowed ? 'allowed' : 'denied')}  ${reason}`);
    if (!allowed) process.exitCode = EXIT.denied;
  });
}

const WORKSPACES: Listed<Workspace> = {
  kind: 'workspace',
  name: ({ workspaceId }) => String(workspaceId),
  object: (workspace) => toJson(WorkspaceSchema, workspace),
  columns: [
    { head: 'ID', of: ({ workspaceId }) => String(workspaceId) },
    { head: 'NAME', of: ({ name }) => name },
    { head: 'DISPLAY NAME', of: ({ displayName }) => displayName },
    { head: 'FOLDER', of: ({ folderId }) => (folderId === 0 ? 'top' : String(folderId)) },
    { head: 'DESCRIPTION', of: ({ description }) => description, wide: true },
  ],
};

export function listWorkspaces(options: Listing): Promise<void> {
  return connected(options, (on) =>
    follow(
      WORKSPACES,
      () => allPages((page) => on.rpc(WorkspaceService).listWorkspaces(page)),
      options,
      'There are no workspaces.',
    ),
  );
}

export interface CreateWorkspaceOptions extends ConnectionOptions {
  readonly displayName?: string;
  readonly folder: number;
}

export function createWorkspace(name: string, options: CreateWorkspaceOptions): Promise<void> {
  return connected(options, async (on) => {
    const { displayName = '', folder: folderId } = options;
    const { workspaceId } = await on.rpc(WorkspaceService).createWorkspace({ name, displayName, folderId });
    note(`workspace/${pc.bold(name)} created, number ${workspaceId}`);
    note(pc.dim(`  Next: kairship workspace bind ${name} namespace/INSTANCE/NAME`));
  });
}

/** By its name, as rights know it, or by its number, as programs do. */
async function workspaceNamed(on: Connection, which: string): Promise<number> {
  if (/^\d+$/.test(which)) return Number(which);
  const all = await allPages((page) => on.rpc(WorkspaceService).listWorkspaces(page));
  const found = all.find(({ name }) => name === which);
  if (found) return found.workspaceId;
  throw new CommandFailure(`there is no workspace "${which}"`, {
    why: `there are ${all.map(({ name }) => name).join(', ') || 'none'}`,
    next: 'kairship workspace list',
    code: EXIT.notFound,
  });
}

export function deleteWorkspace(which: string, options: ConnectionOptions): Promise<void> {
  return connected(options, async (on) => {
    const id = await workspaceNamed(on, which);
    await on
      .rpc(WorkspaceService)
      .deleteWorkspace({ workspaceId: id })
      .catch((error: unknown) => {
        throw hasReason(error, 'Conflict') ? stillHolding(which, error) : error;
      });
    note(`workspace/${which} deleted`);
  });
}

function stillHolding(which: string, { message }: StatusError): CommandFailure {
  return new CommandFailure(message, {
    why: 'only a workspace that nothing belongs to can be deleted',
    next: `kairship workspace unbind ${which} instance/NAME, or namespace/INSTANCE/NAME`,
  });
}

/** `instance/demo` or `namespace/demo/shop` */
function resourceFrom(text: string) {
  const [type = '', instance = '', name] = text.split('/');
  if (type === 'instance' && instance !== '' && name === undefined)
    return { gproduct: 'kairship', resourceType: 'Kairship', resourceName: instance };
  if (type === 'namespace' && instance !== '' && name)
    return { gproduct: 'kairship', resourceType: 'Kairship-Namespace', resourceName: name, resourceScope: instance };
  throw usageFailure(
    `"${text}" cannot belong to a workspace`,
    'instances and namespaces can',
    'say instance/NAME or namespace/INSTANCE/NAME',
  );
}

export function bindResource(which: string, resource: string, options: ConnectionOptions): Promise<void> {
  return connected(options, async (on) => {
    const workspaceId = await workspaceNamed(on, which);
    await on.rpc(WorkspaceService).bindExclusiveResourceToWorkspace({ workspaceId, ...resourceFrom(resource) });
    note(`${resource} belongs to workspace/${which}`);
  });
}

export function unbindResource(which: string, resource: string, options: ConnectionOptions): Promise<void> {
  return connected(options, async (on) => {
    const workspaceId = await workspaceNamed(on, which);
    await on.rpc(WorkspaceService).unbindResourceFromWorkspace({ workspaceId, ...resourceFrom(resource) });
    note(`${resource} no longer belongs to workspace/${which}`);
  });
}

const AUDIT: Listed<AuditRecord> = {
  kind: 'audit',
  name: ({ id }) => id,
  object: (record) => toJson(AuditRecordSchema, record),
  columns: [
    { head: 'WHEN', of: ({ at }) => `${ago(at)} ago` },
    { head: 'USER', of: ({ user }) => user },
    { head: 'ACTION', of: ({ action }) => action },
    {
      head: 'RESOURCE',
      of: ({ resourceType, resourceName }) => [resourceType, resourceName].filter(Boolean).join('/'),
    },
    { head: 'IN', of: ({ scope }) => (scope ? scopeText(scope) : '') },
    { head: 'VERDICT', of: ({ verdict }) => stateWord(enumName(AuditRecord_VerdictSchema, verdict)) },
    { head: 'FROM', of: ({ address }) => address, wide: true },
    { head: 'BY', of: ({ method }) => method, wide: true },
    { head: 'REASON', of: ({ reason }) => reason, wide: true },
  ],
};

export interface AuditOptions extends Listing {
  readonly user?: string;
  readonly action?: string;
  readonly denied?: boolean;
  readonly since?: number;
}

const RECORDS = 50;

export function audit(options: AuditOptions): Promise<void> {
  return connected(options, (on) =>
    follow(
      AUDIT,
      async () => {
        const { user = '', action = '', since, limit = RECORDS } = options;
        const { items } = await on.rpc(AuditService).listAudits({
          user,
          action,
          verdict: options.denied ? AuditRecord_Verdict.denied : AuditRecord_Verdict.VERDICT_UNSPECIFIED,
          from: BigInt(since === undefined ? 0 : Date.now() - since),
          pageSize: limit,
        });
        return items;
      },
      options,
      'Nothing is on record.',
    ),
  );
}
