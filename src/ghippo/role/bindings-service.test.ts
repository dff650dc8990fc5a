import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SYSTEM } from '#ghippo/access/caller.ts';
import { registerProduct } from '#ghippo/apis/install.ts';
import { folderScope, instanceScope, namespaceScope, PLATFORM, workspaceScope } from '#ghippo/apis/scope.ts';
import { aGroup, aRole, aUser, SHOP } from '#ghippo/decision/testing.ts';
import { recorded, testGhippo } from '../testing.ts';

const prod = instanceScope('prod');

async function shop(t: Parameters<typeof testGhippo>[0]) {
  const test = await testGhippo(t);
  await registerProduct(test.client, 'shop', SHOP.spec);
  await test.until(() => test.ghippo.snapshot.current().point('shop/app/list') !== undefined);
  return test;
}

describe('giving rights', () => {
  it('R26: works for users, groups and holders of a role, and ends when they are taken back', async (t) => {
    const { ghippo, caller, until } = await shop(t);
    const admin = await caller('root', 'admin');
    await Promise.all(['u', 'g', 'r'].map((name) => caller(name)));
    await ghippo.groups.createGroup(admin, { name: 'team', members: ['g'] });
    await ghippo.roles.createRole(admin, { name: 'oncall', scope: 'Platform', permissions: ['shop/store/get'] });
    await ghippo.bindings.grant(admin, { role: 'oncall', scope: PLATFORM, subjects: [aUser('r')] });
    const subjects = [aUser('u'), aGroup('team'), aRole('oncall')];
    await ghippo.bindings.grant(admin, { name: 'b', role: 'instance-viewer', scope: prod, subjects });
    const may = (user: string) =>
      ghippo.snapshot.decide({ user, permission: 'shop/app/list', scope: namespaceScope('prod', 'x') }).allowed;
    await until(() => ['u', 'g', 'r'].every(may));

    await ghippo.bindings.revokeFrom(admin, 'b', aUser('u'));
    await until(() => !may('u'));
    assert.deepEqual([may('g'), may('r')], [true, true]);
    await ghippo.groups.removeMembers(admin, 'team', ['g']);
    await until(() => !may('g'));
    await ghippo.bindings.revoke(admin, 'b');
    await until(() => !may('r'));
    assert.deepEqual((await recorded(ghippo)).slice(0, 3), [
      'root ghippo/access/revoke b allowed',
      'root ghippo/group/update team allowed',
      'root ghippo/access/revoke b allowed',
    ]);
  });

  it('is refused for who and what there is not', async (t) => {
    const { ghippo } = await testGhippo(t);
    const grant = (role: string, scope: Parameters<typeof scopeOf>[0], subject = aGroup('corp:ops')) =>
      ghippo.bindings.grant(SYSTEM, { role, scope: scopeOf(scope), subjects: [subject] });
    const scopeOf = (scope: typeof PLATFORM) => scope;
    await assert.rejects(grant('none', PLATFORM), { reason: 'NotFound', message: /roles\.ghippo\.io "none"/ });
    await assert.rejects(grant('admin', PLATFORM, aUser('none')), { reason: 'NotFound' });
    await assert.rejects(grant('admin', PLATFORM, aGroup('none')), { reason: 'NotFound' });
    await assert.rejects(grant('admin', PLATFORM, aRole('none')), { reason: 'NotFound' });
    await assert.rejects(grant('workspace-admin', workspaceScope('none')), { reason: 'NotFound' });
    await assert.rejects(grant('folder-admin', folderScope('none')), { reason: 'NotFound' });
    await assert.rejects(grant('admin', prod), {
      reason: 'Invalid',
      message: 'role "admin" is for a Platform, not for instance "prod"',
    });
    // The provider's groups need not be known here.
    await grant('admin', PLATFORM);
  });

  it('beyond what one has is refused, and says what one lacks', async (t) => {
    const { ghippo, caller } = await shop(t);
    await ghippo.roles.createRole(SYSTEM, {
      name: 'giver',
      scope: 'Instance',
      permissions: ['ghippo/access/*', 'shop/*/list'],
    });
    const [giver, admin] = [await caller('giver', 'giver', prod), await caller('ina', 'instance-admin', prod)];
    await caller('bob');
    const gift = (role: string) => ({ role, scope: prod, subjects: [aUser('bob')] });
    await assert.rejects(ghippo.bindings.grant(giver, gift('instance-admin')), {
      reason: 'Forbidden',
      message: /user "giver" cannot give what they do not have in instance "prod": .*shop\/app\/create/,
    });
    await ghippo.bindings.grant(giver, gift('giver'));
    await ghippo.bindings.grant(admin, gift('instance-admin'));
    await assert.rejects(ghippo.bindings.grant(admin, { ...gift('instance-admin'), scope: instanceScope('lab') }), {
      reason: 'Forbidden',
    });
    await assert.rejects(ghippo.bindings.grant(admin, { role: 'admin', scope: PLATFORM, subjects: [aUser('ina')] }), {
      reason: 'Forbidden',
    });
    assert.match((await recorded(ghippo))[0] ?? '', /ina ghippo\/access\/grant .* denied/);
  });

  it('shows bindings to whom they concern', async (t) => {
    const { ghippo, caller } = await shop(t);
    const [admin, ina, bob] = [
      await caller('root', 'admin'),
      await caller('ina', 'instance-admin', prod),
      await caller('bob', 'namespace-viewer', namespaceScope('prod', 'x')),
    ];
    const rolesFor = async (who: typeof admin) =>
      (await ghippo.bindings.listBindings(who)).map(({ spec }) => spec.role).toSorted();
    assert.deepEqual(await rolesFor(admin), ['admin', 'instance-admin', 'namespace-viewer']);
    assert.deepEqual(await rolesFor(ina), ['instance-admin', 'namespace-viewer']);
    assert.deepEqual(await rolesFor(bob), ['namespace-viewer']);
    assert.deepEqual((await ghippo.bindings.listBindings(admin, { subject: aUser('bob') })).length, 1);
    const able = await ghippo.bindings.whoCan(ina, 'shop/app/list', namespaceScope('prod', 'x'));
    assert.deepEqual(
      able.map(({ user }) => user),
      ['bob', 'ina', 'root'],
    );
    await assert.rejects(ghippo.bindings.whoCan(bob, 'shop/app/list', prod), { reason: 'Forbidden' });
  });
});

