import assert from 'node:assert/strict';
import { request } from 'node:https';
import { describe, it } from 'node:test';
import { createCa, type KeyPair } from '#kube/pki/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { apiServer } from '../api-server.ts';
import { testServer } from '../testing.ts';
import { clientCertificates } from './authenticate.ts';

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

describe('Who asks', () => {
  it('is refused without a credential, and with one nobody knows', async (t) => {
    const { call } = await testServer(t);
    for (const authorization of ['', 'Bearer nobody', 'Basic admin']) {
      const answer = await call('GET', '/api/v1/pods', undefined, { authorization });
      assert.deepEqual([answer.code, answer.body.reason], [401, 'Unauthorized']);
    }
  });

  it('may be anonymous where that is allowed, and then do next to nothing', async (t) => {
    const { call } = await testServer(t, { anonymous: true });
    const answer = await call('GET', '/api/v1/pods', undefined, { authorization: '' });
    assert.match(answer.body.message, /^pods is forbidden: User "system:anonymous" cannot list resource "pods"/);
  });

  it('is known by the certificate an authority of the server has signed', async (t) => {
    const ca = await createCa({ commonName: 'ours' });
    const other = await createCa({ commonName: 'theirs' });
    const server = await apiServer({ store: memoryStore(), authenticators: [clientCertificates()] });
    t.after(() => server.close());
    const pair = await ca.issue({ commonName: 'localhost', ips: ['127.0.0.1'], usages: ['server'] });
    const { url } = await server.listen({ tls: { ...pair, ca: ca.cert } });
    const subject = { commonName: 'jane', organizations: ['system:masters', 'devs'], usages: ['client' as const] };

    const known = await whoAmI(url, ca.cert, await ca.issue(subject));
    assert.deepEqual(known, { username: 'jane', groups: ['system:masters', 'devs', 'system:authenticated'] });
    assert.equal(await whoAmI(url, ca.cert, await other.issue(subject)), undefined);
  });

  it('may act as another when allowed to', async (t) => {
    const { call } = await testServer(t);
    const as = { 'impersonate-user': 'bob', 'impersonate-group': 'g1', 'impersonate-extra-scopes': 'view' };
    const { body } = await call('GET', '/api/v1/secrets', undefined, as);
    assert.match(body.message, /User "bob" cannot list/);
    const masters = { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' };
    const { userInfo } = (await call('POST', WHO, REVIEW, masters)).body.status;
    assert.deepEqual(userInfo, { username: 'bob', groups: ['system:masters', 'system:authenticated'] });
    const refused = await call('GET', '/api/v1/secrets', undefined, { ...as, authorization: 'Bearer tok-alice' });
    assert.match(refused.body.message, /^users "bob" is forbidden: User "alice" cannot impersonate resource "users"/);
    assert.equal((await call('GET', '/version', undefined, { 'impersonate-group': 'g1' })).code, 400);
  });
});

describe('What a user may do', () => {
  it('is asked of the authorizer for each request, with all it needs to know', async (t) => {
    const asked: object[] = [];
    const authorizer = {
      authorize(user: { name: string }, attributes: object) {
        asked.push({ user: user.name, ...attributes });
        return { allowed: false, reason: 'not today' };
      },
    };
    const { call } = await testServer(t, { authorizer });
    const alice = { authorization: 'Bearer tok-alice' };
    const answer = await call('PUT', '/apis/apps/v1/namespaces/n/deployments/d/scale', {}, alice);
    assert.equal(
      answer.body.message,
      'deployments.apps "d" is forbidden: User "alice" cannot update resource "deployments/scale" in API group "apps" in the namespace "n": not today',
    );
    await call('GET', '/metrics', undefined, alice);
    const scale = { verb: 'update', group: 'apps', version: 'v1', resource: 'deployments', subresource: 'scale' };
    assert.deepEqual(asked, [
      { user: 'alice', ...scale, namespace: 'n', name: 'd' },
      { user: 'alice', verb: 'get', path: '/metrics' },
    ]);
  });

  it('binds clients in this process as it binds others', async (t) => {
    const { server } = await testServer(t);
    const client = server.client({ name: 'alice', groups: [] });
    await assert.rejects(client.list({ group: '', version: 'v1', resource: 'pods' }), /User "alice" cannot list/);
  });
});

function whoAmI(url: string, ca: string, pair: KeyPair): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const asked = request(`${url}${WHO}`, {
      method: 'POST',
      ca,
      cert: pair.cert,
      key: pair.key,
      headers,
      agent: false,
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text).status?.userInfo));
    });
    asked.end(JSON.stringify(REVIEW));
  });
}
