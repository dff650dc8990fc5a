/** Password hashes, each in a Secret of its own. */
import type { Secret } from '#ghippo/apis/resources.ts';
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import type { TypedClient } from '#kube/client/typed-client.ts';

const TYPE = 'ghippo.io/password';
const KEY = 'hash';

export interface PasswordStore {
  /** The hash of a user's password; undefined when they have none. */
  read(user: string): Promise<string | undefined>;
  write(user: string, hash: string): Promise<void>;
  remove(user: string): Promise<void>;
}

export function passwordStore(secrets: TypedClient<Secret>): PasswordStore {
  const keyOf = (user: string) => ({ namespace: GHIPPO_NAMESPACE, name: `password-${user}` });
  return {
    async read(user) {
      const hash = (await secrets.find(keyOf(user)))?.data?.[KEY];
      return hash === undefined ? undefined : Buffer.from(hash, 'base64').toString();
    },
    async write(user, hash) {
      const data = { [KEY]: Buffer.from(hash).toString('base64') };
      await secrets.ensure({ metadata: keyOf(user), type: TYPE, data });
    },
    remove: (user) => secrets.remove(keyOf(user)),
  };
}
