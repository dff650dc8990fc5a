import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { dataDirectory } from './data-directory.ts';
import { holdDirectory } from './single-run.ts';

function temporary(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'kairship-local-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('the data directory', () => {
  it('remembers ports, and gives another when one is taken', async (t) => {
    const path = temporary(t);
    const port = await (await dataDirectory(path)).portFor('demo');
    assert.equal(await (await dataDirectory(path)).portFor('demo'), port);
    const intruder = createServer().listen(port, '127.0.0.1');
    await once(intruder, 'listening');
    t.after(() => intruder.close());
    assert.notEqual(await (await dataDirectory(path)).portFor('demo'), port);
  });

  it('does a thing once in its life, and again only when it failed', async (t) => {
    const path = temporary(t);
    let done = 0;
    const directory = await dataDirectory(path);
    await assert.rejects(directory.once('sample', () => Promise.reject(new Error('no'))));
    await directory.once('sample', async () => void (done += 1));
    await (await dataDirectory(path)).once('sample', async () => void (done += 1));
    assert.equal(done, 1);
  });

  it('keeps one token, readable by its owner alone', async (t) => {
    const path = temporary(t);
    const token = await (await dataDirectory(path)).adminToken();
    assert.equal(await (await dataDirectory(path)).adminToken(), token);
    assert.equal(statSync(join(path, 'admin.token')).mode & 0o077, 0);
  });
});

describe('one run per directory', () => {
  it('refuses a second holder and is free again afterwards', async (t) => {
    const path = temporary(t);
    const release = await holdDirectory(path);
    await assert.rejects(holdDirectory(path), /already running/);
    await release();
    await (await holdDirectory(path))();
  });
});
