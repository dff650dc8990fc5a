import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Authenticator } from '../auth/authenticate.ts';
import { type TestServer, testServer } from '../testing.ts';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const TOKEN_REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews';

async function asked({ call }: TestServer, path: string, spec: object): Promise<unknown> {
  const { code, body } = await call('POST', path, { spec });
  return code === 201 ? body.status : `${code} ${body.message}`;
}

describe('a review of access', () => {
  const pods = { verb: 'get', resource: 'pods', namespace: 'default' };
  const one = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

  it('is about one user and one resource or path', async (t) => {
    const server = await testServer(t);
    const sar = (spec: object) => asked(server, `${AUTHORIZATION}/subjectaccessreviews`, spec);
    const invalid = '422 .authorization.k8s.io "" is invalid: ';
    assert.deepEqual(await sar({ user: 'alice', resourceAttributes: pods }), { allowed: false });
    assert.deepEqual(await sar({ groups: ['system:masters'], resourceAttributes: pods }), { allowed: true });
    const path = { verb: 'get', path: '/version' };
    assert.deepEqual(await sar({ groups: ['system:authenticated'], nonResourceAttributes: path }), { allowed: true });
    assert.equal(await sar({ user: 'alice' }), `${invalid}spec.resourceAttributes: Invalid value: null: ${one}`);
    assert.equal(
      await sar({ resourceAttributes: pods }),
      `${invalid}spec.user: Invalid value: "": at least one of user or group must be specified`,
    );
    assert.match(
      String(await sar({ user: 'alice', resourceAttributes: pods, nonResourceAttributes: path })),
      /spec.nonResourceAttributes: .* cannot be specified in combination with resourceAttributes$/,
    );
  });

  it('of oneself is about one resource or path', async (t) => {
    const server = await testServer(t);
    const invalid = '422 .authorization.k8s.io "" is invalid: ';
    const answer = await asked(server, `${AUTHORIZATION}/selfsubjectaccessreviews`, {});
    assert.equal(answer, `${invalid}spec.resourceAttributes: Invalid value: null: ${one}`);
  });

  it('has no life of its own', async (t) => {
    const { call } = await testServer(t);
    const spec = { resourceAttributes: pods };
    const metadata = { uid: 'a', creationTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 2 };
    assert.equal((await call('POST', `${AUTHORIZATION}/selfsubjectaccessreviews`, { metadata, spec })).code, 201);
    const elsewhere = { metadata: { namespace: 'other' }, spec };
    const { code, body } = await call(
      'POST',
      `${AUTHORIZATION}/namespaces/default/localsubjectaccessreviews`,
      elsewhere,
    );
    assert.equal(code, 400);
    assert.match(body.message, /^the namespace of the provided object does not match/);
  });

  it('in a namespace is about that namespace', async (t) => {
    const server = await testServer(t);
    const path = `${AUTHORIZATION}/namespaces/default/localsubjectaccessreviews`;
    assert.deepEqual(await asked(server, path, { user: 'alice', resourceAttributes: pods }), { allowed: false });
    assert.match(
      String(await asked(server, path, { user: 'alice', resourceAttributes: { ...pods, namespace: 'other' } })),
      /spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace$/,
    );
    assert.match(
      String(await asked(server, path, { user: 'alice', nonResourceAttributes: { verb: 'get', path: '/' } })),
      /spec.nonResourceAttributes: .* disallowed on this kind of request$/,
    );
  });
});

describe('a review of a token', () => {
  const forVault: Authenticator = ({ token, audiences = [] }) =>
    token === 'vault-token' && audiences.includes('vault')
      ? { name: 'robot', groups: [], audiences: ['vault'] }
      : undefined;
  const alice: Authenticator = ({ token }) => (token === 'alice' ? { name: 'alice', groups: [] } : undefined);
  const admin: Authenticator = ({ token }) =>
    token === 'admin' ? { name: 'x', groups: ['system:masters'] } : undefined;

  it('tells whose it is, and for which of the audiences asked for', async (t) => {
    const server = await testServer(t, { authenticators: [admin, alice, forVault] });
    const review = (spec: object) => asked(server, TOKEN_REVIEWS, spec);
    const user = { username: 'robot', groups: ['system:authenticated'] };
    const audiences = ['other', 'vault'];
    assert.deepEqual(await review({ token: 'vault-token', audiences }), {
      authenticated: true,
      user,
      audiences: ['vault'],
    });
    const unknown = { user: {}, error: 'invalid bearer token' };
    assert.deepEqual(await review({ token: 'vault-token' }), unknown);
    assert.deepEqual(await review({ token: 'nobody' }), unknown);
    // A token of this server is none for others.
    assert.deepEqual(await review({ token: 'alice', audiences: ['vault'] }), unknown);
    assert.equal(await review({}), '400 token is required for TokenReview in authentication');
  });
});
