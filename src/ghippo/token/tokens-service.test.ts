import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SYSTEM } from '#ghippo/access/caller.ts';
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { testGhippo } from '../testing.ts';
import { parseToken, tokenText } from './token-text.ts';
import { TOKEN_LIFE_MS, TOKENS_PER_USER } from './tokens-service.ts';

describe('a token', () => {
  it('opens what its owner may do, from the moment it is made', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const olga = await caller('olga', 'iam-owner');
    const { text, token } = await ghippo.tokens.createToken(olga, { description: 'ci' });
    assert.match(text, /^kst_[b-z2-9]{12}_[\w-]{43}$/);
    const known = await ghippo.authenticate({ bearer: text, address: '10.0.0.3' });
    assert.deepEqual(known, { user: 'olga', method: 'token', credential: token.id, token: {}, address: '10.0.0.3' });
    assert.ok(known && (await ghippo.users.listUsers(known)));
    const [listed] = await ghippo.tokens.listTokens(olga);
    assert.deepEqual([listed?.description, listed?.lastUsed?.address], ['ci', '10.0.0.3']);
  });

  it('is kept only as a hash', async (t) => {
    const { ghippo, caller, client } = await testGhippo(t);
    const { text } = await ghippo.tokens.createToken(await caller('bob'), {});
    const secret = parseToken(text)?.secret ?? '';
    const all = await ghippo.clients.secrets.list({ namespace: GHIPPO_NAMESPACE });
    const plain = all.map(({ data }) =>
      Object.values(data ?? {}).map((value) => Buffer.from(value, 'base64').toString()),
    );
    assert.ok(
      !JSON.stringify([plain, await client.list({ group: '', version: 'v1', resource: 'secrets' })]).includes(secret),
    );
  });

  it('is refused when it is forged, expired or not one', async (t) => {
    const { ghippo, caller, clock } = await testGhippo(t);
    const { text, token } = await ghippo.tokens.createToken(await caller('bob'), {});
    const forged = [
      tokenText(token.id, 'x'.repeat(43)),
      `${text}x`,
      'kst_',
      'Bearer',
      '',
      tokenText('bbbbbbbbbbbb', parseToken(text)?.secret ?? ''),
    ];
    for (const bearer of forged)
      await assert.rejects(ghippo.authenticate({ bearer }), {
        reason: 'Unauthorized',
        message: 'the token is not valid',
      });
    await clock.advance(TOKEN_LIFE_MS.default);
    await assert.rejects(ghippo.authenticate({ bearer: text }), { reason: 'Unauthorized' });
  });

  it('is gone as soon as it is revoked, by its owner or by who may', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const [bob, nick] = [await caller('bob'), await caller('nick')];
    const { text, token } = await ghippo.tokens.createToken(bob, {});
    await ghippo.authenticate({ bearer: text });
    await assert.rejects(ghippo.tokens.revokeToken(nick, token.id), { reason: 'Forbidden' });
    await ghippo.tokens.revokeToken(bob, token.id);
    const isOpen = () => ghippo.authenticate({ bearer: text }).then(Boolean, () => false);
    while (await isOpen()) await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(ghippo.tokens.revokeToken(bob, token.id), { reason: 'NotFound' });
    assert.deepEqual(await ghippo.tokens.listTokens(bob), []);
  });

  it('can be limited to points and places, and never reaches further than its owner', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const olga = await caller('olga', 'iam-owner');
    const limits = { permissions: ['ghippo/user/list', 'kairship/*/*'], scopes: [instanceScope('prod')] };
    const { text } = await ghippo.tokens.createToken(olga, limits);
    const known = await ghippo.authenticate({ bearer: text });
    assert.deepEqual(known?.token, limits);
    assert.ok(known);
    // Users are of the platform, which the token's instance does not contain.
    await assert.rejects(ghippo.users.listUsers(known), {
      reason: 'Forbidden',
      message: /the token of user "olga" does not include/,
    });
    const wide = await ghippo.tokens.createToken(await caller('nick'), { permissions: ['*/*/*'] });
    const nick = await ghippo.authenticate({ bearer: wide.text });
    assert.ok(nick);
    await assert.rejects(ghippo.users.listUsers(nick), { reason: 'Forbidden' });
  });

  it('made with a token has its limits', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const first = await ghippo.tokens.createToken(await caller('bob'), { permissions: ['a/b/c'] });
    const known = await ghippo.authenticate({ bearer: first.text });
    assert.ok(known);
    await assert.rejects(ghippo.tokens.createToken(known, { permissions: ['*/*/*'] }), { reason: 'Forbidden' });
    assert.deepEqual((await ghippo.tokens.createToken(known, {})).token.permissions, ['a/b/c']);
  });

  it('of somebody else is made only with the right to, and not for those who are disabled', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const [olga, bob] = [await caller('olga', 'iam-owner'), await caller('bob')];
    await assert.rejects(ghippo.tokens.createToken(bob, { user: 'olga' }), { reason: 'Forbidden' });
    await assert.rejects(ghippo.tokens.listTokens(bob, 'olga'), { reason: 'Forbidden' });
    assert.equal((await ghippo.tokens.createToken(olga, { user: 'bob' })).token.user, 'bob');
    await ghippo.users.updateUser(SYSTEM, 'bob', { disabled: true });
    await assert.rejects(ghippo.tokens.createToken(olga, { user: 'bob' }), { reason: 'Invalid' });
    await assert.rejects(ghippo.tokens.createToken(olga, { user: 'nobody' }), { reason: 'NotFound' });
  });

  it('lives for a limited time, is one of a limited number and states real permissions', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const bob = await caller('bob');
    const fiveYears = 1825 * 24 * 3_600_000;
    const { token } = await ghippo.tokens.createToken(bob, { lifeMs: fiveYears });
    await ghippo.tokens.revokeToken(bob, token.id);
    for (const lifeMs of [0, -1, fiveYears + 1, Number.NaN])
      await assert.rejects(ghippo.tokens.createToken(bob, { lifeMs }), { reason: 'BadRequest' });
    await assert.rejects(ghippo.tokens.createToken(bob, { permissions: ['everything'] }), { reason: 'BadRequest' });
    for (let n = 0; n < TOKENS_PER_USER; n++) await ghippo.tokens.createToken(bob, {});
    await assert.rejects(ghippo.tokens.createToken(bob, {}), { reason: 'Invalid' });
  });
});
