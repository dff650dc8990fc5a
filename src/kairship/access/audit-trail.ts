/** A call of the API as a record of the audit log: who, what, where, and how it ended. */
import type { AuditEntry } from '#ghippo/audit/audit-record.ts';
import { type Audited, rpcName } from '#rpc/index.ts';
import { scopeOf } from './authorize.ts';

/** Calls that change nothing: the console makes them all the time, and what somebody did would be lost among them. */
const ONLY_LOOKS = /^(List|Get|Query|Detect|Watch|Search|Count|Explain|Simulate|Interpret|Check|WhoCan)/;

/** Whoever only looks leaves no trace, unless they were refused or looked at a credential. */
export function isOnRecord({ rpc, error }: Audited): boolean {
  const refused = error !== undefined && isRefusal(error.reason);
  return refused || !ONLY_LOOKS.test(rpc.name) || rpc.name.endsWith('KubeConfig');
}

export function recordOf(call: Audited): AuditEntry {
  const { rpc, caller, peer, header, error, message } = call;
  const name = (message as unknown as Record<string, unknown> | undefined)?.['name'];
  const agent = header.get('user-agent');
  return {
    user: caller?.user ?? '',
    // Without a token it is the cookie of somebody who has signed in.
    method: header.has('authorization') ? 'token' : 'session',
    ...(peer.address ? { address: peer.address } : {}),
    ...(agent ? { agent } : {}),
    action: rpc.name,
    product: productOf(rpc),
    resourceType: rpc.parent.name.replace(/Service$/, ''),
    resourceName: typeof name === 'string' ? name : '',
    scope: scopeOf(call),
    verdict: error === undefined ? 'allowed' : isRefusal(error.reason) ? 'denied' : 'failed',
    reason: error?.message ?? '',
    detail: { operation: rpcName(rpc), ...lineOf(message) },
  };
}

/** `kairship.api.apps.v1alpha1.AppsService` is of `kairship`. */
function productOf({ parent }: Audited['rpc']): string {
  return parent.typeName.split('.')[0] ?? '';
}

/** What somebody typed into a shell is on record as they typed it. */
function lineOf(message: Audited['message']): { readonly line?: string } {
  const line = (message as unknown as Record<string, unknown> | undefined)?.['line'];
  return typeof line === 'string' ? { line } : {};
}

function isRefusal(reason: string): boolean {
  return reason === 'Forbidden' || reason === 'Unauthorized';
}
