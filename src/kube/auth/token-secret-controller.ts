import type { Secret, ServiceAccount } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile } from '#kube/runtime/controller.ts';
import type { TokenSigner } from './service-account-token.ts';

const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
const ACCOUNTS = { group: '', version: 'v1', resource: 'serviceaccounts' };
const TYPE = 'kubernetes.io/service-account-token';
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';

/** Fills Secrets of type `kubernetes.io/service-account-token`, and removes them when their account is gone. */
export function tokenSecretController(deps: { client: KubeClient; signer: TokenSigner; ca: () => string }): Controller {
  const secrets = typed<Secret>(deps.client, { gvr: SECRETS, kind: 'Secret', namespaced: true });
  const accounts = typed<ServiceAccount>(deps.client, { gvr: ACCOUNTS, kind: 'ServiceAccount', namespaced: true });

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const secret = await secrets.find(key);
    const name = secret && accountName(secret);
    if (!secret || name === undefined || secret.metadata.deletionTimestamp !== undefined) return done;

    const namespace = secret.metadata.namespace ?? '';
    const account = await accounts.find(`${namespace}/${name}`);
    const known = secret.metadata.annotations?.[UID];
    // A Secret made before its account waits for it; one of a former account is of no use to anybody.
    if (!account || (known !== undefined && known !== account.metadata.uid)) {
      if (known !== undefined) await secrets.remove(key);
      return done;
    }
    if (secret.data?.['token'] !== undefined) return done;
    const uid = account.metadata.uid ?? '';
    const token = deps.signer.legacy({ namespace, name, uid }, secret.metadata.name);
    await deps.client.update<Secret>(SECRETS, {
      ...secret,
      metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, [UID]: uid } },
      data: { ...secret.data, token: base64(token), namespace: base64(namespace), 'ca.crt': base64(deps.ca()) },
    });
    return done;
  }

  /** The token Secrets of an account that appeared or went. */
  async function* ofAccount(account: KubeObject): AsyncGenerator<string> {
    const { namespace = '' } = account.metadata;
    for (const secret of await secrets.list({ namespace })) {
      if (accountName(secret) === account.metadata.name) yield `${namespace}/${secret.metadata.name}`;
    }
  }

  return {
    name: 'service-account-token',
    watches: [
      { gvr: SECRETS, wakes: (object) => (accountName(object as Secret) === undefined ? [] : [keyOfSecret(object)]) },
      { gvr: ACCOUNTS, wakes: (object) => [`account:${object.metadata.namespace ?? ''}/${object.metadata.name}`] },
    ],
    async reconcile(request) {
      if (!request.key.startsWith('account:')) return reconcile(request);
      const [namespace = '', name = ''] = request.key.slice('account:'.length).split('/');
      const metadata = { namespace, name };
      for await (const key of ofAccount({ apiVersion: 'v1', kind: 'ServiceAccount', metadata }))
        await reconcile({ ...request, key });
      return done;
    },
  };
}

function accountName(secret: Secret): string | undefined {
  return secret.type === TYPE ? secret.metadata.annotations?.[NAME] : undefined;
}

const keyOfSecret = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
