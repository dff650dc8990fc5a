import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fakeClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { openExchanges } from './open-exchanges.ts';

const CALLER = { user: 'alice', groups: ['viewers'] };

function opened() {
  const clock = fakeClock();
  const exchanges = openExchanges({ clock });
  let now: () => Promise<typeof CALLER> = async () => CALLER;
  let ended = 0;
  const over = exchanges.add(
    CALLER,
    () => now(),
    () => void (ended += 1),
  );
  return {
    over,
    ended: () => ended,
    becomes: (admitted: typeof now) => void (now = admitted),
    pass: async (ms: number) => {
      await clock.advance(ms);
      await setImmediate();
    },
  };
}

describe('R29: what stays open through the proxy', () => {
  it('stays while its caller is who they were', async () => {
    const { pass, ended } = opened();
    for (let i = 0; i < 5; i += 1) await pass(2_000);
    assert.equal(ended(), 0);
  });

  it('is cut off, once, soon after its caller has lost the right to it', async () => {
    const { pass, ended, becomes } = opened();
    becomes(() => Promise.reject(new StatusError('Forbidden', 'no rights')));
    await pass(2_000);
    assert.equal(ended(), 1);
    await pass(2_000);
    assert.equal(ended(), 1);
  });

  it('is cut off when its caller is somebody else inside by now', async () => {
    const { pass, ended, becomes } = opened();
    becomes(async () => ({ ...CALLER, groups: ['editors'] }));
    await pass(2_000);
    assert.equal(ended(), 1);
  });

  it('stays when nobody can tell', async () => {
    const { pass, ended, becomes } = opened();
    becomes(() => Promise.reject(new StatusError('ServiceUnavailable', 'the database is away')));
    await pass(2_000);
    assert.equal(ended(), 0);
  });

  it('is looked at no more when it is over', async () => {
    const { pass, ended, becomes, over } = opened();
    becomes(() => Promise.reject(new StatusError('Forbidden', 'no rights')));
    over();
    await pass(4_000);
    assert.equal(ended(), 0);
  });
});
