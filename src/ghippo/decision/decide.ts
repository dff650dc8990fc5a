/**
 * May this user do this here? A pure function of a snapshot, which says why.
 *
 * A right has one source: a binding that gives a role with the point to the user, to a group of theirs, or to the holders
 * of a role they hold, in a scope that contains the one asked about. There is no rule that takes a right away, so that
 * removing anything (a binding, a membership, a role's point) never gives a right to anyone. Everything else is denied:
 * points and operations nobody registered, users nobody knows. A token narrows what its owner may do and never widens it.
 */
import type { AccessBinding, PermissionPoint, Subject } from '#ghippo/apis/kinds.ts';
import { covers, type Permission } from '#ghippo/apis/permission.ts';
import {
  instanceScope,
  PLATFORM,
  SCOPE_TYPES,
  type Scope,
  type ScopeType,
  scopeKey,
  scopeText,
} from '#ghippo/apis/scope.ts';
import { type Containment, containers } from './containment.ts';
import type { EffectiveRole } from './effective-role.ts';
import { grantSentence, subjectText } from './sentences.ts';
import type { AccessSnapshot } from './snapshot.ts';
import type { AccessRequest, Denied, GrantPath, Missing, MissingReason, Narrowing, Verdict } from './verdict.ts';

export function decide(snapshot: AccessSnapshot, request: AccessRequest): Verdict {
  const permission = request.permission ?? snapshot.permissionOf(request.operation ?? '');
  const deny = (reason: MissingReason, sentence: string, more: Partial<Missing> = {}): Denied => ({
    allowed: false,
    permission,
    scope: request.scope,
    missing: { reason, sentence, roles: [], near: [], ...more },
  });

  if (permission === undefined)
    return deny('UnknownOperation', `no product has registered the operation "${request.operation ?? ''}"`);
  const point = snapshot.point(permission);
  if (!point) return deny('UnknownPermission', `no product has registered the permission "${permission}"`);
  const scope = liftedScope(request.scope, point);
  if (!scope) return deny('WrongScope', `${permission} cannot be asked for in ${scopeText(request.scope)}`);
  const user = snapshot.user(request.user);
  if (!user) return deny('UnknownUser', `there is no user "${request.user}"`);
  if (user.spec.disabled) return deny('UserDisabled', `user "${request.user}" is disabled`);

  const around = containers(snapshot.tree, scope);
  const { path, near } = findGrant(snapshot, request, permission, around);
  if (!path) {
    const roles = snapshot.roles.filter((role) => role.grants(permission) && isAmong(role.scope, around));
    return deny('NoBinding', missingSentence(request.user, permission, scope, near.length), {
      roles: roles.map(({ name }) => name),
      near,
    });
  }
  if (request.token && !admits(request.token, permission, around))
    return deny(
      'TokenTooNarrow',
      `the token of user "${request.user}" does not include ${permission} in ${scopeText(scope)}`,
    );
  return { allowed: true, permission, scope, because: path };
}

/**
 * The scope in which a point exists: asked for in a narrower one, it is the wider one that counts. That only makes it
 * harder to be allowed, and lets callers name what their request names.
 */
function liftedScope(asked: Scope, point: PermissionPoint): Scope | undefined {
  if (width(point.scope) >= width(asked.type)) return asked;
  if (point.scope === 'Platform') return PLATFORM;
  if (point.scope === 'Instance' && asked.type === 'Namespace') return instanceScope(asked.instance);
  return undefined;
}

/** 0 is the widest. */
function width(type: ScopeType): number {
  return SCOPE_TYPES.indexOf(type);
}

interface Holding {
  readonly binding: AccessBinding;
  readonly subject: Subject;
  readonly through?: { readonly binding: string; readonly subject: Subject };
}

interface Search {
  readonly path?: GrantPath;
  readonly near: Missing['near'];
}

type Around = ReadonlyMap<string, Containment>;

function findGrant(snapshot: AccessSnapshot, request: AccessRequest, permission: Permission, around: Around): Search {
  const near: { binding: string; role: string; why: string }[] = [];
  for (const holding of holdings(snapshot, subjectsOf(snapshot, request), around)) {
    const { binding, subject, through } = holding;
    const role = snapshot.role(binding.spec.role);
    const container = around.get(scopeKey(binding.spec.scope));
    const point = role?.grants(permission);
    if (role && container && point !== undefined && role.scope === binding.spec.scope.type) {
      const scopes = container.path;
      const path = {
        subject,
        ...(through ? { through } : {}),
        binding: binding.metadata.name,
        role: role.name,
        point,
        scopes,
      };
      return { path: { ...path, sentence: grantSentence(request.user, permission, path) }, near: [] };
    }
    near.push({
      binding: binding.metadata.name,
      role: binding.spec.role,
      why: shortcoming(binding, role, permission, container),
    });
  }
  return { near };
}

/** The user and all their groups, each of which may have been given something. */
export function subjectsOf(
  snapshot: AccessSnapshot,
  { user, groups = [] }: Pick<AccessRequest, 'user' | 'groups'>,
): readonly Subject[] {
  const named = new Set([...snapshot.groupsOf(user), ...groups]);
  return [{ kind: 'User', name: user }, ...Array.from(named, (name): Subject => ({ kind: 'Group', name }))];
}

/** What was given to the subjects themselves, then what was given to those who hold a role of theirs around the scope. */
function* holdings(snapshot: AccessSnapshot, subjects: readonly Subject[], around: Around): Generator<Holding> {
  const direct = subjects.flatMap((subject) =>
    snapshot.bindingsOf(subject).map((binding): Holding => ({ binding, subject })),
  );
  yield* direct;
  for (const { binding, subject } of direct) {
    if (!holdsRole(snapshot, binding, around)) continue;
    const role: Subject = { kind: 'Role', name: binding.spec.role };
    const through = { binding: binding.metadata.name, subject };
    for (const next of snapshot.bindingsOf(role)) yield { binding: next, subject: role, through };
  }
}

function holdsRole(snapshot: AccessSnapshot, { spec }: AccessBinding, around: Around): boolean {
  return around.has(scopeKey(spec.scope)) && snapshot.role(spec.role)?.scope === spec.scope.type;
}

function shortcoming(
  { spec }: AccessBinding,
  role: EffectiveRole | undefined,
  permission: Permission,
  container: Containment | undefined,
): string {
  if (!role) return `role "${spec.role}" does not exist`;
  if (role.scope !== spec.scope.type)
    return `role "${role.name}" is for a ${role.scope} and is bound to ${scopeText(spec.scope)}`;
  if (!container) return `it holds in ${scopeText(spec.scope)} only`;
  return role.grants(permission) === undefined
    ? `role "${role.name}" does not include ${permission}`
    : `it holds in ${scopeText(spec.scope)}`;
}

function admits({ permissions, scopes }: Narrowing, permission: Permission, around: Around): boolean {
  if (permissions && !permissions.some((named) => covers(named, permission))) return false;
  return scopes === undefined || scopes.some((scope) => around.has(scopeKey(scope)));
}

function isAmong(type: ScopeType, around: Around): boolean {
  return [...around.values()].some(({ scope }) => scope.type === type);
}

function missingSentence(user: string, permission: Permission, scope: Scope, near: number): string {
  const had =
    near === 0
      ? `nothing was given to ${subjectText({ kind: 'User', name: user })}`
      : 'what they were given does not reach it';
  return `user "${user}" has no binding that grants ${permission} in ${scopeText(scope)}: ${had}`;
}
