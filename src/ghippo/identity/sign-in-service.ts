/**
 * Signing in with a password, a one-time link or a code for a program, and signing out. Whoever fails learns nothing but
 * that, and if they have to wait, for how long: a wrong password, a user without one, a disabled one and an unknown one
 * look and take the same.
 */
import { sameText } from '#base/same-text.ts';
import { StatusError } from '#base/status-error.ts';
import type { Caller } from '#ghippo/access/caller.ts';
import type { Action, Guard } from '#ghippo/access/guard.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import type { AuditLog } from '#ghippo/audit/audit-log.ts';
import type { AuditEntry } from '#ghippo/audit/audit-record.ts';
import type { Once } from '#ghippo/session/once.ts';
import { hashOf } from '#ghippo/session/secret.ts';
import type { Session, SignInMethod, Sessions } from '#ghippo/session/sessions.ts';
import type { Attempts } from './attempts.ts';
import { checkPassword, hashPassword, type ScryptCost, wasteTime } from './password.ts';
import type { PasswordStore } from './password-store.ts';

export interface Origin {
  readonly address?: string;
  readonly agent?: string;
}

export interface SignedIn {
  /** What the browser is given; told once. */
  readonly secret: string;
  readonly session: Session;
}

/** What a program says of itself when it asks to be let in. */
export interface ProgramRequest {
  /** The SHA-256 of a secret that only the program knows (RFC 7636, S256). */
  readonly challenge: string;
  /** On which computer it runs, as it says. */
  readonly computer: string;
}

export interface SignInService {
  signIn(credentials: { readonly user: string; readonly password: string }, from?: Origin): Promise<SignedIn>;
  /** A code that signs a user in once; for the platform itself and for those who may create tokens for others. */
  createLink(caller: Caller, user: string): Promise<string>;
  signInByLink(code: string, from?: Origin): Promise<SignedIn>;
  /** A code for a program whose person is signed in: it works once, and only with the verifier of the challenge. */
  createCode(caller: Caller, asked: ProgramRequest): Promise<string>;
  signInByCode(shown: { readonly code: string; readonly verifier: string }, from?: Origin): Promise<SignedIn>;
  /** For those another way has already proven to be this user. */
  admit(user: string, method: SignInMethod, from?: Origin): Promise<SignedIn>;
  signOut(secret: string): Promise<void>;
}

export interface SignInDeps {
  readonly clients: GhippoClients;
  readonly passwords: PasswordStore;
  readonly sessions: Sessions;
  readonly once: Once;
  readonly attempts: Attempts;
  readonly audit: AuditLog;
  readonly guard: Guard;
  readonly passwordCost?: ScryptCost;
}

const LINK = 'sign-in-link';
const CODE = 'sign-in-code';

interface IssuedCode {
  readonly user: string;
  readonly challenge: string;
}

export function signInService(deps: SignInDeps): SignInService {
  const { clients, passwords, sessions, once, attempts, audit, guard, passwordCost } = deps;

  function record(user: string, method: SignInMethod, from: Origin, verdict: AuditEntry['verdict'], reason: string) {
    const action = ghippoPermission('session', 'create');
    const subject = { product: 'ghippo', resourceType: 'session', resourceName: user, scope: PLATFORM };
    return audit.record({ user, method, ...from, action, ...subject, verdict, reason });
  }

  async function refuse(user: string, method: SignInMethod, from: Origin, why: string): Promise<never> {
    await record(user, method, from, 'denied', why);
    throw new StatusError('Unauthorized', 'the name or the password is not right');
  }

  /** What is wrong with a user who wants in, for the audit log only. */
  async function obstacle(user: string): Promise<string | undefined> {
    const found = await clients.users.find(user);
    if (!found || found.metadata.deletionTimestamp !== undefined) return 'there is no such user';
    return found.spec.disabled ? 'the user is disabled' : undefined;
  }

  async function isRight(user: string, password: string): Promise<boolean> {
    const kept = await passwords.read(user);
    if (kept === undefined) {
      await wasteTime(passwordCost);
      return false;
    }
    const check = await checkPassword(password, kept, passwordCost);
    if (check === 'right, hash anew') await passwords.write(user, await hashPassword(password, passwordCost));
    return check !== 'wrong';
  }

  async function admit(user: string, method: SignInMethod, from: Origin = {}): Promise<SignedIn> {
    const why = await obstacle(user);
    if (why !== undefined) return refuse(user, method, from, why);
    const signedIn = await sessions.create({ user, method, ...from });
    await record(user, method, from, 'allowed', `signed in by ${method}`);
    return signedIn;
  }

  return {
    admit,
    async signIn({ user, password }, from = {}) {
      try {
        await attempts.begin(user, from.address ?? '');
      } catch (error) {
        await record(user, 'password', from, 'denied', 'too many failed attempts');
        throw error;
      }
      // A name that can be no user's is not worth a question, but takes as long.
      const isName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(user);
      if (!(await isRight(isName ? user : '-', password))) return refuse(user, 'password', from, 'wrong password');
      const signedIn = await admit(user, 'password', from);
      await attempts.succeeded(user, from.address ?? '');
      return signedIn;
    },
    createLink: (caller, user) => {
      const permission = ghippoPermission('token', 'create');
      const action: Action = { permission, scope: PLATFORM, name: user, detail: { link: true } };
      return guard.perform(caller, action, () => once.issue(LINK, { user }));
    },
    async signInByLink(code, from = {}) {
      const link = (await once.redeem(LINK, code)) as { readonly user: string } | undefined;
      if (!link) throw new StatusError('Unauthorized', 'the link was used already or is too old');
      return admit(link.user, 'link', from);
    },
    async createCode(caller, { challenge, computer }) {
      // A session is as much as its user may; a token may be less, and would grow by it.
      if (caller.method !== 'session') throw new StatusError('Forbidden', 'only a person who is signed in may do this');
      const permission = ghippoPermission('token', 'create');
      const action: Action = { permission, scope: PLATFORM, name: caller.user, detail: { computer } };
      const issued: IssuedCode = { user: caller.user, challenge };
      return guard.performOwn(caller, action, () => once.issue(CODE, issued));
    },
    async signInByCode({ code, verifier }, from = {}) {
      const issued = (await once.redeem(CODE, code)) as IssuedCode | undefined;
      if (!issued) throw new StatusError('Unauthorized', 'the code was used already or is too old');
      if (sameText(hashOf(verifier), issued.challenge)) return admit(issued.user, 'code', from);
      await record(issued.user, 'code', from, 'denied', 'the code was shown by another program than asked for it');
      throw new StatusError('Unauthorized', 'the code was made for another program');
    },
    async signOut(secret) {
      const session = await sessions.open(secret);
      if (session) await sessions.revoke(session.id);
    },
  };
}
