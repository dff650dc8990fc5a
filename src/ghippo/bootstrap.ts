/** The first administrator: nobody has the right to make one, so the platform does it itself. */
import { SYSTEM } from './access/caller.ts';
import { PLATFORM } from './apis/scope.ts';
import type { LiveSnapshot } from './decision/live-snapshot.ts';
import type { Ghippo } from './ghippo.ts';

export const FIRST_ADMIN = 'admin';
const BINDING = 'first-admin';

/**
 * Makes the user and gives them everything, once: an administrator who was removed later is not brought back. Resolves
 * when the rights are known here; the snapshot must be ready.
 */
export async function ensureFirstAdmin(
  ghippo: Ghippo,
  { name = FIRST_ADMIN, password }: { readonly name?: string; readonly password?: string } = {},
): Promise<'created' | 'unchanged'> {
  if ((await ghippo.clients.users.list()).length > 0) return 'unchanged';
  await ghippo.users.createUser(SYSTEM, { name, ...(password === undefined ? {} : { password }) });
  const subjects = [{ kind: 'User' as const, name }];
  await ghippo.bindings.grant(SYSTEM, { name: BINDING, role: 'admin', scope: PLATFORM, subjects });
  await known(ghippo.snapshot, name);
  return 'created';
}

function known(snapshot: LiveSnapshot, user: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    const now = snapshot.current();
    if (now.user(user) && now.bindingsOf({ kind: 'User', name: user }).length > 0) resolve();
  };
  const end = snapshot.subscribe(look);
  look();
  return promise.finally(end);
}
