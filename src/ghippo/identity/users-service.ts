/**
 * Users: made, changed, disabled, deleted. What a deleted user was given is taken away by `cleanup-controller.ts`, so that
 * a later user of the same name starts with nothing.
 */
import { notFound, StatusError } from '#base/status-error.ts';
import { type Action, type Caller, type Guard } from '#ghippo/access/index.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import { GHIPPO_GROUP, type User, type UserSpec } from '#ghippo/apis/kinds.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import type { Sessions } from '#ghippo/session/sessions.ts';
import type { Attempts } from './attempts.ts';
import { checkPassword, hashPassword, requireStrongPassword, type ScryptCost } from './password.ts';
import type { PasswordStore } from './password-store.ts';

export interface UserInput {
  readonly displayName?: string;
  readonly email?: string;
  readonly description?: string;
  readonly disabled?: boolean;
}

export interface UsersService {
  createUser(caller: Caller, input: UserInput & { readonly name: string; readonly password?: string }): Promise<User>;
  getUser(caller: Caller, name: string): Promise<User>;
  /** By name; `search` looks into names and addresses. */
  listUsers(caller: Caller, options?: { readonly search?: string }): Promise<readonly User[]>;
  /** Changes what is given. Disabling ends all sessions. */
  updateUser(caller: Caller, name: string, input: UserInput): Promise<User>;
  /** Changes what the caller is called, or their address; those of an identity provider's people are the provider's. */
  updateSelf(caller: Caller, input: Pick<UserInput, 'displayName' | 'email'>): Promise<User>;
  deleteUser(caller: Caller, name: string): Promise<void>;
  /** Sets somebody's password and ends all their sessions. */
  setPassword(caller: Caller, name: string, password: string): Promise<void>;
  /** Sets one's own, knowing the old one; ends one's other sessions. */
  changePassword(caller: Caller, old: string, password: string): Promise<void>;
}

export interface UsersDeps {
  readonly clients: GhippoClients;
  readonly guard: Guard;
  readonly passwords: PasswordStore;
  readonly sessions: Sessions;
  readonly attempts: Attempts;
  readonly passwordCost?: ScryptCost;
}

export function usersService(deps: UsersDeps): UsersService {
  const { clients, guard, passwords, sessions, attempts, passwordCost } = deps;
  const { users } = clients;
  const on = (action: string, name: string, detail?: object): Action => ({
    permission: ghippoPermission('user', action),
    scope: PLATFORM,
    name,
    ...(detail ? { detail } : {}),
  });

  async function savePassword(user: string, password: string): Promise<void> {
    requireStrongPassword(password, user);
    await passwords.write(user, await hashPassword(password, passwordCost));
  }

  async function requireUser(name: string): Promise<User> {
    const user = await users.find(name);
    if (!user) throw notFound('users', name, GHIPPO_GROUP);
    return user;
  }

  return {
    createUser: (caller, { name, password, ...input }) =>
      guard.perform(caller, on('create', name), async () => {
        if (password !== undefined) requireStrongPassword(password, name);
        const user = await users.create({ metadata: { name }, spec: specOf(input) });
        // What an earlier user of the name left must not open this one.
        if (password === undefined) await passwords.remove(name);
        else await savePassword(name, password);
        return user;
      }),
    async getUser(caller, name) {
      if (caller.user !== name) await guard.require(caller, on('get', name));
      return requireUser(name);
    },
    async listUsers(caller, { search = '' } = {}) {
      await guard.require(caller, on('list', ''));
      const all = await users.list();
      return search === '' ? all : all.filter((user) => matches(user, search.toLowerCase()));
    },
    updateUser: (caller, name, input) =>
      guard.perform(caller, on('update', name, { fields: Object.keys(input) }), async () => {
        const changed = await users.modify(name, (draft) => {
          Object.assign(draft.spec, specOf(input));
        });
        if (!changed) throw notFound('users', name, GHIPPO_GROUP);
        if (input.disabled) await sessions.revokeAll(name);
        return changed;
      }),
    updateSelf: (caller, input) =>
      guard.performOwn(caller, on('update', caller.user, { fields: Object.keys(input) }), async () => {
        const { spec } = await requireUser(caller.user);
        if (spec.external) throw new StatusError('Invalid', `${spec.external.provider} says what you are called`);
        const changed = await users.modify(caller.user, (draft) => void Object.assign(draft.spec, specOf(input)));
        return changed ?? requireUser(caller.user);
      }),
    deleteUser: (caller, name) =>
      guard.perform(caller, on('delete', name), async () => {
        await requireUser(name);
        await users.remove(name);
        await Promise.all([passwords.remove(name), sessions.revokeAll(name)]);
      }),
    setPassword: (caller, name, password) =>
      guard.perform(caller, on('set-password', name), async () => {
        const { spec } = await requireUser(name);
        if (spec.external)
          throw new StatusError(
            'Invalid',
            `user "${name}" signs in with ${spec.external.provider} and has no password`,
          );
        await savePassword(name, password);
        await sessions.revokeAll(name);
      }),
    changePassword: (caller, old, password) =>
      guard.performOwn(caller, on('set-password', caller.user), async () => {
        const kept = (await passwords.read(caller.user)) ?? '';
        await attempts.begin(caller.user, caller.address ?? '');
        if ((await checkPassword(old, kept, passwordCost)) === 'wrong')
          throw new StatusError('Forbidden', 'the old password is not right');
        await attempts.succeeded(caller.user, caller.address ?? '');
        await savePassword(caller.user, password);
        await sessions.revokeAll(caller.user, caller.credential);
      }),
  };
}

function specOf(input: UserInput): UserSpec {
  const { displayName, email, description, disabled } = input;
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(email === undefined ? {} : { email }),
    ...(description === undefined ? {} : { description }),
    ...(disabled === undefined ? {} : { disabled }),
  };
}

function matches({ metadata, spec }: User, search: string): boolean {
  return [metadata.name, spec.displayName, spec.email].some((text) => text?.toLowerCase().includes(search));
}
