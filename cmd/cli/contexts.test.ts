import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { contextsPath, findContext, readContexts, saveContexts, withContext, withoutContext } from './contexts.ts';
import { changeFile, fileForNewEntries, kubeconfigPaths } from './kubeconfig-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'kairship-contexts-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const context = (name: string) => ({ name, server: `https://${name}.example.com`, token: name });

describe('contexts', () => {
  it('are found where the environment says', () => {
    assert.equal(contextsPath({ KAIRSHIP_CONFIG: '/a/b' }), '/a/b');
    assert.equal(contextsPath({ XDG_CONFIG_HOME: '/x' }), join('/x', 'kairship', 'config.yaml'));
  });

  it('are kept for their owner alone, and read back', async () => {
    const path = join(directory, 'deep', 'config.yaml');
    assert.deepEqual(await readContexts(path), { contexts: [] });
    const kept = withContext(withContext({ contexts: [] }, context('a')), context('b'));
    await saveContexts(kept, path);
    assert.deepEqual(await readContexts(path), kept);
    assert.equal(statSync(path).mode & 0o077, 0);
  });

  it('make the last one signed in to current, and the next one when it goes', () => {
    const both = withContext(withContext({ contexts: [] }, context('a')), context('b'));
    assert.equal(findContext(both)?.name, 'b');
    assert.equal(findContext(both, 'a')?.name, 'a');
    assert.equal(findContext(withoutContext(both, 'b'))?.name, 'a');
    assert.equal(findContext(withoutContext(both, 'a'))?.name, 'b');
    assert.equal(findContext(withoutContext(withoutContext(both, 'a'), 'b')), undefined);
  });

  it('say what is wrong with a file that is none', async () => {
    const path = join(directory, 'broken.yaml');
    writeFileSync(path, 'contexts: [{name: a}]');
    await assert.rejects(readContexts(path), { message: `${path} cannot be read`, why: 'a context has no server' });
  });
});

describe('the kubeconfig files of kubectl', () => {
  it('are those that are named, and new entries go to the first that is there', async () => {
    const [one, two] = [join(directory, 'one'), join(directory, 'two')];
    const paths = kubeconfigPaths({ KUBECONFIG: `${one}:${two}` });
    assert.deepEqual(paths, [one, two]);
    assert.equal(await fileForNewEntries(paths), two);
    writeFileSync(one, '');
    assert.equal(await fileForNewEntries(paths), one);
  });

  it('are changed one after another, and their first state is kept', async () => {
    const file = join(directory, 'counted');
    writeFileSync(file, '0');
    await Promise.all(Array.from({ length: 8 }, () => changeFile(file, (text) => String(Number(text) + 1))));
    assert.equal(readFileSync(file, 'utf8'), '8');
    assert.equal(readFileSync(`${file}.before-kairship`, 'utf8'), '0');
  });
});
