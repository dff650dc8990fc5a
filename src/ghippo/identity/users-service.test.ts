import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Caller, SYSTEM } from '#ghippo/access/caller.ts';
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import { hashOf, ONCE_MS } from '#ghippo/session/index.ts';
import { recorded, testGhippo } from '../testing.ts';
import { USER_LIMIT } from './attempts.ts';

const PASSWORD = 'tr0ub4dor&3';

describe('users', () => {
  it('are made, changed and deleted by those who may, and every step is on record', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const [owner, nobody] = [await caller('olga', 'iam-owner'), await caller('nick')];
    await ghippo.users.createUser(owner, { name: 'bob', email: 'bob@example.com', password: PASSWORD });
    await ghippo.users.updateUser(owner, 'bob', { displayName: 'Bob' });
    assert.deepEqual((await ghippo.users.getUser(owner, 'bob')).spec, { email: 'bob@example.com', displayName: 'Bob' });
    assert.deepEqual(
      (await ghippo.users.listUsers(owner, { search: 'EXAMPLE' })).map(({ metadata }) => metadata.name),
      ['bob'],
    );
    await assert.rejects(ghippo.users.deleteUser(nobody, 'bob'), {
      reason: 'Forbidden',
      message: /has no binding that grants ghippo\/user\/delete/,
    });
    await assert.rejects(ghippo.users.listUsers(nobody), { reason: 'Forbidden' });
    await ghippo.users.deleteUser(owner, 'bob');
    await assert.rejects(ghippo.users.getUser(owner, 'bob'), { reason: 'NotFound' });
    await assert.rejects(ghippo.users.updateUser(owner, 'bob', {}), { reason: 'NotFound' });
    assert.deepEqual((await recorded(ghippo)).toReversed(), [
      'olga ghippo/user/create bob allowed',
      'olga ghippo/user/update bob allowed',
      'nick ghippo/user/delete bob denied',
      'nick ghippo/user/list  denied',
      'olga ghippo/user/delete bob allowed',
      'olga ghippo/user/update bob failed',
    ]);
  });

  it('may see themselves', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const nick = await caller('nick');
    assert.equal((await ghippo.users.getUser(nick, 'nick')).metadata.name, 'nick');
  });

  it('with a weak password are not made at all', async (t) => {
    const { ghippo } = await testGhippo(t);
    await assert.rejects(ghippo.users.createUser(SYSTEM, { name: 'bob', password: 'short' }), { reason: 'Invalid' });
    assert.equal(await ghippo.clients.users.find('bob'), undefined);
  });

  it('have no secret in what can be read of them, and a hash in a Secret', async (t) => {
    const { ghippo } = await testGhippo(t);
    const user = await ghippo.users.createUser(SYSTEM, { name: 'bob', password: PASSWORD });
    assert.ok(!JSON.stringify(user).includes(PASSWORD));
    const secret = await ghippo.clients.secrets.get({ namespace: GHIPPO_NAMESPACE, name: 'password-bob' });
    assert.match(Buffer.from(secret.data?.['hash'] ?? '', 'base64').toString(), /^\$scrypt\$/);
    const { records } = await ghippo.audit.query();
    assert.ok(!JSON.stringify(records).includes(PASSWORD));
  });
});

