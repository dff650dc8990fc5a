import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { type Session, sessions } from './session.ts';

const HOUR = 3_600_000;
const open = new AbortController().signal;

describe('sessions', () => {
  it('are refused beyond their number, and taken again when one has ended', async () => {
    const run = sessions({ sessions: 1, idleMs: HOUR }, fakeClock());
    const first = Promise.withResolvers<void>();
    const running = run(open, () => first.promise);
    await assert.rejects(
      run(open, async () => undefined),
      { reason: 'TooManyRequests', message: /1 streams are open/ },
    );
    first.resolve();
    await running;
    assert.equal(await run(open, async () => 'taken'), 'taken');
  });

  it('give their place back when they fail', async () => {
    const run = sessions({ sessions: 1, idleMs: HOUR }, fakeClock());
    await assert.rejects(
      run(open, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    await run(open, async () => undefined);
  });

  it('end when nothing has passed for too long', async () => {
    const clock = fakeClock();
    const held = Promise.withResolvers<void>();
    let session: Session | undefined;
    const running = sessions({ sessions: 1, idleMs: HOUR }, clock)(open, (own) => {
      session = own;
      return held.promise;
    });
    await clock.advance(HOUR - 1);
    session?.touch();
    await clock.advance(HOUR - 1);
    assert.equal(session?.signal.aborted, false);
    await clock.advance(1);
    assert.equal(session?.signal.aborted, true);
    assert.match(String(session?.signal.reason), /idle/);
    held.resolve();
    await running;
  });

  it('end with the server', async () => {
    const closing = new AbortController();
    await sessions({ sessions: 1, idleMs: HOUR }, fakeClock())(closing.signal, async ({ signal }) => {
      closing.abort();
      assert.equal(signal.aborted, true);
    });
  });
});
