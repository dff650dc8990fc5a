import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { SYSTEM } from '#ghippo/access/caller.ts';
import { instanceScope, namespaceScope, PLATFORM, workspaceScope } from '#ghippo/apis/scope.ts';
import { aGroup, aUser } from '#ghippo/decision/testing.ts';
import { deregisterResource, registerResource } from '#ghippo/workspace/registrations.ts';
import { manager } from '#kube/runtime/manager.ts';
import { type TestGhippo, testGhippo } from '../testing.ts';
import { CLEANUP_FINALIZER, cleanupController } from './cleanup-controller.ts';

const prod = instanceScope('prod');

async function cleaned(
  t: TestContext,
): Promise<TestGhippo & { readonly gone: (find: () => Promise<unknown>) => Promise<void> }> {
  const test = await testGhippo(t);
  const controllers = [cleanupController({ client: test.client })];
  const crew = manager({ client: test.client, controllers });
  void crew.start(test.signal);
  await crew.ready;
  const soon = () => new Promise((resolve) => setTimeout(resolve, 2));
  const until = async (find: () => Promise<unknown>) => {
    while (await find()) await soon();
  };
  return { ...test, gone: until };
}

describe('what is deleted', () => {
  it('leaves nothing to a later user of the same name', async (t) => {
    const { ghippo, caller, gone, until } = await cleaned(t);
    const bob = await caller('bob', 'admin');
    await caller('eve');
    await ghippo.groups.createGroup(SYSTEM, { name: 'team', members: ['bob', 'eve'] });
    await ghippo.bindings.grant(SYSTEM, {
      name: 'both',
      role: 'admin',
      scope: PLATFORM,
      subjects: [aUser('bob'), aUser('eve')],
    });
    const { text } = await ghippo.tokens.createToken(bob, {});
    await gone(async () => !(await ghippo.clients.users.get('bob')).metadata.finalizers?.includes(CLEANUP_FINALIZER));

    await ghippo.users.deleteUser(SYSTEM, 'bob');
    await gone(() => ghippo.clients.users.find('bob'));
    assert.deepEqual((await ghippo.clients.groups.get('team')).spec.members, ['eve']);
    assert.deepEqual(
      (await ghippo.clients.bindings.list()).map(({ metadata, spec }) => [metadata.name, spec.subjects]),
      [['both', [aUser('eve')]]],
    );
    await ghippo.users.createUser(SYSTEM, { name: 'bob' });
    await until(() => ghippo.snapshot.current().user('bob') !== undefined);
    assert.deepEqual(await ghippo.tokens.listTokens(bob), []);
    await assert.rejects(ghippo.authenticate({ bearer: text }), { reason: 'Unauthorized' });
    assert.equal(
      ghippo.snapshot.decide({ user: 'bob', permission: 'ghippo/user/list', scope: PLATFORM }).allowed,
      false,
    );
  });

  it('takes along what was given in an instance, its namespaces included', async (t) => {
    const { ghippo, caller, client, gone } = await cleaned(t);
    await registerResource(client, { product: 'kairship', resourceType: 'instance', resource: prod });
    await ghippo.workspaces.createWorkspace(SYSTEM, { name: 'web' });
    await ghippo.workspaces.bindResource(SYSTEM, 'web', namespaceScope('prod', 'x'));
    await caller('a', 'instance-admin', prod);
    await caller('b', 'namespace-viewer', namespaceScope('prod', 'x'));
    await caller('c', 'instance-viewer', instanceScope('lab'));
    await gone(async () => !(await ghippo.clients.registrations.get('instance-prod')).metadata.finalizers);
    await deregisterResource(client, prod);
    await gone(() => ghippo.clients.registrations.find('instance-prod'));
    assert.deepEqual(
      (await ghippo.clients.bindings.list()).map(({ spec }) => spec.scope),
      [instanceScope('lab')],
    );
    assert.deepEqual(await ghippo.clients.workspaceResources.list(), []);
  });

  it('takes along what was given to a group and in a workspace', async (t) => {
    const { ghippo, gone } = await cleaned(t);
    await ghippo.groups.createGroup(SYSTEM, { name: 'team' });
    await ghippo.workspaces.createWorkspace(SYSTEM, { name: 'web' });
    await ghippo.bindings.grant(SYSTEM, { role: 'admin', scope: PLATFORM, subjects: [aGroup('team')] });
    await ghippo.bindings.grant(SYSTEM, {
      role: 'workspace-admin',
      scope: workspaceScope('web'),
      subjects: [aGroup('corp:x')],
    });
    await gone(async () => !(await ghippo.clients.groups.get('team')).metadata.finalizers);
    await gone(async () => !(await ghippo.clients.workspaces.get('web')).metadata.finalizers);
    await ghippo.groups.deleteGroup(SYSTEM, 'team');
    await ghippo.workspaces.deleteWorkspace(SYSTEM, 'web');
    await gone(() => ghippo.clients.groups.find('team'));
    await gone(() => ghippo.clients.workspaces.find('web'));
    assert.deepEqual(await ghippo.clients.bindings.list(), []);
  });
});
