/** The first administrator: nobody has the right to make one, so the platform does it itself. */
import { SYSTEM } from './access/caller.ts';
import { PLATFORM } from './apis/scope.ts';
import type { Ghippo } from './ghippo.ts';

export const FIRST_ADMIN = 'admin';
const BINDING = 'first-admin';

/** Makes the user and gives them everything, once: an administrator who was removed later is not brought back. */
export async function ensureFirstAdmin(
  ghippo: Ghippo,
  { name = FIRST_ADMIN, password }: { readonly name?: string; readonly password?: string } = {},
): Promise<'created' | 'unchanged'> {
  if ((await ghippo.clients.users.list()).length > 0) return 'unchanged';
  await ghippo.users.createUser(SYSTEM, { name, ...(password === undefined ? {} : { password }) });
  const subjects = [{ kind: 'User' as const, name }];
  await ghippo.bindings.grant(SYSTEM, { name: BINDING, role: 'admin', scope: PLATFORM, subjects });
  return 'created';
}