describe('signing in with a password', () => {
  it('gives a session, with which the caller is known until it ends', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    await caller('bob');
    await ghippo.users.setPassword(SYSTEM, 'bob', PASSWORD);
    const { secret } = await ghippo.signIns.signIn({ user: 'bob', password: PASSWORD }, { address: '10.0.0.7' });
    const known = await ghippo.authenticate({ session: secret, address: '10.0.0.7' });
    assert.equal(known?.user, 'bob');
    await ghippo.signIns.signOut(secret);
    await assert.rejects(ghippo.authenticate({ session: secret }), { reason: 'Unauthorized' });
    assert.equal(await ghippo.authenticate({}), undefined);
  });

  it('fails in the same words whatever is wrong', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    await caller('bob');
    await ghippo.users.setPassword(SYSTEM, 'bob', PASSWORD);
    await ghippo.users.createUser(SYSTEM, { name: 'dora', password: PASSWORD });
    await ghippo.users.updateUser(SYSTEM, 'dora', { disabled: true });
    await ghippo.users.createUser(SYSTEM, { name: 'without' });
    const refusals = await Promise.all(
      [
        ['bob', 'wrong'],
        ['dora', PASSWORD],
        ['without', ''],
        ['nobody', PASSWORD],
        ['../x', PASSWORD],
      ].map(([user = '', password = '']) =>
        ghippo.signIns
          .signIn({ user, password })
          .catch((error: Error & { reason: string }) => `${error.reason} ${error.message}`),
      ),
    );
    assert.deepEqual(new Set(refusals), new Set(['Unauthorized the name or the password is not right']));
  });

  it('makes wait after a few failures, users who do not exist like those who do', async (t) => {
    const { ghippo, caller, clock } = await testGhippo(t);
    await caller('bob');
    await ghippo.users.setPassword(SYSTEM, 'bob', PASSWORD);
    for (const user of ['bob', 'nobody']) {
      for (let n = 0; n < USER_LIMIT.free; n++)
        await assert.rejects(ghippo.signIns.signIn({ user, password: 'wrong' }), { reason: 'Unauthorized' });
      await assert.rejects(ghippo.signIns.signIn({ user, password: PASSWORD }), {
        reason: 'TooManyRequests',
        message: 'too many failed attempts: try again in 60 s',
      });
    }
    await clock.advance(60_000);
    assert.equal((await ghippo.signIns.signIn({ user: 'bob', password: PASSWORD })).session.user, 'bob');
  });

  it('is on record, with the reason that the caller was not told', async (t) => {
    const { ghippo } = await testGhippo(t);
    await assert.rejects(ghippo.signIns.signIn({ user: 'nobody', password: 'x' }, { address: '10.0.0.9' }));
    const [record] = (await ghippo.audit.query({ user: 'nobody' })).records;
    assert.deepEqual([record?.verdict, record?.reason, record?.address], ['denied', 'wrong password', '10.0.0.9']);
  });

  it('hashes anew what was kept at another cost', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    await caller('bob');
    const { hashPassword } = await import('./password.ts');
    const { passwordStore } = await import('./password-store.ts');
    const passwords = passwordStore(ghippo.clients.secrets);
    await passwords.write('bob', await hashPassword(PASSWORD, { ln: 3, r: 8, p: 1 }));
    await ghippo.signIns.signIn({ user: 'bob', password: PASSWORD });
    assert.match((await passwords.read('bob')) ?? '', /ln=4/);
  });
});

describe('a password', () => {
  it('that is changed by its owner ends their other sessions', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    await caller('bob');
    await ghippo.users.setPassword(SYSTEM, 'bob', PASSWORD);
    const [mine, other] = [
      await ghippo.signIns.signIn({ user: 'bob', password: PASSWORD }),
      await ghippo.signIns.signIn({ user: 'bob', password: PASSWORD }),
    ];
    const bob = await ghippo.authenticate({ session: mine.secret });
    assert.ok(bob);
    await assert.rejects(ghippo.users.changePassword(bob, 'wrong', 'n3w secret!'), { reason: 'Forbidden' });
    await ghippo.users.changePassword(bob, PASSWORD, 'n3w secret!');
    assert.ok(await ghippo.authenticate({ session: mine.secret }));
    await assert.rejects(ghippo.authenticate({ session: other.secret }), { reason: 'Unauthorized' });
    await ghippo.signIns.signIn({ user: 'bob', password: 'n3w secret!' });
  });

  it('is not set for those who sign in elsewhere', async (t) => {
    const { ghippo } = await testGhippo(t);
    const external = { provider: 'corp', issuer: 'x', subject: '1' };
    await ghippo.clients.users.create({ metadata: { name: 'eve' }, spec: { external } });
    await assert.rejects(ghippo.users.setPassword(SYSTEM, 'eve', PASSWORD), { reason: 'Invalid' });
  });
});

