/**
 * May this call be made? Asked before anything behind the entrance hears of it.
 *
 * The right an operation needs is registered with it (`kairship-product.ts`); where it is needed, the request says: the
 * instance and the namespace it names. A list that names none is not refused but shows what the caller may see, and is
 * refused only to those who may see nothing of the kind anywhere, when it names an instance: an empty list of instances
 * is a good answer, a list of an instance one has nothing to do with is not.
 */
import { StatusError } from '#base/status-error.ts';
import { type LiveSnapshot, type Reach, reach, type Verdict } from '#ghippo/decision/index.ts';
import type { Narrowing } from '#ghippo/decision/verdict.ts';
import { instanceScope, namespaceScope, PLATFORM, type Scope } from '#ghippo/apis/scope.ts';
import { parsePermission, type Permission } from '#ghippo/apis/permission.ts';
import type { Call, Caller } from '#rpc/index.ts';
import { rpcName } from '#rpc/index.ts';

/** A caller whose token may carry less than all their rights. */
export interface PlatformCaller extends Caller {
  readonly token?: Narrowing;
}

export type Access = Pick<LiveSnapshot, 'decide' | 'current'>;

/** Throws `Forbidden`, with what is missing, unless the call may be made. */
export function authorizeCall(access: Access, call: Call): void {
  const caller = signedIn(call);
  const operation = rpcName(call.rpc);
  const scope = scopeOf(call);
  const verdict = access.decide({ ...rightsOf(caller), operation, scope });
  if (verdict.allowed) return;
  if (verdict.permission !== undefined && isList(call) && seesSome(access, caller, verdict.permission, scope)) return;
  throw forbidden(verdict, caller);
}

/** Where the caller may do something, within an instance or everywhere: what a list of theirs shows. */
export function reachOf(access: Access, caller: PlatformCaller, permission: Permission, instance?: string): Reach {
  const within = instance === undefined ? {} : { within: instanceScope(instance) };
  return reach(access.current(), { ...rightsOf(caller), permission, ...within });
}

/** The narrowest place a request names. */
export function scopeOf({ rpc, message }: Pick<Call, 'rpc' | 'message'>): Scope {
  const field = (name: string) => {
    const value = (message as unknown as Record<string, unknown> | undefined)?.[name];
    return typeof value === 'string' ? value : '';
  };
  // The service of instances calls an instance by its name; every other one, by what it is.
  const instance = field('instance') || (rpc.parent.name === 'InstanceService' ? field('name') : '');
  if (instance === '') return PLATFORM;
  const namespace = agreedNamespace(field('namespace') || (namesNamespace(rpc) ? field('name') : ''), message);
  return namespace === '' ? instanceScope(instance) : namespaceScope(instance, namespace);
}

/** The namespace of a request, or of the object it refers to; none when they differ, which asks for a right in both. */
function agreedNamespace(namespace: string, message: unknown): string {
  const { resource } = (message ?? {}) as { readonly resource?: { readonly namespace?: unknown } };
  const referred = typeof resource?.namespace === 'string' ? resource.namespace : '';
  if (namespace === '' || referred === '') return namespace || referred;
  return namespace === referred ? namespace : '';
}

/** `GetNamespace`, `UpdateNamespace`, …: what they name is itself the namespace. */
function namesNamespace({ name }: Call['rpc']): boolean {
  return /^(Get|Update|Patch)Namespace(JSON)?$/.test(name);
}

/** What a decision is asked with. */
export function rightsOf({ user, groups, token }: PlatformCaller) {
  return { user, groups, ...(token ? { token } : {}) };
}

function signedIn({ caller }: Call): PlatformCaller {
  if (!caller) throw new StatusError('Unauthorized', 'sign in first: this call carries no valid token or session');
  return caller;
}

function isList({ rpc }: Call): boolean {
  return /^(List|Watch|Search)/.test(rpc.name);
}

function seesSome(access: Access, caller: PlatformCaller, permission: Permission, scope: Scope): boolean {
  if (scope.type === 'Platform') return true;
  if (scope.type !== 'Instance') return false;
  const { all, instances, namespaces } = reachOf(access, caller, permission, scope.instance);
  return all || instances.length > 0 || namespaces.length > 0;
}

function forbidden(verdict: Extract<Verdict, { allowed: false }>, { user }: PlatformCaller): StatusError {
  const { missing, permission } = verdict;
  if (missing.reason === 'NotReady') return new StatusError('ServiceUnavailable', missing.sentence);
  const { resourceType = '', action = 'call' } = parsePermission(permission ?? '') ?? {};
  const help = missing.roles.length > 0 ? `; roles that would grant it: ${missing.roles.join(', ')}` : '';
  return new StatusError('Forbidden', `user "${user}" may not ${action} ${resourceType}: ${missing.sentence}${help}`);
}
