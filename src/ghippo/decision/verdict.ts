/** What a decision says: yes and by which way, or no and what is missing. */
import type { Subject } from '#ghippo/apis/kinds.ts';
import type { Permission } from '#ghippo/apis/permission.ts';
import type { Scope } from '#ghippo/apis/scope.ts';

export type Verdict = Allowed | Denied;

export interface Allowed {
  readonly allowed: true;
  readonly permission: Permission;
  readonly scope: Scope;
  readonly because: GrantPath;
}

export interface Denied {
  readonly allowed: false;
  /** Undefined when the operation asked about is not known. */
  readonly permission: Permission | undefined;
  readonly scope: Scope;
  readonly missing: Missing;
}

/** From the user to the point: who they are, what was given to them, where, and how that reaches the scope. */
export interface GrantPath {
  readonly subject: Subject;
  /** For a right given to holders of a role: the binding through which this user holds it. */
  readonly through?: { readonly binding: string; readonly subject: Subject };
  readonly binding: string;
  readonly role: string;
  /** What in the role grants it, as the role states it. */
  readonly point: string;
  /** From the scope asked for to the one the binding names. */
  readonly scopes: readonly Scope[];
  readonly sentence: string;
}

export type MissingReason =
  | 'NotReady'
  | 'UnknownOperation'
  | 'UnknownPermission'
  | 'WrongScope'
  | 'UnknownUser'
  | 'UserDisabled'
  | 'TokenTooNarrow'
  | 'NoBinding';

export interface Missing {
  readonly reason: MissingReason;
  readonly sentence: string;
  /** Roles that would grant it, if bound where they can be. */
  readonly roles: readonly string[];
  /** Bindings the user has that do not reach as far, and why. */
  readonly near: readonly { readonly binding: string; readonly role: string; readonly why: string }[];
}

/** A narrower right than its owner's, as a token carries it. What is absent does not narrow. */
export interface Narrowing {
  readonly permissions?: readonly string[];
  readonly scopes?: readonly Scope[];
}

export interface AccessRequest {
  readonly user: string;
  /** Groups known from elsewhere, beside those of the snapshot. */
  readonly groups?: readonly string[];
  /** A registered permission point; or, instead, an operation of a product's API. */
  readonly permission?: Permission;
  readonly operation?: string;
  readonly scope: Scope;
  readonly token?: Narrowing;
}
