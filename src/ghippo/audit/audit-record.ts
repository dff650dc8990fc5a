/** One line of the audit log: who did what, to what, from where, and what came of it. */
import type { Scope } from '#ghippo/apis/scope.ts';

export type AuditVerdict = 'allowed' | 'denied' | 'failed';

export interface AuditEntry {
  readonly user: string;
  /** How they proved who they are: `session`, `token`, `password`, `system`, … */
  readonly method: string;
  readonly address?: string;
  readonly agent?: string;
  /** The permission point or operation: `ghippo/user/create`, `Apps_CreateDeployment`. */
  readonly action: string;
  readonly product: string;
  readonly resourceType: string;
  readonly resourceName: string;
  readonly scope?: Scope;
  readonly verdict: AuditVerdict;
  /** Why it was allowed or denied, or how it failed. */
  readonly reason: string;
  /** What else is worth knowing; never a secret. */
  readonly detail?: object;
}

export interface AuditRecord extends AuditEntry {
  /** Grows with time: a later record has a greater one. */
  readonly id: string;
  readonly at: number;
}

export interface AuditFilter {
  readonly user?: string;
  readonly product?: string;
  readonly resourceType?: string;
  readonly resourceName?: string;
  readonly action?: string;
  readonly verdict?: AuditVerdict;
  /** From this time on, and before that one, in milliseconds. */
  readonly from?: number;
  readonly to?: number;
  /** Only what happened in this scope, as `scopeKey` writes it. */
  readonly scope?: string;
}
