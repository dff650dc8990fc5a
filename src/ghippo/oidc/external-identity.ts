/** From what an identity provider says of somebody to who they are here. Pure. */
import { createHash } from 'node:crypto';
import { StatusError } from '#base/status-error.ts';
import type { ExternalIdentity, IdentityProviderSpec } from '#ghippo/apis/kinds.ts';

export interface ExternalPerson {
  /** The name they would like: taken if it is free. */
  readonly wantedName: string;
  readonly identity: ExternalIdentity;
  readonly displayName?: string;
  readonly email?: string;
}

export type Claims = Readonly<Record<string, unknown>>;

export const MOST_GROUPS = 200;
const LONGEST_NAME = 63;

export function personOf(provider: string, spec: IdentityProviderSpec, claims: Claims): ExternalPerson {
  const subject = textClaim(claims, 'sub');
  if (subject === undefined) throw new StatusError('Unauthorized', `${provider} did not say who it is`);
  const named = textClaim(claims, spec.usernameClaim ?? 'preferred_username') ?? textClaim(claims, 'email') ?? subject;
  const displayName = textClaim(claims, 'name');
  const email = textClaim(claims, 'email');
  return {
    wantedName: asName(named) || `user-${shortHash(spec.issuer, subject)}`,
    identity: { provider, issuer: spec.issuer, subject, groups: groupsOf(provider, spec, claims) },
    ...(displayName === undefined ? {} : { displayName }),
    // An address nobody confirmed may be somebody else's.
    ...(email === undefined || claims['email_verified'] === false ? {} : { email }),
  };
}

/** Another name for those whose wanted one is somebody else's: always the same for the same person. */
export function distinctName({ wantedName, identity }: ExternalPerson): string {
  return `${wantedName.slice(0, LONGEST_NAME - 9)}-${shortHash(identity.issuer, identity.subject)}`;
}

/** The provider's groups, with its prefix, and those that are groups of ours by agreement. */
function groupsOf(provider: string, spec: IdentityProviderSpec, claims: Claims): readonly string[] {
  const claim = claims[spec.groupsClaim ?? 'groups'];
  const named = (Array.isArray(claim) ? claim : [claim]).filter((one): one is string => typeof one === 'string');
  const prefix = spec.groupsPrefix ?? `${provider}:`;
  const mapped = new Map((spec.groupMapping ?? []).map(({ claim: from, group }) => [from, group]));
  const groups = named.map((group) => mapped.get(group) ?? `${prefix}${group}`);
  return [...new Set(groups)].slice(0, MOST_GROUPS).toSorted();
}

function textClaim(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** As names of objects are: lower case letters, digits, dashes and dots. */
function asName(text: string): string {
  return text
    .toLowerCase()
    .replace(/@.*$/, '')
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(0, LONGEST_NAME)
    .replaceAll(/^[.-]+|[.-]+$/g, '');
}

function shortHash(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8);
}