describe('roles', () => {
  it('are made of registered points and what these depend on', async (t) => {
    const { ghippo, client } = await testGhippo(t);
    const point = { tier: 'edit', scope: 'Namespace', resourceType: 'app' } as const;
    await registerProduct(client, 'shop', {
      permissions: [
        { ...point, action: 'list' },
        { ...point, action: 'get', dependsOn: ['app/list'] },
        { ...point, action: 'update', dependsOn: ['app/get'] },
      ],
    });
    const role = await ghippo.roles.createRole(SYSTEM, {
      name: 'dev',
      scope: 'Workspace',
      permissions: ['shop/app/update'],
    });
    assert.deepEqual(role.spec.permissions, ['shop/app/get', 'shop/app/list', 'shop/app/update']);
    for (const permissions of [['shop/app/fly'], ['nonsense'], ['shop/none/*']])
      await assert.rejects(ghippo.roles.createRole(SYSTEM, { name: 'x', scope: 'Platform', permissions }), {
        reason: 'BadRequest',
      });
    await ghippo.roles.updateRole(SYSTEM, 'dev', { permissions: ['shop/app/*'], displayName: 'Dev' });
    assert.deepEqual((await ghippo.roles.getRole(SYSTEM, 'dev')).spec, {
      scope: 'Workspace',
      permissions: ['shop/app/*'],
      displayName: 'Dev',
    });
    assert.equal(
      (await ghippo.roles.listPermissions(SYSTEM)).some(({ permission }) => permission === 'shop/app/get'),
      true,
    );
  });

  it('that come with the platform cannot be changed, and those in use cannot be deleted', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    await assert.rejects(ghippo.roles.deleteRole(SYSTEM, 'admin'), { reason: 'Forbidden' });
    await assert.rejects(ghippo.roles.updateRole(SYSTEM, 'admin', { permissions: [] }), { reason: 'Forbidden' });
    await ghippo.roles.createRole(SYSTEM, { name: 'own', scope: 'Platform', permissions: ['ghippo/user/list'] });
    await caller('bob', 'own');
    await assert.rejects(ghippo.roles.deleteRole(SYSTEM, 'own'), { reason: 'Conflict' });
    assert.deepEqual((await ghippo.roles.listRoles(SYSTEM, { scope: 'Namespace' })).length, 3);
  });

  it('are not made stronger by those who are weaker', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    await ghippo.roles.createRole(SYSTEM, { name: 'smith', scope: 'Platform', permissions: ['ghippo/role/*'] });
    const smith = await caller('smith', 'smith');
    await assert.rejects(ghippo.roles.updateRole(smith, 'smith', { permissions: ['*/*/*'] }), { reason: 'Forbidden' });
    await ghippo.roles.createRole(smith, { name: 'reader', scope: 'Platform', permissions: ['ghippo/role/list'] });
  });
});
