/** A call of the API as a record of the audit log: who, what, where, and how it ended. */
import type { AuditEntry } from '#ghippo/audit/audit-record.ts';
import { type Audited, rpcName } from '#rpc/index.ts';
import { scopeOf } from './authorize.ts';

/** Whoever only looks leaves no trace, unless they were refused or looked at a credential. */
export function isOnRecord({ rpc, error }: Audited): boolean {
  return error !== undefined || !/^(List|Get|Query|Detect|Watch)/.test(rpc.name) || rpc.name.endsWith('KubeConfig');
}

export function recordOf(call: Audited): AuditEntry {
  const { rpc, caller, peer, header, error, message } = call;
  const name = (message as unknown as Record<string, unknown> | undefined)?.['name'];
  const agent = header.get('user-agent');
  return {
    user: caller?.user ?? '',
    method: 'token',
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
