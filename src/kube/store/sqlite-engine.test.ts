import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { type SqliteEngine, sqliteEngine, type Write } from './sqlite-engine.ts';
import { scratch } from './sqlite-scratch.ts';

const files = scratch();
after(() => files.remove());
let count = 0;

function engineOf(more: { readonly file?: string; readonly maxBytes?: number } = {}): SqliteEngine {
  return sqliteEngine({ file: files.path(`engine-${++count}.db`), durability: 'normal', ...more });
}

describe('a batch of writes', () => {
  it('is checked in order, write by write: one conflict does not undo the others', () => {
    const engine = engineOf();
    const outcome = engine.commit([
      put('/a', 'one', 0),
      put('/a', 'two', 2),
      put('/a', 'stale', 2),
      put('/b', 'one', 0),
      { key: '/a', value: undefined, expected: 3 },
      { key: '/c', value: undefined, expected: 0 },
      put('/a', 'again', 0),
    ]);
    assert.deepEqual(outcome.revisions, [2, 3, 0, 4, 5, 0, 6]);
    assert.deepEqual(
      [...outcome.conflicts],
      [
        [2, 3],
        [5, 0],
      ],
    );
    assert.deepEqual([...outcome.removed], [[4, new Uint8Array(Buffer.from('two'))]]);
    assert.equal(engine.revision(), 6);
    engine.close();
  });

  it('is rolled back when SQLite rejects one of its writes, and the others are made', () => {
    const engine = engineOf();
    const odd = JSON.parse('{ "key": "/odd", "value": "text, not bytes", "expected": 0 }');
    const outcome = engine.commit([put('/a', 'one', 0), odd, put('/b', 'one', 0)]);
    assert.deepEqual(outcome.revisions, [2, 0, 3]);
    assert.equal(outcome.failures.size, 1);
    assert.equal(engine.db.isTransaction, false);
    engine.close();
  });
});

describe('a medium that refuses', () => {
  it('refuses only what has no room, stays readable, and writes again once there is room', () => {
    const engine = engineOf({ maxBytes: 200_000 });
    const first = engine.commit([put('/small', 'one', 0)]);
    assert.deepEqual(first.revisions, [2]);
    const outcome = engine.commit([large('/large', 300_000), put('/small', 'two', 2), large('/other', 300_000)]);
    assert.deepEqual(outcome.revisions, [0, 3, 0]);
    assert.deepEqual(
      [...outcome.failures],
      [
        [0, 'no room is left for it'],
        [2, 'no room is left for it'],
      ],
    );
    assert.equal(String(Buffer.from(engine.get('/small')?.value ?? [])), 'two');

    const filled = fill(engine, 40_000);
    assert.ok(filled >= 2);
    assert.equal(engine.commit([large('/fill', 40_000, engine.get('/fill')?.revision)]).failures.size, 1);
    assert.equal(engine.list('/', {}).entries.length, 2);
    compactAll(engine);
    assert.equal(engine.commit([large('/fill', 40_000, engine.get('/fill')?.revision)]).failures.size, 0);
    engine.close();
  });

  it('refuses all writes while it is read-only, stays readable, and goes on afterwards', () => {
    const engine = engineOf();
    engine.commit([put('/a', 'one', 0)]);
    engine.db.exec('PRAGMA query_only = ON');
    const outcome = engine.commit([put('/a', 'two', 2), put('/b', 'one', 0)]);
    assert.deepEqual(outcome.revisions, [0, 0]);
    assert.deepEqual([...outcome.failures.values()], Array(2).fill('the file system is read-only'));
    assert.throws(() => engine.compact(2), /cannot be compacted: the file system is read-only/);
    assert.equal(engine.compacted(), 0);
    assert.equal(engine.get('/a')?.revision, 2);
    assert.equal(engine.replay('', 0, 10).changes.length, 1);
    engine.db.exec('PRAGMA query_only = OFF');
    assert.deepEqual(engine.commit([put('/a', 'two', 2)]).revisions, [3]);
    engine.close();
  });
});

describe('compaction', () => {
  it('gives the room back, slice by slice, and leaves what is current', () => {
    const file = files.path('shrinking.db');
    const engine = engineOf({ file });
    for (let i = 0, at = 0; i < 3_000; i++) at = engine.commit([large('/a', 1_000, at)]).revisions[0] ?? 0;
    engine.commit([put('/b', 'kept', 0)]);
    engine.compact(engine.revision());
    const slices = compactAll(engine);
    assert.ok(slices > 3, `${slices} slices`);
    assert.equal(rows(engine), 2);
    engine.close();
    assert.ok(statSync(file).size < 200_000, `${statSync(file).size} bytes`);
  });

  it('leaves nothing of deleted keys', () => {
    const engine = engineOf();
    engine.commit([put('/a', 'one', 0), { key: '/a', value: undefined, expected: 2 }]);
    compactAll(engine);
    assert.deepEqual([rows(engine), rows(engine, 'cur')], [0, 0]);
    engine.close();
  });

  it('that was interrupted goes on when the file is opened again', () => {
    const file = files.path('interrupted.db');
    const first = engineOf({ file });
    for (let i = 0, at = 0; i < 1_200; i++) at = first.commit([put('/a', `${i}`, at)]).revisions[0] ?? 0;
    first.compact(first.revision());
    assert.equal(first.sweep(), true);
    first.close();
    const again = engineOf({ file });
    assert.equal(again.compacted(), 1_201);
    assert.throws(() => again.get('/a', 1_200), /too old resource version: 1200 \(1201\)/);
    compactAll(again);
    assert.equal(rows(again), 1);
    assert.equal(again.get('/a')?.revision, 1_201);
    again.close();
  });
});

function put(key: string, value: string, expected: number): Write {
  return { key, value: Buffer.from(value), expected };
}

function large(key: string, size: number, expected = 0): Write {
  return { key, value: Buffer.alloc(size, 'x'), expected };
}

/** Updates one key until there is no room. */
function fill(engine: SqliteEngine, size: number): number {
  for (let i = 0, at = 0; ; i++) {
    const [revision = 0] = engine.commit([large('/fill', size, at)]).revisions;
    if (revision === 0) return i;
    at = revision;
  }
}

function compactAll(engine: SqliteEngine): number {
  engine.compact(engine.revision());
  let slices = 1;
  while (engine.sweep()) slices++;
  return slices;
}

function rows(engine: SqliteEngine, table = 'log'): number {
  return Number(engine.db.prepare(`SELECT count(*) FROM ${table}`).get()?.[0]);
}
