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
export const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

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

export async function authenticate(
  request: IncomingMessage,
  authenticators: readonly Authenticator[],
  anonymous: boolean,
): Promise<User> {
  const credentials = credentialsOf(request);
  for (const authenticator of authenticators) {
    const found = await authenticator(credentials);
    if (found) return withGroup(userOf(found), AUTHENTICATED);
  }
  if (!anonymous || credentials.token !== undefined) throw unauthorized();
  return ANONYMOUS;
}

function userOf({ audiences: _, ...user }: Identity): User {
  return user;
}

export function withGroup(user: User, group: string): User {
  return user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] };
}

function credentialsOf({ headers, socket }: IncomingMessage): Credentials {
  const [scheme, token] = headers.authorization?.split(' ') ?? [];
  if (scheme?.toLowerCase() === 'bearer' && token) return { token };
  if (!(socket instanceof TLSSocket) || !socket.authorized) return {};
  const { subject } = socket.getPeerCertificate();
  if (!subject?.CN) return {};
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