describe('a disabled user', () => {
  it('loses every session at once, and cannot come back', async (t) => {
    const { ghippo, caller, until } = await testGhippo(t);
    await caller('bob', 'admin');
    await ghippo.users.setPassword(SYSTEM, 'bob', PASSWORD);
    const { secret } = await ghippo.signIns.signIn({ user: 'bob', password: PASSWORD });
    await ghippo.users.updateUser(SYSTEM, 'bob', { disabled: true });
    await assert.rejects(ghippo.authenticate({ session: secret }), { reason: 'Unauthorized' });
    await assert.rejects(ghippo.signIns.signIn({ user: 'bob', password: PASSWORD }), { reason: 'Unauthorized' });
    await until(() => ghippo.snapshot.current().user('bob')?.spec.disabled === true);
    await assert.rejects(ghippo.users.listUsers({ user: 'bob', method: 'session' }), { reason: 'Forbidden' });
  });
});

describe('a sign-in link', () => {
  it('signs in once', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    await caller('bob');
    const code = await ghippo.signIns.createLink(SYSTEM, 'bob');
    assert.equal((await ghippo.signIns.signInByLink(code)).session.method, 'link');
    await assert.rejects(ghippo.signIns.signInByLink(code), { reason: 'Unauthorized' });
    const nick = await caller('nick');
    await assert.rejects(ghippo.signIns.createLink(nick, 'bob'), { reason: 'Forbidden' });
  });
});

describe('a code for a program', () => {
  const asked = { challenge: hashOf('a secret of the program'), computer: 'laptop' };

  it('signs in once, and only the program that asked for it', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const bob = await caller('bob');
    const code = await ghippo.signIns.createCode(bob, asked);
    const { session } = await ghippo.signIns.signInByCode({ code, verifier: 'a secret of the program' });
    assert.deepEqual([session.user, session.method], ['bob', 'code']);
    await assert.rejects(ghippo.signIns.signInByCode({ code, verifier: 'a secret of the program' }), {
      reason: 'Unauthorized',
      message: /used already/,
    });
    const stolen = await ghippo.signIns.createCode(bob, asked);
    await assert.rejects(ghippo.signIns.signInByCode({ code: stolen, verifier: 'a guess' }), {
      reason: 'Unauthorized',
      message: /another program/,
    });
    // One guess is all there is.
    await assert.rejects(ghippo.signIns.signInByCode({ code: stolen, verifier: 'a secret of the program' }), {
      reason: 'Unauthorized',
    });
    const { records } = await ghippo.audit.query({ user: 'bob' });
    assert.deepEqual(records.map(({ action, verdict }) => [action, verdict]).toReversed(), [
      ['ghippo/token/create', 'allowed'],
      ['ghippo/session/create', 'allowed'],
      ['ghippo/token/create', 'allowed'],
      ['ghippo/session/create', 'denied'],
    ]);
  });

  it('is too old after minutes, no link, and nothing for somebody with a token or without an account', async (t) => {
    const { ghippo, caller, clock } = await testGhippo(t);
    const bob = await caller('bob');
    const signIn = (code: string) => ghippo.signIns.signInByCode({ code, verifier: 'a secret of the program' });
    const old = await ghippo.signIns.createCode(bob, asked);
    await assert.rejects(ghippo.signIns.signInByLink(old), { reason: 'Unauthorized' });
    await clock.advance(ONCE_MS);
    await assert.rejects(signIn(old), { reason: 'Unauthorized' });
    const byToken: Caller = { ...bob, method: 'token', token: { permissions: ['kairship/workload/list'] } };
    await assert.rejects(ghippo.signIns.createCode(byToken, asked), { reason: 'Forbidden' });
    const code = await ghippo.signIns.createCode(bob, asked);
    await ghippo.users.updateUser(SYSTEM, 'bob', { disabled: true });
    await assert.rejects(signIn(code), { reason: 'Unauthorized' });
  });
});
