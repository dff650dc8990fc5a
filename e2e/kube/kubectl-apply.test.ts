/** `kubectl apply` both ways, and what belongs to it: ownership, conflicts, removal, pruning, diff, edit, replace. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { configMap, deployment, touring } from './kubectl.ts';

describe('kubectl apply', () => {
  const tour = touring();
  const ok = (...args: readonly string[]) => tour().ok(...args);
  const fails = (...args: readonly string[]) => tour().fails(...args);
  const file = (name: string, ...objects: readonly object[]) => tour().file(name, ...objects);
  const managers = async (kind: string, name: string) =>
    (await ok('get', kind, name, '--show-managed-fields', '-o', 'jsonpath={.metadata.managedFields[*].manager}')).split(
      ' ',
    );

  it('on the client creates, changes, and takes away what the file no longer has', async () => {
    const before = file('before', deployment('client'));
    const after = file('after', deployment('client', { image: 'nginx:1.28', env: ['A'] }));
    assert.equal(await ok('apply', '-f', before), 'deployment.apps/client created\n');
    await ok('scale', 'deploy/client', '--replicas=7');
    assert.equal(await ok('apply', '-f', after), 'deployment.apps/client configured\n');
    assert.equal(await ok('get', 'deploy/client', '-o', 'jsonpath={..env[*].name} {.spec.replicas}'), 'A 2');
    assert.equal(await ok('apply', '-f', after), 'deployment.apps/client unchanged\n');
    assert.equal(await ok('get', 'deploy/client', '-o', 'jsonpath={.metadata.generation}'), '3');
    assert.deepEqual(await managers('deploy', 'client'), ['kubectl-client-side-apply']);
  });

  it('prunes objects that left the set', async () => {
    const label = { set: 'one' };
    const both = file('both', configMap('stays', { a: '1' }, label), configMap('goes', { a: '1' }, label));
    await ok('apply', '--prune', '-l', 'set=one', '--prune-allowlist=core/v1/ConfigMap', '-f', both);
    const one = file('one', configMap('stays', { a: '1' }, label));
    const said = await ok('apply', '--prune', '-l', 'set=one', '--prune-allowlist=core/v1/ConfigMap', '-f', one);
    assert.equal(said, 'configmap/stays unchanged\nconfigmap/goes pruned\n');
  });

  it('on the server refuses what another manager owns, and names it', async () => {
    await ok('apply', '--server-side', '-f', file('mine', configMap('owned', { a: '1', b: '1' })));
    const theirs = file('theirs', configMap('owned', { a: '2', c: '2' }));
    const refused = await fails('apply', '--server-side', '--field-manager=them', '-f', theirs);
    assert.match(refused, /^error: Apply failed with 1 conflict: conflict with "kubectl": \.data\.a\n/);
    await ok('apply', '--server-side', '--field-manager=them', '--force-conflicts', '-f', theirs);
    assert.equal(await ok('get', 'cm', 'owned', '-o', 'jsonpath={.data}'), '{"a":"2","b":"1","c":"2"}');
    assert.deepEqual(await managers('cm', 'owned'), ['kubectl', 'them']);
  });

  it('on the server shares what two managers agree on, and removes what none keeps', async () => {
    const apply = (manager: string, data?: Record<string, string>) =>
      ok('apply', '--server-side', `--field-manager=${manager}`, '-f', file(manager, configMap('shared', data)));
    await apply('one', { common: 'x', single: 'x' });
    await apply('two', { common: 'x' });
    await apply('one');
    assert.equal(await ok('get', 'cm', 'shared', '-o', 'jsonpath={.data}'), '{"common":"x"}');
    await apply('two');
    assert.equal(await ok('get', 'cm', 'shared', '-o', 'jsonpath={.data}'), '');
  });

  it('takes over on the server what was applied on the client', async () => {
    await ok('apply', '-f', file('moved', configMap('moved', { a: '1', b: '2' })));
    await ok('apply', '--server-side', '-f', file('moved', configMap('moved', { a: '1' })));
    assert.equal(await ok('get', 'cm', 'moved', '-o', 'jsonpath={.data}'), '{"a":"1"}');
    assert.ok(!(await managers('cm', 'moved')).includes('kubectl-client-side-apply'));
  });

  it('only tries with a dry run', async () => {
    const dry = file('dry', configMap('dry', { a: '1' }));
    assert.equal(await ok('apply', '--dry-run=server', '-f', dry), 'configmap/dry created (server dry run)\n');
    assert.match(
      await ok('apply', '--server-side', '--dry-run=server', '-f', dry),
      /serverside-applied \(server dry run\)/,
    );
    assert.match(await fails('get', 'cm', 'dry'), /not found/);
  });

  it('refuses fields it does not know, or warns of them', async () => {
    const odd = file('odd', { ...configMap('odd'), colour: 'red' });
    assert.match(await fails('apply', '-f', odd), /strict decoding error: unknown field "colour"/);
    const warned = await tour().run('apply', '--validate=warn', '-f', odd);
    assert.equal(warned.code, 0);
    assert.match(warned.stderr, /^Warning: unknown field "colour"$/m);
  });

  it('says that a kind is not known', async () => {
    const unknown = file('unknown', { apiVersion: 'no.example.com/v1', kind: 'Nothing', metadata: { name: 'x' } });
    assert.match(await fails('apply', '-f', unknown), /no matches for kind "Nothing" in version "no.example.com\/v1"/);
  });

  it('is told by diff in advance', async () => {
    await ok('apply', '-f', file('diff', configMap('diff', { color: 'blue' })));
    const changed = file('diff', configMap('diff', { color: 'red' }));
    for (const way of [[], ['--server-side', '--force-conflicts']]) {
      const { code, stdout } = await tour().run('diff', ...way, '-f', changed);
      assert.equal(code, 1);
      assert.match(stdout, /^- {2}color: blue\n\+ {2}color: red$/m);
    }
    await ok('apply', '-f', changed);
    assert.equal((await tour().run('diff', '-f', changed)).code, 0);
  });

  it('is not the only way: edit, replace, replace --force', async () => {
    await ok('apply', '-f', file('edited', configMap('edited', { color: 'blue' })));
    const editor = join(tour().directory, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/color: blue/color: green/" "$1"\n');
    chmodSync(editor, 0o755);
    process.env['KUBE_EDITOR'] = editor;
    assert.equal(await ok('edit', 'cm', 'edited'), 'configmap/edited edited\n');
    const color = () => ok('get', 'cm', 'edited', '-o', 'jsonpath={.data.color}');
    assert.equal(await color(), 'green');
    assert.match((await tour().run('edit', 'cm', 'edited')).stderr, /Edit cancelled, no changes made/);

    const uid = () => ok('get', 'cm', 'edited', '-o', 'jsonpath={.metadata.uid}');
    const before = await uid();
    assert.equal(
      await ok('replace', '-f', file('edited', configMap('edited', { color: 'red' }))),
      'configmap/edited replaced\n',
    );
    assert.equal(await uid(), before);
    assert.equal(await color(), 'red');
    assert.match(
      await ok('replace', '--force', '-f', file('edited', configMap('edited'))),
      /configmap\/edited replaced/,
    );
    assert.notEqual(await uid(), before);
    const stale = { ...configMap('edited'), metadata: { name: 'edited', resourceVersion: '1' } };
    assert.match(await fails('replace', '-f', file('stale', stale)), /\(Conflict\): .*the object has been modified/);
  });
});
