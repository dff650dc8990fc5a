import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { sqliteDatabase } from '../database/sqlite-database.ts';
import { ADDRESS_LIMIT, type AttemptState, attempts, countAttempt, USER_LIMIT } from './attempts.ts';

function waits(failures: number): number[] {
  let state: AttemptState | undefined;
  let now = 0;
  return Array.from({ length: failures }, () => {
    const next = countAttempt(state, now, USER_LIMIT);
    assert.ok('state' in next);
    state = next.state;
    const wait = Math.max(0, state.lockedUntil - now);
    now = Math.max(now + 1, state.lockedUntil);
    return wait / 60_000;
  });
}

describe('failed attempts', () => {
  it('make wait longer each time, up to an hour', () => {
    assert.deepEqual(waits(13), [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('are forgotten after a day', () => {
    const old = { failures: 9, lastAt: 0, lockedUntil: 1 };
    const next = countAttempt(old, USER_LIMIT.forgetAfterMs + 1, USER_LIMIT);
    assert.deepEqual('state' in next && next.state.failures, 1);
  });

  it('of one user lock that user, wherever they come from, and tell for how long', async () => {
    const clock = fakeClock();
    const guard = attempts({ database: await sqliteDatabase(), clock });
    for (let n = 0; n < USER_LIMIT.free; n++) await guard.begin('alice', `10.0.0.${n}`);
    await assert.rejects(guard.begin('alice', '10.0.9.9'), (error: { reason: string; details: object }) => {
      assert.equal(error.reason, 'TooManyRequests');
      assert.deepEqual(error.details, { retryAfterSeconds: 60 });
      return true;
    });
    await guard.begin('bob', '10.0.9.9');
    await clock.advance(60_000);
    await guard.begin('alice', '10.0.9.9');
  });

  it('from one address lock that address, for whatever user', async () => {
    const guard = attempts({ database: await sqliteDatabase(), clock: fakeClock() });
    for (let n = 0; n < ADDRESS_LIMIT.free; n++) await guard.begin(`user${n}`, '10.0.0.1');
    await assert.rejects(guard.begin('someone', '10.0.0.1'), { reason: 'TooManyRequests' });
    await guard.begin('someone', '10.0.0.2');
  });

  it('are counted before the answer is known, so that many at once are as many in a row', async () => {
    const guard = attempts({ database: await sqliteDatabase(), clock: fakeClock() });
    const all = await Promise.allSettled(Array.from({ length: 30 }, () => guard.begin('alice', '')));
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, USER_LIMIT.free);
  });

  it('are forgiven to a user who then gets it right, but not to others at the address', async () => {
    const guard = attempts({ database: await sqliteDatabase(), clock: fakeClock() });
    for (let n = 0; n < 3; n++) await guard.begin('alice', 'a');
    await guard.succeeded('alice', 'a');
    for (let n = 0; n < USER_LIMIT.free; n++) await guard.begin('alice', 'b');
    for (let n = 0; n < ADDRESS_LIMIT.free - 2; n++) await guard.begin(`u${n}`, 'a');
    await assert.rejects(guard.begin('u', 'a'), { reason: 'TooManyRequests' });
  });

  it('leave nothing behind in the end', async () => {
    const clock = fakeClock();
    const database = await sqliteDatabase();
    const guard = attempts({ database, clock });
    await guard.begin('alice', 'a');
    await clock.advance(USER_LIMIT.forgetAfterMs + 1);
    await guard.purge();
    assert.deepEqual(await database.query('SELECT id FROM ghippo_attempts'), []);
  });
});
