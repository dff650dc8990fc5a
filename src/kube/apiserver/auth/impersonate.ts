/** Acting as somebody else (`kubectl --as`), for those who may. */
import type { IncomingMessage } from 'node:http';
import { badRequest } from '#base/status-error.ts';
import type { User } from '../admission.ts';
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, withGroup } from './authenticate.ts';
import { type Authorizer, requireAllowed } from './authorize.ts';

const EXTRA = 'impersonate-extra-';

/** Whether a request wants to be treated as coming from somebody else. Almost none does, and none should pay for it. */
export function impersonates({ headers }: IncomingMessage): boolean {
  return !!(headers['impersonate-user'] || headers['impersonate-group'] || headers['impersonate-uid']);
}

/** The user whom the caller names and may act as. */
export async function impersonate(request: IncomingMessage, user: User, authorizer: Authorizer): Promise<User> {
  const { headersDistinct } = request;
  const name = headersDistinct['impersonate-user']?.[0];
  const groups = headersDistinct['impersonate-group'] ?? [];
  const uid = headersDistinct['impersonate-uid']?.[0];
  const extra = extrasOf(headersDistinct);
  if (name === undefined) throw badRequest('requested a user attribute without impersonating a user');
  await check(authorizer, user, userAttributes(name));
  for (const group of groups) await check(authorizer, user, { resource: 'groups', name: group });
  if (uid !== undefined) await check(authorizer, user, { group: 'authentication.k8s.io', resource: 'uids', name: uid });
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) {
      const subject = { group: 'authentication.k8s.io', resource: 'userextras', subresource: key, name: value };
      await check(authorizer, user, subject);
    }
  }
  const acting = {
    name,
    // Whoever names groups has had to be allowed each of them; an account's own come with the account.
    groups: groups.length > 0 ? groups : serviceAccountGroups(name),
    ...(uid === undefined ? {} : { uid }),
    extra,
  };
  return withGroup(acting, name === ANONYMOUS.name ? UNAUTHENTICATED : AUTHENTICATED);
}

interface Subject {
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

async function check(authorizer: Authorizer, user: User, subject: Subject): Promise<void> {
  await requireAllowed(authorizer, user, { verb: 'impersonate', group: '', version: 'v1', ...subject });
}

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

function userAttributes(user: string): Subject {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(user) ?? [];
  return namespace && name ? { resource: 'serviceaccounts', namespace, name } : { resource: 'users', name: user };
}

function serviceAccountGroups(user: string): readonly string[] {
  const namespace = SERVICE_ACCOUNT.exec(user)?.[1];
  return namespace ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : [];
}

function extrasOf(headers: NodeJS.Dict<string[]>): Readonly<Record<string, readonly string[]>> {
  const extras: Record<string, readonly string[]> = {};
  for (const [header, values] of Object.entries(headers)) {
    if (header.startsWith(EXTRA) && values) extras[decoded(header.slice(EXTRA.length))] = values;
  }
  return extras;
}

/** Keys may be escaped; one that is not, though it looks like it, is taken as it is. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
