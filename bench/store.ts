/**
 * How fast a store is: closed loops of 1, 10 and 100 writers (create, then update, 1 KB values) with one watcher on
 * everything, as the API server has; then opening and listing a file of 5,000 entries.
 *
 *     node bench/store.ts [memory | normal | full] [seconds per step]
 *
 * Compare only numbers of one run on one machine: a commit costs what its disk's fsync costs, which is printed too.
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { memoryStore, type Store, sqliteStore } from '#kube/store/index.ts';

const [kind = 'full', seconds = '2'] = process.argv.slice(2);
const VALUE = Buffer.alloc(1024, 'x');
const directory = mkdtempSync(join(tmpdir(), 'bench-store-'));

function open(file: string): Promise<Store> {
  if (kind === 'memory') return Promise.resolve(memoryStore());
  return sqliteStore({ file: join(directory, file), durability: kind === 'normal' ? 'normal' : 'full' });
}

function quantile(sorted: readonly number[], q: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0).toFixed(2);
}

function fsyncLatency(): void {
  const descriptor = openSync(join(directory, 'fsync'), 'w');
  const took = Array.from({ length: 200 }, () => {
    const started = performance.now();
    writeSync(descriptor, VALUE);
    fdatasyncSync(descriptor);
    return performance.now() - started;
  }).sort((a, b) => a - b);
  closeSync(descriptor);
  console.log(`disk: 1 KB append + fdatasync p50 ${quantile(took, 0.5)} ms, p99 ${quantile(took, 0.99)} ms`);
}

/** Each writer creates a key and updates it ten times, over and over, one write after the other. */
async function writer(store: Store, name: string, until: number, took: number[]): Promise<void> {
  for (let i = 0; performance.now() < until; i++) {
    let revision = 0;
    for (let j = 0; j < 11 && performance.now() < until; j++) {
      const started = performance.now();
      revision = await store.put(`/registry/configmaps/${name}/object-${i}`, VALUE, revision);
      took.push(performance.now() - started);
    }
  }
}

async function closedLoop(store: Store, writers: number): Promise<void> {
  const stopped = new AbortController();
  const from = await store.revision();
  let seen = 0;
  const watching = (async () => {
    for await (const commit of store.watch('/registry', from, stopped.signal)) seen += commit.length;
  })();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const took: number[] = [];
  const started = performance.now();
  const until = started + Number(seconds) * 1000;
  await Promise.all(Array.from({ length: writers }, (_, i) => writer(store, `ns-${writers}-${i}`, until, took)));
  const elapsed = performance.now() - started;
  delay.disable();
  stopped.abort();
  await watching;
  took.sort((a, b) => a - b);
  const rate = Math.round((took.length / elapsed) * 1000);
  // The histogram's own timer takes its resolution of 1 ms.
  const delayed = (p: number) => Math.max(0, delay.percentile(p) / 1e6 - 1).toFixed(1);
  console.log(
    `${String(writers).padStart(4)} writers: ${String(rate).padStart(6)} writes/s, p50 ${quantile(took, 0.5)} ms, ` +
      `p99 ${quantile(took, 0.99)} ms, event loop delay p50 / p99 ${delayed(50)} / ${delayed(99)} ms` +
      (seen === took.length ? '' : `, WATCHED ${seen} OF ${took.length}`),
  );
}

async function timed<T>(what: string, body: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await body();
  console.log(`${what}: ${(performance.now() - started).toFixed(1)} ms`);
  return result;
}

async function compaction(store: Store): Promise<void> {
  const size = () => (kind === 'memory' ? 0 : statSync(join(directory, 'loop.db')).size / 1e6).toFixed(1);
  const [before, revision] = [size(), await store.revision()];
  await timed(`compact ${revision} revisions`, () => store.compact(revision));
  console.log(`the file had ${before} MB and has ${size()} MB`);
}

async function openAndList(): Promise<void> {
  const fresh = await timed('open a new file', () => open('list.db'));
  await Promise.all(Array.from({ length: 5000 }, (_, i) => fresh.put(`/registry/configmaps/ns/object-${i}`, VALUE, 0)));
  for (let i = 0; i < 3; i++) await timed('list 5,000 entries', () => fresh.list('/registry/'));
  await timed('close', () => fresh.close());
  if (kind === 'memory') return;
  const again = await timed('open 5,000 entries', () => open('list.db'));
  await timed('list 5,000 entries', () => again.list('/registry/'));
  await again.close();
}

try {
  if (kind !== 'memory') fsyncLatency();
  const store = await open('loop.db');
  for (const writers of [1, 10, 100]) await closedLoop(store, writers);
  await compaction(store);
  await store.close();
  await openAndList();
} finally {
  rmSync(directory, { recursive: true });
}
