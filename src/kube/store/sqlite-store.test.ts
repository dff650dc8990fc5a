import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { fakeClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import { scratch } from './sqlite-scratch.ts';
import { sqliteStore } from './sqlite-store.ts';
import { storeContract } from './store-contract.ts';
import { checkAgainstModel } from './store-model.ts';

const files = scratch();
after(() => files.remove());
const open = () => files.open();

storeContract('sqliteStore', open);

it('sqliteStore does what a plain array of changes does', () => checkAgainstModel(open, 8));

describe('a sqliteStore in trouble', () => {
  it('refuses what has no room, tells operators once, and again when there is room', async () => {
    const lines: string[] = [];
    const log = jsonLog((line) => lines.push(JSON.parse(line).message));
    const options = { file: files.path('full.db'), durability: 'full', maxBytes: 100_000 } as const;
    const store = await sqliteStore({ ...options, log, clock: fakeClock() });
    for (const key of ['/a', '/b']) {
      await assert.rejects(store.put(key, Buffer.alloc(200_000), 0), (error) => {
        assert.ok(hasReason(error, 'ServiceUnavailable'));
        assert.equal(error.message, `key "${key}" cannot be written: no room is left for it`);
        return true;
      });
    }
    assert.equal(await store.get('/a'), undefined);
    assert.equal(await store.put('/a', Buffer.alloc(2_000), 0), 2);
    await store.close();
    assert.deepEqual(lines, ['store opened', 'the store cannot be written', 'the store can be written again']);
  });

  it('tells of a slow disk, at most once a minute', async () => {
    const lines: string[] = [];
    let now = 0;
    const clock = { ...fakeClock(), now: () => (now += 2_000) };
    const log = jsonLog((line) => lines.push(JSON.parse(line).message), 'warn');
    const store = await sqliteStore({ file: files.path('slow.db'), durability: 'normal', log, clock });
    for (let i = 0; i < 30; i++) await store.put(`/k${i}`, Buffer.of(), 0);
    await store.close();
    assert.deepEqual(lines, Array(2).fill('the disk is slow to commit'));
  });

  it('goes on after the operating system refused to write', async () => {
    const file = files.path('limited.db');
    assert.equal(
      underFileSizeLimit(file),
      'ServiceUnavailable key "/large" cannot be written: the disk refused (disk I/O error); read 1, wrote 3\n',
    );
    const store = await sqliteStore({ file, durability: 'full' });
    const { entries } = await store.list('/');
    assert.deepEqual(
      entries.map((entry) => entry.key),
      ['/after', '/before'],
    );
    assert.equal(await store.put('/large', Buffer.alloc(1_000_000), 0), 4);
    await store.close();
  });

  it('that loses its thread fails what was under way and ends its watchers with the reason', async () => {
    const workers: Worker[] = [];
    const started = (message: unknown) => {
      if (hasWorker(message)) workers.push(message.worker);
    };
    subscribe('worker_threads', started);
    const store = await sqliteStore({ file: files.path('lost.db'), durability: 'full' });
    unsubscribe('worker_threads', started);
    await store.put('/a', Buffer.from('one'), 0);
    const watch = store.watch('', 2, new AbortController().signal)[Symbol.asyncIterator]();
    const next = watch.next();
    const write = store.put('/b', Buffer.from('two'), 0);
    const expected = (error: unknown) => hasReason(error, 'ServiceUnavailable') && /thread/.test(error.message);
    // What the thread still answers, it answers; what it does not must not be waited for.
    const outcomes = Promise.allSettled([next, write, store.list('/')]);
    for (const worker of workers) await worker.terminate();
    const [event, ...others] = await outcomes;
    for (const one of [event, ...others]) assert.ok(one.status === 'fulfilled' || expected(one.reason));
    if (event.status === 'fulfilled') await assert.rejects(watch.next(), expected);
    await assert.rejects(store.put('/c', Buffer.from('three'), 0), expected);
    await store.close();
  });
});

function hasWorker(message: unknown): message is { readonly worker: Worker } {
  return typeof message === 'object' && message !== null && 'worker' in message && message.worker instanceof Worker;
}

/** A process that may write no file larger than a few hundred kilobytes tries to. */
function underFileSizeLimit(file: string): string {
  const program = `
    import { sqliteStore } from ${JSON.stringify(new URL('./sqlite-store.ts', import.meta.url).href)};
    const store = await sqliteStore({ file: ${JSON.stringify(file)}, durability: 'full' });
    await store.put('/before', Buffer.alloc(100), 0);
    const error = await store.put('/large', Buffer.alloc(1_000_000), 0).catch((error) => error);
    const { entries } = await store.list('/');
    const revision = await store.put('/after', Buffer.alloc(100), 0);
    console.log(error.reason + ' ' + error.message + '; read ' + entries.length + ', wrote ' + revision);
    await store.close();`;
  const limited = ['-c', 'ulimit -f 400 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program];
  return spawnSync('sh', limited, { encoding: 'utf8' }).stdout;
}
