import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type FakeClock, fakeClock } from '#base/clock.ts';
import type { Pod } from '#gen/kube/types.ts';
import { PODS } from '../../resources.ts';
import { streamServer } from '../testing.ts';
import { logStream } from './log-stream.ts';

const pace = { everyMs: 1_000, keptLines: 100 };
const START = Date.UTC(2026, 0, 1);

async function server(t: TestContext, clock: FakeClock) {
  const test = await streamServer(t, { clock, pace });
  const open = (pod: Pod, options: Partial<Parameters<typeof logStream>[2]> = {}) =>
    logStream({ client: test.server.client(), clock, pace }, pod, {
      container: 'main',
      follow: false,
      previous: false,
      timestamps: false,
      signal: new AbortController().signal,
      ...options,
    });
  return { ...test, open };
}

async function all(lines: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of lines) text += Buffer.from(chunk).toString();
  return text;
}

describe('the log of a simulated container', { timeout: 120_000 }, () => {
  it('can be cut to its tail, to a beginning, and have its times shown', async (t) => {
    const clock = fakeClock(START + 5_000);
    const { run, open } = await server(t, clock);
    const pod = await run('web', {}, START);
    assert.equal((await all(open(pod))).split('\n').length - 1, 7);
    assert.equal(await all(open(pod, { tailLines: 2 })), 'working (4)\nworking (5)\n');
    assert.equal(await all(open(pod, { tailLines: 0 })), '');
    assert.equal(await all(open(pod, { since: START + 5_000 })), 'working (5)\n');
    assert.equal(
      await all(open(pod, { tailLines: 1, timestamps: true })),
      '2026-01-01T00:00:05.000000000Z working (5)\n',
    );
  });

  it('goes on when followed, to the end of the container', async (t) => {
    const clock = fakeClock(START + 500);
    const { run, open, end } = await server(t, clock);
    const pod = await run('web', {}, START);
    const lines = open(pod, { follow: true, tailLines: 0 })[Symbol.asyncIterator]();
    const next = async () => Buffer.from((await lines.next()).value ?? []).toString();
    assert.equal(await next(), '');
    const first = next();
    await clock.advance(500);
    assert.equal(await first, 'working (1)\n');
    const second = next();
    await clock.advance(1_000);
    assert.equal(await second, 'working (2)\n');
    const last = next();
    await end('web', 4);
    assert.equal(await last, 'main ended with exit code 4 (Error)\n');
    assert.equal((await lines.next()).done, true);
  });

  it('ends when the pod is gone, and when nobody follows any more', async (t) => {
    const clock = fakeClock(START);
    const { run, open, server: api } = await server(t, clock);
    const pod = await run('web', {}, START);
    const stop = new AbortController();
    const deserted = all(open(pod, { follow: true, signal: stop.signal }));
    const orphaned = all(open(pod, { follow: true }));
    await clock.advance(0);
    stop.abort();
    await deserted;
    await api.client().delete(PODS, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    await orphaned;
  });
});
