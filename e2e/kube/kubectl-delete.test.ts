/** How things end: the three cascades, finalizers, preconditions of namespaces, and custom resources with their kind. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, deployment, pod, ship, shipDefinition, touring } from './kubectl.ts';

describe('kubectl delete', () => {
  const tour = touring();
  const ok = (...args: readonly string[]) => tour().ok(...args);
  const fails = (...args: readonly string[]) => tour().fails(...args);

  /** A Deployment and something that belongs to it. */
  async function owned(name: string): Promise<void> {
    await ok('create', '-f', tour().file(name, deployment(name)));
    const uid = await ok('get', 'deploy', name, '-o', 'jsonpath={.metadata.uid}');
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true, blockOwnerDeletion: true };
    const part = configMap(`${name}-part`);
    await ok(
      'create',
      '-f',
      tour().file('part', { ...part, metadata: { ...part.metadata, ownerReferences: [owner] } }),
    );
  }

  it('takes what belongs to an object along, in the background', async () => {
    await owned('back');
    assert.match(await ok('delete', 'deploy', 'back', '--cascade=background'), /deployment.apps "back" deleted/);
    await ok('wait', '--for=delete', 'cm/back-part', '--timeout=30s');
  });

  it('takes what belongs to an object along first, in the foreground', async () => {
    await owned('fore');
    await ok('delete', 'deploy', 'fore', '--cascade=foreground');
    assert.match(await fails('get', 'cm', 'fore-part'), /not found/);
  });

  it('leaves what belonged to an object, with --cascade=orphan', async () => {
    await owned('orphan');
    await ok('delete', 'deploy', 'orphan', '--cascade=orphan');
    assert.equal(await ok('get', 'cm', 'orphan-part', '-o', 'jsonpath={.metadata.ownerReferences}'), '');
  });

  it('waits for finalizers', async () => {
    const held = configMap('held');
    const finalizers = ['example.com/hold'];
    await ok('create', '-f', tour().file('held', { ...held, metadata: { ...held.metadata, finalizers } }));
    const deleting = ok('delete', 'cm', 'held', '--timeout=30s');
    await ok('wait', '--for=jsonpath={.metadata.deletionTimestamp}', 'cm/held', '--timeout=30s');
    await ok('patch', 'cm', 'held', '--type=json', '-p', '[{"op":"remove","path":"/metadata/finalizers"}]');
    assert.match(await deleting, /configmap "held" deleted/);
  });

  it('takes several, by label and all', async () => {
    for (const name of ['a', 'b', 'c'])
      await ok('create', '-f', tour().file('many', configMap(name, {}, { many: name })));
    await ok('delete', 'cm', '-l', 'many in (a,b)');
    assert.equal(await ok('get', 'cm', '-l', 'many', '-o', 'name'), 'configmap/c\n');
    await ok('create', '-f', tour().file('pod', pod('p')));
    assert.match(await ok('delete', 'pods', '--all', '--grace-period=0', '--force'), /pod "p" force deleted/);
  });

  it('says what is not there, unless it does not matter', async () => {
    assert.match(await fails('delete', 'cm', 'none'), /\(NotFound\): configmaps "none" not found/);
    assert.equal(await ok('delete', 'cm', 'none', '--ignore-not-found'), '');
  });

  it('of a definition takes its objects along', async () => {
    await ok('apply', '-f', tour().file('definition', shipDefinition));
    await ok('apply', '-f', tour().file('argo', ship('argo', 50)));
    assert.match(await ok('get', 'sh', '-o', 'yaml'), /^ {4}flag: none$/m);
    assert.match(await ok('explain', 'ship.spec.crew'), /How many sail her\./);
    await ok('scale', 'ship', 'argo', '--replicas=7');
    assert.match(await ok('get', 'ships'), /^NAME +CREW\nargo +7$/m);
    assert.match(
      await fails('patch', 'ship', 'argo', '--type=merge', '-p', '{"spec":{"crew":0}}'),
      /spec\.crew: Invalid value: 0: spec\.crew in body should be greater than or equal to 1/,
    );
    assert.match(await ok('describe', 'ship', 'argo'), /^ +Crew: +7$/m);
    await ok('delete', 'crd', 'ships.sea.example.com');
    assert.match(
      await fails('get', 'ships'),
      /the server could not find the requested resource|doesn't have a resource type/,
    );
  });

  it('of a namespace takes everything in it along', async () => {
    await ok('create', 'namespace', 'ends');
    await ok('create', 'cm', 'inside', '-n', 'ends');
    await ok('create', 'deploy', 'inside', '--image=nginx', '-n', 'ends');
    assert.match(await ok('delete', 'namespace', 'ends'), /namespace "ends" deleted/);
    assert.match(await fails('get', 'ns', 'ends'), /namespaces "ends" not found/);
    assert.equal(await ok('get', 'cm', '-n', 'ends', '-o', 'name'), '');
    assert.match(await fails('delete', 'namespace', 'default'), /this namespace may not be deleted/);
  });
});
