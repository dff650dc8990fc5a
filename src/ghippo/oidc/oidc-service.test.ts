/** Signing in with a real identity provider, which is a process of its own. */
import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { SYSTEM } from '#ghippo/access/caller.ts';
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import { ofSuite } from '#base/testing.ts';
import { testGhippo } from '../testing.ts';
import { browser } from './testing/browser.ts';
import { identityProvider, type TestProvider } from './testing/identity-provider.ts';

const BACK = 'http://127.0.0.1:1/back';

describe('signing in with an identity provider', () => {
  const suite = ofSuite();
  let issuer: string;
  let tell: TestProvider['tell'];
  before(async () => {
    ({ issuer, tell } = await identityProvider(suite, BACK));
  });

  /** What the provider says of somebody from now on. */
  const say = (sub: string, claims: object) => tell({ sub, claims });

  async function fixture(t: TestContext, more: object = {}) {
    const test = await testGhippo(t);
    const { identityProviders, secrets } = test.ghippo.clients;
    const data = { clientSecret: Buffer.from('client secret').toString('base64') };
    await secrets.create({ metadata: { namespace: GHIPPO_NAMESPACE, name: 'corp' }, data });
    const spec = { issuer, clientId: 'kairship', clientSecretName: 'corp', displayName: 'Corp', ...more };
    await identityProviders.create({ metadata: { name: 'corp' }, spec });
    const signIn = async (login: string) => {
      const { url, state } = await test.ghippo.oidc.begin('corp', BACK);
      const back = await browser().signIn(url, login, BACK);
      return test.ghippo.oidc.finish(
        { query: back.searchParams, cookie: state, redirectUri: BACK },
        { address: '10.0.0.1' },
      );
    };
    return { ...test, signIn };
  }

  it('makes a user with what it says, and follows it at every sign-in', async (t) => {
    const { ghippo, signIn, until } = await fixture(t, { groupMapping: [{ claim: 'admins', group: 'platform' }] });
    await say('s-1', {
      preferred_username: 'Alice@Corp',
      name: 'Alice',
      email: 'alice@corp.example',
      groups: ['dev', 'admins'],
    });
    const { secret, session } = await signIn('s-1');
    assert.deepEqual([session.user, session.method], ['alice', 'oidc']);
    const user = await ghippo.clients.users.get('alice');
    assert.deepEqual(user.spec, {
      displayName: 'Alice',
      email: 'alice@corp.example',
      external: { provider: 'corp', issuer, subject: 's-1', groups: ['corp:dev', 'platform'] },
    });
    await until(() => ghippo.snapshot.current().user('alice') !== undefined);
    assert.equal((await ghippo.authenticate({ session: secret }))?.user, 'alice');

    await say('s-1', { preferred_username: 'alice', name: 'Alice', groups: ['ops'] });
    assert.equal((await signIn('s-1')).session.user, 'alice');
    assert.deepEqual((await ghippo.clients.users.get('alice')).spec.external?.groups, ['corp:ops']);
  });

  it('does not hand out an account that is somebody else’s', async (t) => {
    const { ghippo, signIn } = await fixture(t);
    await ghippo.users.createUser(SYSTEM, { name: 'root', password: 'tr0ub4dor&3' });
    await say('s-2', { preferred_username: 'root' });
    const { session } = await signIn('s-2');
    assert.match(session.user, /^root-[0-9a-f]{8}$/);
    assert.equal((await signIn('s-2')).session.user, session.user);
  });

  it('is refused in another browser, a second time, with another state and with another code', async (t) => {
    const { ghippo } = await fixture(t);
    const begun = await ghippo.oidc.begin('corp', BACK);
    const back = await browser().signIn(begun.url, 's-3', BACK);
    const finish = (query: URLSearchParams, cookie: string) => ghippo.oidc.finish({ query, cookie, redirectUri: BACK });
    await assert.rejects(finish(back.searchParams, 'other'), { reason: 'Unauthorized', message: /another browser/ });
    await assert.rejects(finish(new URLSearchParams({ state: '' }), ''), { reason: 'Unauthorized' });

    // A code got for one sign-in does not finish another: its nonce and its verifier are different.
    const other = await ghippo.oidc.begin('corp', BACK);
    const mixed = new URLSearchParams({ ...Object.fromEntries(back.searchParams), state: other.state });
    await assert.rejects(finish(mixed, other.state), { reason: 'Unauthorized', message: /did not vouch/ });

    const third = await ghippo.oidc.begin('corp', BACK);
    const good = await browser().signIn(third.url, 's-3', BACK);
    await finish(good.searchParams, third.state);
    await assert.rejects(finish(good.searchParams, third.state), {
      reason: 'Unauthorized',
      message: /finished already/,
    });
  });

  it('is refused when the provider says no, and when the user is disabled here', async (t) => {
    const { ghippo, signIn } = await fixture(t);
    const { state } = await ghippo.oidc.begin('corp', BACK);
    const query = new URLSearchParams({ state, error: 'access_denied', iss: issuer });
    await assert.rejects(ghippo.oidc.finish({ query, cookie: state, redirectUri: BACK }), { reason: 'Unauthorized' });
    await say('s-4', { preferred_username: 'dora' });
    await signIn('s-4');
    await ghippo.users.updateUser(SYSTEM, 'dora', { disabled: true });
    await assert.rejects(signIn('s-4'), { reason: 'Unauthorized' });
  });

  it('goes on at once when the provider changes its key', async (t) => {
    const { signIn } = await fixture(t);
    await say('s-5', { preferred_username: 'eve' });
    assert.equal((await signIn('s-5')).session.user, 'eve');
    await tell({ rotate: true });
    assert.equal((await signIn('s-5')).session.user, 'eve');
    // What the next tests forge is refused for its lie alone: with none, it is taken.
    await tell({ lie: 'nothing' });
    assert.equal((await signIn('s-5')).session.user, 'eve');
    await tell({ lie: 'none' });
  });

  for (const lie of ['signature', 'algorithm', 'audience', 'issuer', 'nonce', 'expired'] as const) {
    it(`R12: is refused with a token that is forged: ${lie}`, async (t) => {
      const { ghippo, signIn } = await fixture(t);
      await say('s-6', { preferred_username: 'mallory' });
      await tell({ lie });
      try {
        await assert.rejects(signIn('s-6'), { reason: 'Unauthorized', message: /did not vouch/ });
      } finally {
        await tell({ lie: 'none' });
      }
      assert.equal(await ghippo.clients.users.find('mallory'), undefined);
    });
  }

  it('is refused at the place of another provider', async (t) => {
    const { ghippo } = await fixture(t);
    const { url, state } = await ghippo.oidc.begin('corp', BACK);
    const back = await browser().signIn(url, 's-7', BACK);
    const elsewhere = { query: back.searchParams, cookie: state, redirectUri: 'http://127.0.0.1:1/other' };
    await assert.rejects(ghippo.oidc.finish(elsewhere), { reason: 'Unauthorized', message: /another provider/ });
  });

  it('is offered for providers that are known, enabled, reachable and safe', async (t) => {
    const { ghippo } = await fixture(t);
    const { identityProviders } = ghippo.clients;
    const spec = { issuer: 'http://127.0.0.1:1', clientId: 'x' };
    await identityProviders.create({ metadata: { name: 'down' }, spec });
    await identityProviders.create({ metadata: { name: 'off' }, spec: { ...spec, disabled: true } });
    await identityProviders.create({
      metadata: { name: 'plain' },
      spec: { ...spec, issuer: 'http://idp.example.com' },
    });
    assert.deepEqual((await ghippo.oidc.listProviders())[0], { name: 'corp', displayName: 'Corp' });
    for (const [name, reason] of [
      ['off', 'NotFound'],
      ['none', 'NotFound'],
      ['down', 'ServiceUnavailable'],
      ['plain', 'Invalid'],
    ] as const)
      await assert.rejects(ghippo.oidc.begin(name, BACK), { reason });
  });
});
