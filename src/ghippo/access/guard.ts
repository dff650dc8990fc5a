/**
 * The gate before every write: first the decision, then the write, and a record of what came of it.
 *
 * A denial is recorded too, and says what is missing. Nothing is done before the decision. Start at {@link Guard.perform}.
 */
import { StatusError } from '#base/status-error.ts';
import type { Permission } from '#ghippo/apis/permission.ts';
import { parsePermission } from '#ghippo/apis/permission.ts';
import type { Scope } from '#ghippo/apis/scope.ts';
import type { AuditLog } from '#ghippo/audit/audit-log.ts';
import type { AuditEntry } from '#ghippo/audit/audit-record.ts';
import type { Authorizer } from '#ghippo/decision/live-snapshot.ts';
import type { Verdict } from '#ghippo/decision/verdict.ts';
import { type Caller, SYSTEM } from './caller.ts';

export interface Action {
  readonly permission: Permission;
  readonly scope: Scope;
  /** What it is done to. */
  readonly name: string;
  readonly detail?: object;
}

export interface Guard {
  /** Does a write if the caller may, and records it; throws `Forbidden` when they may not. */
  perform<T>(caller: Caller, action: Action, write: () => Promise<T>): Promise<T>;
  /** The same for what needs no right but being oneself. */
  performOwn<T>(caller: Caller, action: Action, write: () => Promise<T>): Promise<T>;
  /** For reads: throws `Forbidden`, and records that, when the caller may not. */
  require(caller: Caller, action: Action): Promise<void>;
  may(caller: Caller, permission: Permission, scope: Scope): boolean;
}

export function guard({ authorizer, audit }: { readonly authorizer: Authorizer; readonly audit: AuditLog }): Guard {
  function verdictOf(caller: Caller, permission: Permission, scope: Scope): Verdict | undefined {
    if (caller === SYSTEM) return undefined;
    const { user, groups, token } = caller;
    return authorizer.decide({ user, permission, scope, ...(groups ? { groups } : {}), ...(token ? { token } : {}) });
  }

  async function require(caller: Caller, action: Action): Promise<string> {
    const verdict = verdictOf(caller, action.permission, action.scope);
    if (!verdict) return 'the platform itself';
    if (verdict.allowed) return verdict.because.sentence;
    const { reason, sentence, roles } = verdict.missing;
    if (reason === 'NotReady') throw new StatusError('ServiceUnavailable', sentence);
    await audit.record(entryOf(caller, action, 'denied', sentence));
    throw forbidden(sentence, roles);
  }

  async function recorded<T>(caller: Caller, action: Action, because: string, write: () => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await write();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      await audit.record(entryOf(caller, action, 'failed', why));
      throw error;
    }
    await audit.record(entryOf(caller, action, 'allowed', because));
    return result;
  }

  return {
    async perform(caller, action, write) {
      const because = await require(caller, action);
      return recorded(caller, action, because, write);
    },
    performOwn: (caller, action, write) =>
      recorded(caller, action, `user "${caller.user}" does it for themselves`, write),
    async require(caller, action) {
      await require(caller, action);
    },
    may: (caller, permission, scope) => verdictOf(caller, permission, scope)?.allowed ?? true,
  };
}

/** A refusal that tells people what is missing and programs which roles would do. */
export function forbidden(sentence: string, roles: readonly string[] = []): StatusError {
  const causes = roles.map((role) => ({ reason: 'RoleWouldGrant', message: role }));
  return new StatusError('Forbidden', sentence, causes.length === 0 ? {} : { details: { causes } });
}

function entryOf(caller: Caller, action: Action, verdict: AuditEntry['verdict'], reason: string): AuditEntry {
  const { product = '', resourceType = '' } = parsePermission(action.permission) ?? {};
  return {
    user: caller.user,
    method: caller.method,
    ...(caller.address === undefined ? {} : { address: caller.address }),
    ...(caller.agent === undefined ? {} : { agent: caller.agent }),
    action: action.permission,
    product,
    resourceType,
    resourceName: action.name,
    scope: action.scope,
    verdict,
    reason,
    ...(action.detail ? { detail: action.detail } : {}),
  };
}
