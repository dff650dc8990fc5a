/** The controllers that look after service accounts, each asked directly on a server of its own. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ConfigMap, Secret } from '#gen/kube/types.ts';
import { silentLog } from '#base/log.ts';
import { apiServer } from '#kube/apiserver/api-server.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Controller } from '#kube/runtime/controller.ts';
import { memoryStore } from '#kube/store/index.ts';
import { defaultServiceAccountController } from './default-service-account-controller.ts';
import { rootCaController } from './root-ca-controller.ts';
import { newServiceAccountKey, tokenSigner } from './service-account-token.ts';
import { tokenSecretController } from './token-secret-controller.ts';

const core = (resource: string) => ({ group: '', version: 'v1', resource });
const ACCOUNTS = core('serviceaccounts');
const SECRETS = core('secrets');
const CONFIG_MAPS = core('configmaps');
const NAMESPACES = core('namespaces');

async function client(t: TestContext): Promise<KubeClient> {
  const server = await apiServer({ store: memoryStore() });
  t.after(() => server.close());
  return server.client();
}

const run = (controller: Controller, key: string) =>
  controller.reconcile({ key, log: silentLog, signal: new AbortController().signal });

const account = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: 'default' },
});

const tokenSecret = (name: string, of: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'kubernetes.io/service-account-token',
  metadata: { name, namespace: 'default', annotations: { 'kubernetes.io/service-account.name': of } },
});

describe('the Secret of a token', () => {
  const signer = tokenSigner(newServiceAccountKey());
  const at = (name: string) => ({ namespace: 'default', name });

  async function given(t: TestContext) {
    const kube = await client(t);
    const controller = tokenSecretController({ client: kube, signer, ca: () => 'CA' });
    const read = () => kube.get<Secret>(SECRETS, at('s'));
    return { kube, read, fill: (key = 'default/s') => run(controller, key), controller };
  }
  const text = (secret: Secret, key: string) => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();

  it('gets the token, the authority and the namespace, once', async (t) => {
    const { kube, read, fill } = await given(t);
    const { metadata } = await kube.create(ACCOUNTS, account('robot'));
    await kube.create(SECRETS, tokenSecret('s', 'robot'));
    await fill();
    const filled = await read();
    assert.deepEqual([text(filled, 'ca.crt'), text(filled, 'namespace')], ['CA', 'default']);
    assert.equal(signer.read(text(filled, 'token'), 0)?.account.uid, metadata.uid);
    assert.equal(filled.metadata.annotations?.['kubernetes.io/service-account.uid'], metadata.uid);
    await fill();
    assert.equal((await read()).metadata.resourceVersion, filled.metadata.resourceVersion);
  });

  it('gets a new token when somebody took the old one out', async (t) => {
    const { kube, read, fill } = await given(t);
    await kube.create(ACCOUNTS, account('robot'));
    await kube.create(SECRETS, tokenSecret('s', 'robot'));
    await fill();
    const body = { data: { token: null } };
    await kube.patch(SECRETS, at('s'), { type: 'merge', body });
    await fill();
    assert.ok(signer.read(text(await read(), 'token'), 0));
  });

  it('made before its account waits for it', async (t) => {
    const { kube, read, fill } = await given(t);
    await kube.create(SECRETS, tokenSecret('s', 'robot'));
    await fill();
    assert.equal((await read()).data, undefined);
    await kube.create(ACCOUNTS, account('robot'));
    await fill('account:default/robot');
    assert.ok(text(await read(), 'token'));
  });

  it('goes with its account, also when another of that name has come', async (t) => {
    for (const again of [false, true]) {
      const { kube, read, fill } = await given(t);
      await kube.create(ACCOUNTS, account('robot'));
      await kube.create(SECRETS, tokenSecret('s', 'robot'));
      await fill();
      await kube.delete(ACCOUNTS, at('robot'));
      if (again) await kube.create(ACCOUNTS, account('robot'));
      await fill('account:default/robot');
      await assert.rejects(read(), { reason: 'NotFound' });
    }
  });

  it('of another type is none of its business', async (t) => {
    const { kube, read, fill, controller } = await given(t);
    await kube.create(ACCOUNTS, account('robot'));
    const opaque = { ...tokenSecret('s', 'robot'), type: 'Opaque' };
    await kube.create(SECRETS, opaque);
    await fill();
    assert.equal((await read()).data, undefined);
    assert.deepEqual([...(controller.watches[0]?.wakes?.(opaque, undefined, 'added') ?? [])], []);
  });
});

describe('a namespace', () => {
  it('gets its default account back, and its authority as it should be', async (t) => {
    const kube = await client(t);
    const accounts = defaultServiceAccountController({ client: kube });
    const authority = rootCaController({ client: kube, ca: 'CA' });
    const root = { namespace: 'default', name: 'kube-root-ca.crt' };
    await run(accounts, 'default');
    await run(authority, 'default');
    await kube.delete(ACCOUNTS, { namespace: 'default', name: 'default' });
    await kube.patch(CONFIG_MAPS, root, { type: 'merge', body: { data: { 'ca.crt': 'another' } } });
    await run(accounts, 'default');
    await run(authority, 'default');
    await kube.get(ACCOUNTS, { namespace: 'default', name: 'default' });
    assert.deepEqual((await kube.get<ConfigMap>(CONFIG_MAPS, root)).data, { 'ca.crt': 'CA' });
  });

  it('that is going, or gone, is given nothing', async (t) => {
    const kube = await client(t);
    const accounts = defaultServiceAccountController({ client: kube });
    await run(accounts, 'nowhere');
    await kube.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n1' } });
    await kube.delete(NAMESPACES, { name: 'n1' });
    await run(accounts, 'n1');
    await run(rootCaController({ client: kube, ca: 'CA' }), 'n1');
    assert.deepEqual((await kube.list(ACCOUNTS, { namespace: 'n1' })).items, []);
  });
});
