/**
 * The program that {@link killLoop} kills: writes as fast as it can, and says what was acknowledged and watched.
 *
 *     node kill-child.ts <file> <full | normal> <name of this run>
 *
 * Lines: `ready`, `ack <revision> <key> <label>` (label `-`: deleted), `seen <revision>`. Writing to a pipe is
 * synchronous and short lines are written whole, so what was said reaches the parent even if the process is killed
 * right after.
 */
import { sqliteStore } from './sqlite-store.ts';
import type { Revision, Store } from './store.ts';
import { valueOf } from './kill-loop.ts';

const WRITERS = 8;
const KEYS = 5;
const HISTORY = 200;

const [file = '', durability = 'full', run = ''] = process.argv.slice(2);
const store = await sqliteStore({ file, durability: durability === 'normal' ? 'normal' : 'full' });
const say = (line: string) => process.stdout.write(`${line}\n`);

async function watch(from: Revision): Promise<void> {
  for await (const commit of store.watch('/', from, new AbortController().signal)) {
    for (const change of commit) say(`seen ${change.revision}`);
  }
}

/** Each writer has keys of its own, which it creates, updates and every seventh time deletes. */
async function write(store: Store, writer: number): Promise<void> {
  const revisions = new Map<string, Revision>();
  for (const entry of (await store.list(`/writer-${writer}/`)).entries) revisions.set(entry.key, entry.revision);
  for (let i = 0; ; i++) {
    const key = `/writer-${writer}/key-${i % KEYS}`;
    const current = revisions.get(key) ?? 0;
    const label = current > 0 && i % 7 === 0 ? '-' : `${run}.${writer}.${i}`;
    const revision = label === '-' ? await store.delete(key, current) : await store.put(key, valueOf(label), current);
    revisions.set(key, label === '-' ? 0 : revision);
    say(`ack ${revision} ${key} ${label}`);
    if (writer === 0 && i % 50 === 49) await store.compact(Math.max(1, revision - HISTORY));
  }
}

void watch(await store.revision());
say('ready');
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(store, writer)));
