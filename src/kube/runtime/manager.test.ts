import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { countingIds } from '#base/ids.ts';
import { jsonLog } from '#base/log.ts';
import { metrics } from '#base/metrics.ts';
import { StatusError } from '#base/status-error.ts';
import { type Controller, done, retryIn } from './controller.ts';
import { type ManagerDeps, manager } from './manager.ts';
import { shakyServer } from './testing.ts';

const gvr = { group: '', version: 'v1', resource: 'configmaps' };

describe('a manager', () => {
  let stop = new AbortController();
  let running: Promise<void> | undefined;
  afterEach(async () => {
    stop.abort();
    await running;
    stop = new AbortController();
  });

  function run(controllers: readonly Controller[], options: Partial<ManagerDeps> = {}) {
    const server = shakyServer();
    const clock = fakeClock();
    const measured = metrics();
    const lines: { level: string; message: string; [field: string]: unknown }[] = [];
    const log = jsonLog((line) => lines.push(JSON.parse(line)), 'debug');
    const all = manager({
      client: server.client,
      controllers,
      clock,
      ids: countingIds(),
      log,
      metrics: measured,
      ...options,
    });
    const start = () => {
      running = all.start(stop.signal);
    };
    return { server, clock, lines, measured, all, ready: all.ready, start, settle: () => settleTurns() };
  }

  it('reconciles each object once when it starts and again when it changes', async () => {
    const seen: string[] = [];
    const { server, start, settle } = run([
      { name: 'c', watches: [{ gvr }], reconcile: async ({ key }) => (seen.push(key), done) },
    ]);
    server.put('a');
    server.put('b');
    start();
    await settle();
    assert.deepEqual(seen, ['a', 'b']);
    server.put('a');
    server.put('a');
    await settle();
    assert.deepEqual(seen, ['a', 'b', 'a']);
  });

  it('wakes the keys a watch names, with the state before', async () => {
    const seen: string[] = [];
    const woken: (string | undefined)[][] = [];
    const { server, start, settle } = run([
      {
        name: 'c',
        watches: [
          {
            gvr,
            wakes(object, old, change) {
              woken.push([change, object.metadata.resourceVersion, old?.metadata.resourceVersion]);
              return [`owner-of-${object.metadata.name}`];
            },
          },
        ],
        reconcile: async ({ key }) => (seen.push(key), done),
      },
    ]);
    start();
    await settle();
    server.put('a');
    server.put('a');
    server.remove('a');
    await settle();
    assert.deepEqual(seen, ['owner-of-a']);
    assert.deepEqual(woken, [
      ['added', '2', undefined],
      ['modified', '3', '2'],
      ['deleted', '4', '3'],
    ]);
  });

  it('never reconciles a key twice at a time, and as many keys at once as allowed', async () => {
    const active = new Set<string>();
    let most = 0;
    let runs = 0;
    const { server, start, settle } = run([
      {
        name: 'c',
        concurrency: 3,
        watches: [{ gvr }],
        async reconcile({ key }) {
          assert.ok(!active.has(key));
          active.add(key);
          most = Math.max(most, active.size);
          await settleTurns(3);
          active.delete(key);
          runs++;
          return done;
        },
      },
    ]);
    start();
    for (let round = 0; round < 5; round++) {
      for (const name of ['a', 'b', 'c', 'd', 'e']) server.put(name);
      await settle();
    }
    await settleTurns(100);
    assert.equal(most, 3);
    assert.ok(runs >= 10);
  });

  it('R10: tries again with a growing delay, looks again when asked to, and tells in numbers what came of it', async () => {
    let attempts = 0;
    const { server, clock, start, settle, measured, lines } = run([
      {
        name: 'c',
        watches: [{ gvr }],
        async reconcile() {
          attempts++;
          if (attempts === 1) throw new StatusError('Conflict', 'someone was faster');
          if (attempts === 2) throw new Error('broken');
          return attempts === 3 ? retryIn(60_000, 'not there yet') : done;
        },
      },
    ]);
    server.put('a');
    start();
    await settle();
    assert.equal(attempts, 1);
    await clock.advance(5);
    await settle();
    assert.equal(attempts, 2);
    await clock.advance(9);
    await settle();
    assert.equal(attempts, 2);
    await clock.advance(1);
    await settle();
    assert.equal(attempts, 3);
    await clock.advance(60_000);
    await settle();
    assert.equal(attempts, 4);
    const failures = lines.filter(({ message }) => message === 'the reconcile failed');
    assert.deepEqual(
      failures.map(({ level }) => level),
      ['debug', 'warn'],
    );
    assert.equal(typeof failures[0]?.['reconcileId'], 'string');
    const text = measured.render();
    assert.match(text, /controller_runtime_reconcile_total\{controller="c",result="error"\} 2/);
    assert.match(text, /controller_runtime_reconcile_total\{controller="c",result="requeue_after"\} 1/);
    assert.match(text, /controller_runtime_reconcile_total\{controller="c",result="success"\} 1/);
    assert.match(text, /controller_runtime_reconcile_time_seconds_count\{controller="c"\} 4/);
    assert.match(text, /workqueue_depth\{name="c"\} 0/);
  });

  it('R16: keeps a controller that throws, hangs or cannot start from the others', async () => {
    const seen: string[] = [];
    const throwing = { name: 'throwing', watches: [{ gvr }], reconcile: () => Promise.reject(new Error('bad')) };
    const hanging = { name: 'hanging', watches: [{ gvr }], reconcile: () => new Promise<never>(() => {}) };
    const stillborn: Controller = {
      name: 'stillborn',
      watches: [],
      source: () => Promise.reject(new Error('no')),
      reconcile: async () => done,
    };
    const good: Controller = {
      name: 'good',
      watches: [{ gvr }],
      reconcile: async ({ key }) => (seen.push(key), done),
    };
    const { server, start, settle, clock, lines, all } = run([throwing, hanging, stillborn, good], {
      stopWithinMs: 1_000,
    });
    server.put('a');
    start();
    await settle();
    server.put('b');
    await settle();
    assert.deepEqual(seen, ['a', 'b']);
    assert.equal(lines.find(({ level }) => level === 'error')?.['controller'], 'stillborn');
    const isRunning = [throwing, hanging, stillborn, good].map((controller) => all.isRunning(controller));
    assert.deepEqual(isRunning, [true, true, false, true]);
    stop.abort();
    await settle();
    await clock.advance(1_000);
    await running;
    assert.deepEqual(lines.find(({ message }) => message.startsWith('gave up waiting'))?.['keys'], ['a']);
  });

  it('aborts a reconcile that takes too long and gives its place to the next key, its own key staying taken', async () => {
    const seen: string[] = [];
    const aborted: unknown[] = [];
    const release = Promise.withResolvers<typeof done>();
    const { server, start, settle, clock } = run(
      [
        {
          name: 'c',
          watches: [{ gvr }],
          async reconcile({ key, signal }) {
            seen.push(key);
            if (key === 'a' && seen.length === 1) {
              signal.addEventListener('abort', () => aborted.push(signal.reason));
              return release.promise;
            }
            return done;
          },
        },
      ],
      { reconcileTimeoutMs: 10_000 },
    );
    server.put('a');
    server.put('b');
    start();
    await settle();
    server.put('a');
    await settle();
    assert.deepEqual(seen, ['a']);
    await clock.advance(10_000);
    await settle();
    assert.deepEqual(seen, ['a', 'b']);
    assert.match(String(aborted[0]), /took longer than 10 s/);
    release.resolve(done);
    await settle();
    assert.deepEqual(seen, ['a', 'b', 'a']);
  });

  it('lets what is under way end when it stops, and begins nothing more', async () => {
    const seen: string[] = [];
    const release = Promise.withResolvers<void>();
    let signalled = false;
    const { server, start, settle } = run([
      {
        name: 'c',
        watches: [{ gvr }],
        async reconcile({ key, signal }) {
          await release.promise;
          signalled = signal.aborted;
          seen.push(key);
          return done;
        },
      },
    ]);
    server.put('a');
    server.put('b');
    start();
    await settle();
    stop.abort();
    await settle();
    assert.deepEqual(seen, []);
    release.resolve();
    await running;
    assert.deepEqual(seen, ['a']);
    assert.equal(signalled, false);
  });

  it('begins only when the whole state and other sources are there, and wakes keys of those sources', async () => {
    const seen: string[] = [];
    const source = Promise.withResolvers<void>();
    let wake = (_key: string) => {};
    const { server, start, settle, ready } = run([
      {
        name: 'c',
        watches: [{ gvr }],
        source(wakeKey) {
          wake = wakeKey;
          return source.promise;
        },
        reconcile: async ({ key }) => (seen.push(key), done),
      },
    ]);
    server.put('a');
    start();
    await settle();
    assert.deepEqual(seen, []);
    source.resolve();
    await ready;
    wake('elsewhere');
    await settle();
    assert.deepEqual(seen, ['a', 'elsewhere']);
  });

  it('says what it waits for when the state does not come', async () => {
    const { server, start, clock, lines } = run([{ name: 'c', watches: [{ gvr }], reconcile: async () => done }]);
    server.setUp(false);
    start();
    await clock.advance(15_000);
    const complaint = lines.find(({ message }) => message === 'still waiting for the whole state');
    assert.deepEqual(complaint?.['resources'], ['configmaps']);
  });
});

/** Lets everything happen that is due without time passing. */
async function settleTurns(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
