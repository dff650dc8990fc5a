import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock, rfc3339 } from '#base/clock.ts';
import { notFound } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { ObjectMeta } from '#kube/meta/object.ts';
import { serviceAccountAuthenticator } from './service-account-authenticator.ts';
import { newServiceAccountKey, tokenSigner } from './service-account-token.ts';

const account = { namespace: 'n1', name: 'robot', uid: 'u1' };

/** A server with these objects, and nothing else. */
function world() {
  const objects = new Map<string, { metadata: Partial<ObjectMeta>; data?: Record<string, string> }>();
  const clock = fakeClock();
  const signer = tokenSigner(newServiceAccountKey());
  const client = {
    async get(gvr, { name, namespace }) {
      const found = objects.get(`${gvr.resource} ${namespace === undefined ? '' : `${namespace}/`}${name}`);
      if (!found) throw notFound(gvr.resource, name);
      return found;
    },
  } as Pick<KubeClient, 'get'>;
  objects.set('serviceaccounts n1/robot', { metadata: { uid: 'u1' } });
  const authenticate = serviceAccountAuthenticator({ signer, client: () => client, clock });
  const options = { audiences: ['https://kubernetes.default.svc'], seconds: 3600, id: 'j1' };
  return { objects, clock, signer, authenticate, options };
}

describe('a service account', () => {
  it('is known by its token, with what the token is bound to', async () => {
    const { objects, clock, signer, authenticate, options } = world();
    const pod = { name: 'p', uid: 'pu' };
    objects.set('pods n1/p', { metadata: { uid: 'pu' } });
    const token = signer.bound(account, { ...options, now: clock.now(), pod, node: { name: 'node-1', uid: 'nu' } });
    assert.deepEqual(await authenticate({ token }), {
      name: 'system:serviceaccount:n1:robot',
      uid: 'u1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:n1'],
      extra: {
        'authentication.kubernetes.io/credential-id': ['JTI=j1'],
        'authentication.kubernetes.io/node-name': ['node-1'],
        'authentication.kubernetes.io/node-uid': ['nu'],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': ['pu'],
      },
      audiences: ['https://kubernetes.default.svc'],
    });
  });

  it('is not known by a token made for others, except to those others', async () => {
    const { clock, signer, authenticate, options } = world();
    const token = signer.bound(account, { ...options, now: clock.now(), audiences: ['vault', 'other'] });
    assert.equal(await authenticate({ token }), undefined);
    assert.deepEqual((await authenticate({ token, audiences: ['vault'] }))?.audiences, ['vault']);
  });

  it('is gone with the account, even when one of the same name comes back', async () => {
    const { objects, clock, signer, authenticate, options } = world();
    const token = signer.bound(account, { ...options, now: clock.now() });
    assert.ok(await authenticate({ token }));
    objects.set('serviceaccounts n1/robot', { metadata: { uid: 'u2' } });
    assert.equal(await authenticate({ token }), undefined);
    objects.clear();
    assert.equal(await authenticate({ token }), undefined);
  });

  for (const [kind, key] of [
    ['pod', 'pods n1/x'],
    ['secret', 'secrets n1/x'],
    ['node', 'nodes x'],
  ] as const) {
    it(`is gone with the ${kind} its token is bound to, a minute after the deletion`, async () => {
      const { objects, clock, signer, authenticate, options } = world();
      const token = signer.bound(account, { ...options, now: clock.now(), [kind]: { name: 'x', uid: 'xu' } });
      assert.equal(await authenticate({ token }), undefined);
      objects.set(key, { metadata: { uid: 'xu' } });
      assert.ok(await authenticate({ token }));
      objects.set(key, { metadata: { uid: 'xu', deletionTimestamp: rfc3339(clock.now()) } });
      assert.ok(await authenticate({ token }));
      await clock.advance(61_000);
      assert.equal(await authenticate({ token }), undefined);
      objects.set(key, { metadata: { uid: 'another' } });
      assert.equal(await authenticate({ token }), undefined);
    });
  }

  it('is known by a token in a Secret only while the Secret holds that very token', async () => {
    const { objects, signer, authenticate } = world();
    const token = signer.legacy(account, 's');
    const held = (text: string) => ({ metadata: {}, data: { token: Buffer.from(text).toString('base64') } });
    assert.equal(await authenticate({ token }), undefined);
    objects.set('secrets n1/s', held(token));
    assert.deepEqual((await authenticate({ token }))?.extra, undefined);
    objects.set('secrets n1/s', held('another'));
    assert.equal(await authenticate({ token }), undefined);
    objects.set('secrets n1/s', { ...held(token), metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
    assert.equal(await authenticate({ token }), undefined);
  });

  it('fails, rather than being unknown, when the server cannot be asked', async () => {
    const { clock, signer, options } = world();
    const client = { get: () => Promise.reject(new Error('down')) } as Pick<KubeClient, 'get'>;
    const authenticate = serviceAccountAuthenticator({ signer, client: () => client, clock });
    await assert.rejects(async () => authenticate({ token: signer.bound(account, { ...options, now: clock.now() }) }), {
      message: 'down',
    });
    assert.equal(await authenticate({}), undefined);
  });
});
