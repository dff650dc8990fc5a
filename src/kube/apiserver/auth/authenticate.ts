/**
 * Who is asking: a list of authenticators is asked in turn, each knowing one kind of credential.
 *
 * A request without any credential is anonymous where that is allowed; one with a credential nobody knows is refused.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { User } from '../admission.ts';
import { unauthorized } from '../failures.ts';

export interface Credentials {
  /** A bearer token. */
  readonly token?: string;
  /** For whom the token must have been made; for this server when absent. */
  readonly audiences?: readonly string[];
  /** The subject of a client certificate that an authority of ours has signed. */
  readonly certificate?: { readonly commonName: string; readonly organizations: readonly string[] };
}

/** Who somebody has shown to be. */
export interface Identity extends User {
  /** Those of the audiences asked for that the token was made for; absent: this server alone. */
  readonly audiences?: readonly string[];
}

/** Answers undefined for credentials that are not its business. */
export type Authenticator = (credentials: Credentials) => Identity | undefined | Promise<Identity | undefined>;

/** The audience of tokens for this server. */
export const API_AUDIENCE = 'https://kubernetes.default.svc';

export const AUTHENTICATED = 'system:authenticated';
export const MASTERS = 'system:masters';
export const UNAUTHENTICATED = 'system:unauthenticated';
export const ANONYMOUS: User = { name: 'system:anonymous', groups: [UNAUTHENTICATED] };

/** Tokens known beforehand. Kept as digests, so that looking one up tells nothing about the others. */
export function staticTokens(tokens: Readonly<Record<string, User>>): Authenticator {
  const users = new Map(Object.entries(tokens).map(([token, user]) => [digest(token), withGroup(user, AUTHENTICATED)]));
  /** Tokens in use: a client sends the same one with every request, and need not be looked up each time. */
  const inUse = new Map<string, User>();
  return ({ token }) => {
    if (token === undefined) return undefined;
    const known = inUse.get(token) ?? users.get(digest(token));
    if (known && inUse.size < TOKENS_IN_USE) inUse.set(token, known);
    return known;
  };
}

const TOKENS_IN_USE = 1000;

/** Client certificates: the common name is the user, each organization a group. */
export function clientCertificates(): Authenticator {
  return ({ certificate }) => certificate && { name: certificate.commonName, groups: [...certificate.organizations] };
}

/** Answers at once when the authenticators do: most know their credentials by heart. */
export function authenticate(
  request: IncomingMessage,
  authenticators: readonly Authenticator[],
  anonymous: boolean,
): User | Promise<User> {
  const credentials = credentialsOf(request);
  return askedFrom(0);

  function askedFrom(first: number): User | Promise<User> {
    for (let i = first; i < authenticators.length; i++) {
      const found = authenticators[i]?.(credentials);
      if (found instanceof Promise) return found.then((later) => (later ? userOf(later) : askedFrom(i + 1)));
      if (found) return userOf(found);
    }
    if (!anonymous || credentials.token !== undefined) throw unauthorized();
    return ANONYMOUS;
  }
}

/** Who has been found to be whom: authenticators that know somebody by heart always answer with the same object. */
const users = new WeakMap<Identity, User>();

function userOf(identity: Identity): User {
  let user = users.get(identity);
  if (!user) {
    const { audiences: _, ...found } = identity;
    users.set(identity, (user = withGroup(found, AUTHENTICATED)));
  }
  return user;
}

export function withGroup(user: User, group: string): User {
  return user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] };
}

function credentialsOf({ headers, socket }: IncomingMessage): Credentials {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const [scheme, token] = authorization.split(' ');
    if (token && (scheme === 'Bearer' || scheme?.toLowerCase() === 'bearer')) return { token };
  }
  return socket instanceof TLSSocket ? certificateOf(socket) : NONE;
}

const NONE: Credentials = {};

/** A connection keeps its certificate, and reading one takes longer than most requests. */
const certificates = new WeakMap<TLSSocket, Credentials>();

function certificateOf(socket: TLSSocket): Credentials {
  let known = certificates.get(socket);
  if (!known) certificates.set(socket, (known = readCertificate(socket)));
  return known;
}

function readCertificate(socket: TLSSocket): Credentials {
  if (!socket.authorized) return NONE;
  const { subject } = socket.getPeerCertificate();
  if (!subject?.CN) return NONE;
  return { certificate: { commonName: first(subject.CN), organizations: all(subject.O) } };
}

function first(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : (value[0] ?? '');
}

function all(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
