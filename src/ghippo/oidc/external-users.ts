/** Those who come from an identity provider, as users: found again by issuer and subject, never by name. */
import { draftOf } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import { SYSTEM } from '#ghippo/access/caller.ts';
import type { Guard } from '#ghippo/access/guard.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import type { User, UserSpec } from '#ghippo/apis/kinds.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import { distinctName, type ExternalPerson } from './external-identity.ts';

export interface ExternalUsers {
  /** The name of the user this person is, made or brought up to date. */
  admit(person: ExternalPerson): Promise<string>;
}

export function externalUsers({
  clients,
  guard,
}: {
  readonly clients: GhippoClients;
  readonly guard: Guard;
}): ExternalUsers {
  const { users } = clients;
  const on = (action: string, name: string, person: ExternalPerson) => ({
    permission: ghippoPermission('user', action),
    scope: PLATFORM,
    name,
    detail: { provider: person.identity.provider, subject: person.identity.subject, groups: person.identity.groups },
  });

  async function find({ identity }: ExternalPerson): Promise<User | undefined> {
    const all = await users.list();
    return all.find(
      ({ spec }) => spec.external?.issuer === identity.issuer && spec.external.subject === identity.subject,
    );
  }

  async function create(person: ExternalPerson, name: string): Promise<string> {
    await guard.perform(SYSTEM, on('create', name, person), () =>
      users.create({ metadata: { name }, spec: specOf(person) }),
    );
    return name;
  }

  /** A name that is taken stays with who has it, whether they come from here or from elsewhere. */
  async function createUnderFreeName(person: ExternalPerson): Promise<string> {
    if (!(await users.find(person.wantedName))) {
      try {
        return await create(person, person.wantedName);
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists')) throw error;
      }
    }
    return create(person, distinctName(person));
  }

  return {
    async admit(person) {
      const known = await find(person);
      if (!known) return createUnderFreeName(person);
      const { name } = known.metadata;
      const next = { ...known.spec, ...specOf(person) };
      if (JSON.stringify(next) === JSON.stringify(known.spec)) return name;
      await guard.perform(SYSTEM, on('update', name, person), () =>
        users.modify(name, (draft) => void Object.assign(draft.spec, draftOf(specOf(person)))),
      );
      return name;
    },
  };
}

function specOf({ identity, displayName, email }: ExternalPerson): UserSpec {
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(email === undefined ? {} : { email }),
    external: identity,
  };
}
