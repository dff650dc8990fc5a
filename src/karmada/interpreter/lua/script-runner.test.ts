import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { DEFAULT_LIMITS, LuaError, LuaLimitError } from './language/index.ts';
import type { ScriptCall } from './run-script.ts';
import { scriptRunner } from './script-runner.ts';

const call = (body: string, ...args: readonly unknown[]): ScriptCall => ({
  source: `function f(a, b)\n${body}\nend`,
  functionName: 'f',
  args,
  results: 1,
});

const LONG = 'local n = 0 for i = 1, 5000 do n = n + 1 end';

describe('a quick script', () => {
  const runner = scriptRunner();

  it('has answered before anybody could wait', () => assert.deepEqual(runner.call(call('return a + b', 1, 2)), [3]));
});

describe('a slow script', () => {
  // At the first look at the clock the time of this thread is over.
  const runner = scriptRunner({ quickMs: -1, limits: { ...DEFAULT_LIMITS, timeMs: 20_000, memoryBytes: 2 ** 20 } });
  after(() => runner.close());

  it('answers from another thread, after this one could go on', async () => {
    const answer = runner.call(call(`${LONG} return { sum = a.x + n, text = "é" }`, { x: 1 }));
    assert.ok(answer instanceof Promise);
    assert.deepEqual(await answer, [{ sum: 5001, text: 'é' }]);
  });

  it('prints once, though it was begun twice', async () => {
    const lines: string[] = [];
    await runner.call(call(`print("begun") ${LONG} print(n)`), (line) => lines.push(line));
    assert.deepEqual(lines, ['begun', '5000']);
  });

  it('fails with the line it failed at', async () => {
    await assert.rejects(
      async () => runner.call(call(`${LONG}\nreturn a.b.c`, {})),
      (error) => error instanceof LuaError && error.line === 3 && /field 'b'/.test(error.message),
    );
  });

  it('keeps its other limits there', async () => {
    await assert.rejects(
      async () => runner.call(call(`${LONG} local t = {} while true do t[#t + 1] = {} end`)),
      (error) => error instanceof LuaLimitError && error.limit === 'memory',
    );
  });

  it('is no longer tried on this thread when it is slow again and again', async () => {
    let looks = 0;
    const world = { now: () => ++looks, date: () => 0, random: () => 0, print: () => undefined };
    const patient = scriptRunner({ quickMs: 0, world });
    const again = call(`${LONG} return n`);
    for (let time = 0; time < 5; time++) assert.deepEqual(await patient.call(again), [5000]);
    // Two looks each for the three times it was begun here: at its beginning, and when its time was over.
    assert.equal(looks, 6);
    patient.close();
  });
});

describe('a thread that does not come back', () => {
  it('is given up, and the next call gets another', async () => {
    const clock = fakeClock();
    const runner = scriptRunner({ quickMs: -1, clock, threads: 1, limits: { ...DEFAULT_LIMITS, timeMs: 60_000 } });
    const hopeless = Promise.resolve(runner.call(call('while true do end')));
    const failed = assert.rejects(hopeless, /does not end/);
    await clock.advance(65_000);
    await failed;
    assert.deepEqual(await runner.call(call(`${LONG} return n`)), [5000]);
    runner.close();
  });

  it('leaves nobody waiting when it is closed', async () => {
    const runner = scriptRunner({ quickMs: -1, limits: { ...DEFAULT_LIMITS, timeMs: 60_000 } });
    const waiting = Promise.resolve(runner.call(call('while true do end')));
    runner.close();
    await assert.rejects(waiting, /was closed/);
  });
});
