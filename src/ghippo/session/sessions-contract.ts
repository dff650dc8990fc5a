/** What sessions and codes promise on every database, as tests. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import type { Database } from '../database/database.ts';
import { ONCE_MS, once } from './once.ts';
import { SESSION_IDLE_MS, SESSION_LONGEST_MS, SESSIONS_PER_USER, sessions } from './sessions.ts';

export function sessionsContract(name: string, open: (t: TestContext) => Promise<Database>): void {
  async function fixture(t: TestContext) {
    const clock = fakeClock();
    const database = await open(t);
    return { clock, database, sessions: sessions({ database, clock }), once: once({ database, clock }) };
  }

  describe(`${name}: a session`, () => {
    it('is opened by its secret and by nothing else', async (t) => {
      const { sessions: all, database } = await fixture(t);
      const { secret, session } = await all.create({
        user: 'alice',
        method: 'password',
        address: '10.0.0.1',
        agent: 'curl',
      });
      assert.equal((await all.open(secret))?.user, 'alice');
      for (const other of ['', session.id, `${secret}x`]) assert.equal(await all.open(other), undefined);
      const kept = JSON.stringify(await database.query('SELECT * FROM ghippo_sessions'));
      assert.ok(!kept.includes(secret));
    });

    it('ends when nobody uses it, and lives on when somebody does', async (t) => {
      const { sessions: all, clock } = await fixture(t);
      const idle = await all.create({ user: 'alice', method: 'password' });
      const used = await all.create({ user: 'alice', method: 'password' });
      await clock.advance(SESSION_IDLE_MS - 1);
      assert.ok(await all.open(used.secret));
      await clock.advance(2);
      assert.equal(await all.open(idle.secret), undefined);
      assert.ok(await all.open(used.secret));
    });

    it('ends after a day even if it is used all the time', async (t) => {
      const { sessions: all, clock } = await fixture(t);
      const { secret } = await all.create({ user: 'alice', method: 'password' });
      for (let spent = 0; spent < SESSION_LONGEST_MS - SESSION_IDLE_MS; spent += SESSION_IDLE_MS / 2) {
        assert.ok(await all.open(secret));
        await clock.advance(SESSION_IDLE_MS / 2);
      }
      assert.ok(await all.open(secret));
      await clock.advance(SESSION_IDLE_MS - 1);
      assert.ok(await all.open(secret));
      await clock.advance(1);
      assert.equal(await all.open(secret), undefined);
    });

    it('ends at once when it is revoked, by its user only', async (t) => {
      const { sessions: all } = await fixture(t);
      const { secret, session } = await all.create({ user: 'alice', method: 'password' });
      assert.equal(await all.revoke(session.id, 'bob'), false);
      assert.ok(await all.open(secret));
      assert.equal(await all.revoke(session.id, 'alice'), true);
      assert.equal(await all.open(secret), undefined);
    });

    it('ends with all others of its user, but for the one in use', async (t) => {
      const { sessions: all } = await fixture(t);
      const mine = await all.create({ user: 'alice', method: 'password' });
      const other = await all.create({ user: 'alice', method: 'oidc' });
      const bobs = await all.create({ user: 'bob', method: 'link' });
      assert.equal(await all.revokeAll('alice', mine.session.id), 1);
      assert.deepEqual(
        await Promise.all([mine, other, bobs].map(async ({ secret }) => (await all.open(secret)) !== undefined)),
        [true, false, true],
      );
      assert.equal(await all.revokeAll('alice'), 1);
    });

    it('is one of a limited number', async (t) => {
      const { sessions: all, clock } = await fixture(t);
      const first = await all.create({ user: 'alice', method: 'password' });
      for (let n = 0; n < SESSIONS_PER_USER; n++) {
        await clock.advance(1);
        await all.create({ user: 'alice', method: 'password' });
      }
      assert.equal((await all.list('alice')).length, SESSIONS_PER_USER);
      assert.equal(await all.open(first.secret), undefined);
    });

    it('leaves nothing behind', async (t) => {
      const { sessions: all, clock, database } = await fixture(t);
      await all.create({ user: 'alice', method: 'password' });
      await clock.advance(SESSION_IDLE_MS);
      await all.purge();
      assert.deepEqual(await database.query('SELECT id FROM ghippo_sessions'), []);
    });
  });

  describe(`${name}: a code`, () => {
    it('works once, even for many who try at once', async (t) => {
      const { once: codes } = await fixture(t);
      const code = await codes.issue('link', { user: 'alice' });
      const answers = await Promise.all(Array.from({ length: 5 }, () => codes.redeem('link', code)));
      assert.deepEqual(
        answers.filter((answer) => answer !== undefined),
        [{ user: 'alice' }],
      );
    });

    it('works for its purpose only, and not after its time', async (t) => {
      const { once: codes, clock } = await fixture(t);
      const code = await codes.issue('link', {});
      assert.equal(await codes.redeem('oidc', code), undefined);
      await clock.advance(ONCE_MS);
      assert.equal(await codes.redeem('link', code), undefined);
      await codes.purge();
    });
  });
}
