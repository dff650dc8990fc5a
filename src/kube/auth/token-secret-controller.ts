import type { Secret, ServiceAccount } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile } from '#kube/runtime/controller.ts';
import type { TokenSigner } from './service-account-token.ts';

const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
const ACCOUNTS = { group: '', version: 'v1', resource: 'serviceaccounts' };
const TYPE = 'kubernetes.io/service-account-token';
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';
/** Keys of accounts among those of Secrets; no namespace has such a name. */
const OF_ACCOUNT = 'account:';

/**
 * Fills Secrets of type `kubernetes.io/service-account-token`, and removes them when their account is gone.
 *
 * What is missing is put in, so that a Secret from which somebody took the token gets it again; what is there stays.
 */
export function tokenSecretController(deps: {
  readonly client: KubeClient;
  readonly signer: TokenSigner;
  readonly ca: () => string | undefined;
}): Controller {
  const secrets = typed<Secret>(deps.client, { gvr: SECRETS, kind: 'Secret', namespaced: true });
  const accounts = typed<ServiceAccount>(deps.client, { gvr: ACCOUNTS, kind: 'ServiceAccount', namespaced: true });

  async function fill(key: string): Promise<void> {
    const secret = await secrets.find(key);
    const name = secret && accountName(secret);
    if (!secret || name === undefined || secret.metadata.deletionTimestamp !== undefined) return;

    const namespace = secret.metadata.namespace ?? '';
    const account = await accounts.find({ namespace, name });
    const uid = account?.metadata.uid ?? '';
    const known = secret.metadata.annotations?.[UID];
    if (account && (known === undefined || known === uid)) return write(secret, { namespace, name, uid });
    // A Secret made before its account waits for it; one of a former account is of no use to anybody.
    if (known !== undefined) await secrets.remove(key);
  }

  async function write(secret: Secret, account: { namespace: string; name: string; uid: string }): Promise<void> {
    const ca = deps.ca();
    const has = secret.data ?? {};
    const data = {
      ...(ca === undefined ? {} : { 'ca.crt': base64(ca) }),
      namespace: base64(account.namespace),
      token: has['token'] ?? base64(deps.signer.legacy(account, secret.metadata.name)),
    };
    const complete = Object.entries(data).every(([field, value]) => has[field] === value);
    const { annotations } = secret.metadata;
    if (complete && annotations?.[UID] === account.uid) return;
    const metadata = { ...secret.metadata, annotations: { ...annotations, [UID]: account.uid } };
    await secrets.update({ ...secret, metadata, data: { ...has, ...data } });
  }

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    if (!key.startsWith(OF_ACCOUNT)) {
      await fill(key);
      return done;
    }
    const [namespace = '', name] = key.slice(OF_ACCOUNT.length).split('/');
    for (const secret of await secrets.list({ namespace })) {
      if (accountName(secret) === name) await fill(keyOf(secret));
    }
    return done;
  }

  return {
    name: 'service-account-token',
    watches: [
      { gvr: SECRETS, wakes: (object) => (accountName(object) === undefined ? [] : [keyOf(object)]) },
      // Only coming and going: whatever else happens to an account does not concern its tokens.
      {
        gvr: ACCOUNTS,
        wakes: (object, _old, change) => (change === 'modified' ? [] : [`${OF_ACCOUNT}${keyOf(object)}`]),
      },
    ],
    reconcile,
  };
}

function accountName(object: KubeObject): string | undefined {
  return object['type'] === TYPE ? object.metadata.annotations?.[NAME] : undefined;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
