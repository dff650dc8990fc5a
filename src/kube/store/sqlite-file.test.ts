import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { hasReason, type Reason } from '#base/status-error.ts';
import { sqliteEngine } from './sqlite-engine.ts';
import { openFile } from './sqlite-file.ts';
import { scratch } from './sqlite-scratch.ts';
import { sqliteStore } from './sqlite-store.ts';

const files = scratch();
after(() => files.remove());

describe('opening a store file', () => {
  it('makes a new one in place of none, with its directory, for its owner only', () => {
    const file = files.path('new/deep/store.db');
    openFile({ file, durability: 'full' }).close();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(dirname(file)), ['store.db']);
  });

  it('refuses what is not a database', () => {
    const file = files.path('text.db');
    writeFileSync(file, 'these are notes, not a database\n'.repeat(100));
    refused(file, 'Invalid', /text\.db is not a database, or its header is damaged/);
  });

  it('refuses an empty file, which may be what is left of a full one', () => {
    const file = files.path('empty.db');
    writeFileSync(file, '');
    refused(file, 'Invalid', /is an empty file/);
  });

  it('refuses to make a file beside the journal of a lost one', () => {
    const file = files.path('lost.db');
    writeFileSync(`${file}-wal`, 'frames of a file that is gone');
    refused(file, 'Invalid', /lost\.db is missing, but its journal/, ['lost.db-wal']);
  });

  it('refuses a directory', () => {
    mkdirSync(files.path('directory.db'));
    assert.throws(() => openFile({ file: files.path('directory.db'), durability: 'full' }), /is not a file/);
  });

  for (const mode of ['DELETE', 'WAL']) {
    it(`refuses a ${mode} database of another application`, () => {
      const file = files.path(`other-${mode}.db`);
      const other = new DatabaseSync(file);
      other.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE invoices (id)`);
      other.close();
      refused(file, 'Invalid', /another application/);
    });
  }

  it('refuses a file of a newer release, and says which version it has', () => {
    const file = written('newer.db');
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    refused(file, 'Invalid', /has format version 99, this program knows 1/);
  });

  it('refuses a damaged file, also when its journal holds more', () => {
    const source = written('whole.db');
    const engine = sqliteEngine({ file: source, durability: 'full' });
    engine.commit([{ key: '/late', value: Buffer.from('late'), expected: 0 }]);
    const file = files.path('damaged.db');
    copyFileSync(`${source}-wal`, `${file}-wal`);
    engine.close();
    const content = readFileSync(source);
    content.fill(0x5a, 4096 * 3, 4096 * 6);
    writeFileSync(file, content);
    refused(file, 'InternalError', /damaged\.db is damaged: .*Restore a backup/s, ['damaged.db', 'damaged.db-wal']);
  });

  it('says why a file cannot be made', () => {
    writeFileSync(files.path('plain'), '');
    const file = files.path('plain/store.db');
    assert.throws(
      () => openFile({ file, durability: 'full' }),
      /plain\/store\.db cannot be opened for writing: (EEXIST|ENOTDIR)/,
    );
  });

  it('refuses a file that is open in this process or another, and keeps it locked while doing so', async () => {
    const file = files.path('locked.db');
    const store = await sqliteStore({ file, durability: 'normal' });
    await store.put('/a', Buffer.from('one'), 0);
    assert.deepEqual(
      readdirSync(files.directory).filter((name) => name.startsWith('locked')),
      ['locked.db', 'locked.db-wal'],
    );
    await assert.rejects(sqliteStore({ file, durability: 'normal' }), locked);
    assert.match(openElsewhere(file), /ServiceUnavailable .*locked\.db is in use by another process/);
    await store.put('/b', Buffer.from('two'), 0);
    await store.close();
    assert.match(openElsewhere(file), /^opened at 3/);
  });
});

/** Opening `file` fails for `reason` and leaves every byte of it as it was, and no other file beside it. */
function refused(file: string, reason: Reason, message: RegExp, unchanged = [basename(file)]): void {
  const before = digests(file, unchanged);
  assert.throws(
    () => openFile({ file, durability: 'full' }),
    (error) => {
      assert.ok(hasReason(error, reason), String(error));
      assert.match(error.message, message);
      assert.match(error.message, /Nothing was changed/);
      return error.message.includes(file);
    },
  );
  assert.deepEqual(digests(file, unchanged), before);
}

function digests(file: string, names: readonly string[]): readonly string[] {
  const left = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
  const extra = left.filter((name) => !names.includes(name) && !name.endsWith('-shm'));
  assert.deepEqual(extra, []);
  return names.map((name) =>
    createHash('sha256')
      .update(readFileSync(files.path(name)))
      .digest('hex'),
  );
}

/** A closed store file with enough in it to damage. */
function written(name: string): string {
  const file = files.path(name);
  assert.ok(!existsSync(file));
  const engine = sqliteEngine({ file, durability: 'normal' });
  engine.commit(Array.from({ length: 50 }, (_, i) => ({ key: `/k${i}`, value: Buffer.alloc(1000), expected: 0 })));
  engine.close();
  return file;
}

function locked(error: unknown): boolean {
  return hasReason(error, 'ServiceUnavailable') && /in use by another process/.test(error.message);
}

function openElsewhere(file: string): string {
  const program = `
    import { sqliteEngine } from ${JSON.stringify(new URL('./sqlite-engine.ts', import.meta.url).href)};
    try {
      const engine = sqliteEngine({ file: ${JSON.stringify(file)}, durability: 'full' });
      console.log('opened at', engine.revision());
      engine.close();
    } catch (error) {
      console.log(error.reason, error.message);
    }`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).stdout;
}
