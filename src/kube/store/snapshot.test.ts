import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { checkSnapshot, restoreSnapshot } from './snapshot.ts';
import { sqliteStore } from './sqlite-store.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const open = (file: string) => sqliteStore({ file, durability: 'normal' });

function files(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'kairship-snapshot-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return { file: join(directory, 'store.db'), copy: join(directory, 'copy.db') };
}

describe('a snapshot', { timeout: 60_000 }, () => {
  it('has all that was there at one moment, while writes go on', async (t) => {
    const { file, copy } = files(t);
    const store = await open(file);
    for (let n = 0; n < 50; n += 1) await store.put(`/a/${n}`, bytes('x'), 0);
    const later = Promise.all(Array.from({ length: 200 }, (_, n) => store.put(`/b/${n}`, bytes('y'), 0)));
    await store.snapshot?.(copy);
    await later;
    await store.close();
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    const { keys, revision } = checkSnapshot(copy);
    assert.ok(keys >= 50 && keys <= 250);
    assert.equal(keys, revision - 1);
    const read = await open(copy);
    const { entries } = await read.list('/b/');
    assert.equal(entries.length, keys - 50);
    await read.close();
  });

  it('is not written over a file that is there', async (t) => {
    const { file, copy } = files(t);
    const store = await open(file);
    writeFileSync(copy, 'mine');
    await assert.rejects(async () => store.snapshot?.(copy), /EEXIST/);
    await store.close();
    assert.equal(readFileSync(copy, 'utf8'), 'mine');
  });

  it('is refused when it is damaged, foreign or not there', async (t) => {
    const { file, copy } = files(t);
    const store = await open(file);
    for (let n = 0; n < 500; n += 1) await store.put(`/a/${n}`, bytes('x'.repeat(100)), 0);
    await store.snapshot?.(copy);
    await store.close();
    const damaged = readFileSync(copy);
    damaged.fill(0x5a, 8_192, 30_000);
    writeFileSync(copy, damaged);
    assert.throws(() => checkSnapshot(copy), /damaged|malformed/);
    const before = readFileSync(file);
    assert.throws(() => restoreSnapshot(copy, file));
    assert.deepEqual(readFileSync(file), before);
    writeFileSync(copy, 'no database at all');
    assert.throws(() => checkSnapshot(copy), { reason: 'Invalid' });
    rmSync(copy);
    assert.throws(() => checkSnapshot(copy), { reason: 'NotFound' });
  });
});

describe('a store that is put back', { timeout: 60_000 }, () => {
  it('has what it had, gives no revision a second time, and says that older ones are gone', async (t) => {
    const { file, copy } = files(t);
    const store = await open(file);
    const kept = await store.put('/kept', bytes('old'), 0);
    await store.snapshot?.(copy);
    await store.put('/kept', bytes('new'), kept);
    const last = await store.put('/later', bytes('x'), 0);
    await store.close();
    restoreSnapshot(copy, file);
    restoreSnapshot(copy, file);
    const again = await open(file);
    t.after(() => again.close());
    assert.equal(new TextDecoder().decode((await again.get('/kept'))?.value), 'old');
    assert.equal((await again.get('/kept'))?.revision, kept);
    assert.equal(await again.get('/later'), undefined);
    assert.ok((await again.put('/next', bytes('z'), 0)) > last + 1);
    await assert.rejects(
      async () => again.watch('/', last, new AbortController().signal)[Symbol.asyncIterator]().next(),
      {
        reason: 'Expired',
      },
    );
    await again.compact(await again.revision());
    assert.equal((await again.list('/')).entries.length, 2);
  });

  it('needs no store to be there', async (t) => {
    const { file, copy } = files(t);
    const store = await open(file);
    await store.put('/kept', bytes('old'), 0);
    await store.snapshot?.(copy);
    await store.close();
    for (const side of ['', '-wal', '-shm']) rmSync(file + side, { force: true });
    assert.equal(restoreSnapshot(copy, file).keys, 1);
    const again = await open(file);
    assert.ok(await again.get('/kept'));
    await again.close();
  });

  it('takes not all of the copy, and keeps what it has of its own, where it is told so', async (t) => {
    const [source, target] = [files(t), files(t)];
    const from = await open(source.file);
    for (const key of ['/a', '/members/its', '/id']) await from.put(key, bytes('copy'), 0);
    await from.snapshot?.(source.copy);
    await from.close();
    const into = await open(target.file);
    const last = await into.put('/members/mine', bytes('own'), 0);
    for (const key of ['/id', '/b']) await into.put(key, bytes('own'), 0);
    await into.delete('/members/mine', last);
    await into.put('/members/mine', bytes('own again'), 0);
    await into.close();
    const exceptions = {
      without: (key: string) => key.startsWith('/members/'),
      keep: (key: string) => key.startsWith('/members/') || key === '/id',
      change: (key: string) => (key === '/a' || key === '/id' ? bytes('changed') : undefined),
    };
    restoreSnapshot(source.copy, target.file, exceptions);
    restoreSnapshot(source.copy, target.file, exceptions);
    const again = await open(target.file);
    t.after(() => again.close());
    const { entries, revision } = await again.list('/');
    assert.deepEqual(Object.fromEntries(entries.map(({ key, value }) => [key, new TextDecoder().decode(value)])), {
      '/a': 'changed',
      '/id': 'own',
      '/members/mine': 'own again',
    });
    for (const { revision: one } of entries) assert.ok(one <= revision);
    const next = await again.put(
      '/members/mine',
      bytes('x'),
      entries.find(({ key }) => key === '/members/mine')?.revision ?? 0,
    );
    assert.ok(next > revision);
    await again.compact(next);
    assert.equal((await again.list('/')).entries.length, 3);
  });
});
