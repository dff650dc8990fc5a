import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SYSTEM } from '#ghippo/access/caller.ts';
import { folderScope, instanceScope, namespaceScope, workspaceScope } from '#ghippo/apis/scope.ts';
import { testGhippo } from '../testing.ts';
import { registerResource } from './registrations.ts';

const prod = instanceScope('prod');
const register = (client: Parameters<typeof registerResource>[0], resource: typeof prod) =>
  registerResource(client, { product: 'kairship', resourceType: 'instance', resource });

describe('folders and workspaces', () => {
  it('are numbered, moved, and not into themselves', async (t) => {
    const { ghippo } = await testGhippo(t);
    const { workspaces } = ghippo;
    await workspaces.createFolder(SYSTEM, { name: 'org', displayName: 'Org' });
    await workspaces.createFolder(SYSTEM, { name: 'unit', parent: 'org' });
    const web = await workspaces.createWorkspace(SYSTEM, { name: 'web', folder: 'unit' });
    assert.deepEqual(web.spec, { id: 3, folder: 'unit' });
    await assert.rejects(workspaces.moveFolder(SYSTEM, 'org', 'unit'), { reason: 'Invalid' });
    await assert.rejects(workspaces.moveFolder(SYSTEM, 'unit', 'none'), { reason: 'NotFound' });
    assert.deepEqual((await workspaces.moveFolder(SYSTEM, 'unit', undefined)).spec, { id: 2 });
    assert.deepEqual((await workspaces.moveWorkspace(SYSTEM, 'web', 'org')).spec, { id: 3, folder: 'org' });
    await workspaces.updateWorkspace(SYSTEM, 'web', { displayName: 'Web' });
    await workspaces.updateFolder(SYSTEM, 'org', { description: 'All' });
    await assert.rejects(workspaces.deleteFolder(SYSTEM, 'org'), {
      reason: 'Conflict',
      message: 'folder "org" still holds 1 others, first workspace "web"',
    });
    await workspaces.deleteWorkspace(SYSTEM, 'web');
    await workspaces.deleteFolder(SYSTEM, 'org');
  });

  it('never share a number, even on a new database', async (t) => {
    const { ghippo, database } = await testGhippo(t);
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, n) => ghippo.workspaces.createWorkspace(SYSTEM, { name: `w${n}` })),
    );
    await database.query('DELETE FROM ghippo_sequences');
    made.push(await ghippo.workspaces.createWorkspace(SYSTEM, { name: 'late' }));
    assert.deepEqual(
      made.map(({ spec }) => spec.id).toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6],
    );
  });

  it('are seen by those with a right in them', async (t) => {
    const { ghippo, caller } = await testGhippo(t);
    const { workspaces } = ghippo;
    await workspaces.createFolder(SYSTEM, { name: 'org' });
    for (const [name, folder] of [
      ['web', 'org'],
      ['data', 'org'],
      ['other', undefined],
    ] as const)
      await workspaces.createWorkspace(SYSTEM, { name, ...(folder ? { folder } : {}) });
    const names = async (who: Parameters<typeof workspaces.listWorkspaces>[0]) =>
      (await workspaces.listWorkspaces(who)).map(({ metadata }) => metadata.name);
    assert.deepEqual(await names(await caller('a', 'workspace-viewer', workspaceScope('web'))), ['web']);
    assert.deepEqual(await names(await caller('b', 'folder-viewer', folderScope('org'))), ['data', 'web']);
    assert.deepEqual(await names(await caller('c', 'workspace-folder-owner')), ['data', 'other', 'web']);
    assert.deepEqual(await names(await caller('d')), []);
    assert.deepEqual(await workspaces.listFolders(await caller('d')), []);
  });
});

describe('belonging to a workspace', () => {
  it('gives its people rights on the resource, for as long as it belongs', async (t) => {
    const { ghippo, caller, client, until } = await testGhippo(t);
    await register(client, prod);
    await ghippo.workspaces.createWorkspace(SYSTEM, { name: 'web' });
    await caller('wanda', 'workspace-admin', workspaceScope('web'));
    const may = () => ghippo.snapshot.decide({ user: 'wanda', permission: 'ghippo/access/grant', scope: prod }).allowed;
    assert.equal(may(), false);
    await ghippo.workspaces.bindResource(SYSTEM, 'web', prod);
    await until(may);
    await ghippo.workspaces.unbindResource(SYSTEM, prod);
    await until(() => !may());
    await assert.rejects(ghippo.workspaces.unbindResource(SYSTEM, prod), { reason: 'NotFound' });
  });

  it('is to one workspace only, and of what is registered', async (t) => {
    const { ghippo, client } = await testGhippo(t);
    await register(client, prod);
    for (const name of ['web', 'data']) await ghippo.workspaces.createWorkspace(SYSTEM, { name });
    await ghippo.workspaces.bindResource(SYSTEM, 'web', prod);
    await ghippo.workspaces.bindResource(SYSTEM, 'web', prod);
    await assert.rejects(ghippo.workspaces.bindResource(SYSTEM, 'data', prod), {
      reason: 'Conflict',
      message: 'instance "prod" belongs to workspace "web" already',
    });
    await ghippo.workspaces.bindResource(SYSTEM, 'data', namespaceScope('prod', 'etl'));
    await assert.rejects(ghippo.workspaces.bindResource(SYSTEM, 'web', instanceScope('ghost')), { reason: 'Invalid' });
    await assert.rejects(ghippo.workspaces.deleteWorkspace(SYSTEM, 'web'), { reason: 'Conflict' });
    assert.equal((await ghippo.workspaces.listResources(SYSTEM, 'data')).length, 1);
  });

  it('is decided by those with a say in both', async (t) => {
    const { ghippo, caller, client } = await testGhippo(t);
    await register(client, prod);
    await ghippo.workspaces.createWorkspace(SYSTEM, { name: 'web' });
    // The admin of a workspace cannot help themselves to an instance.
    const wanda = await caller('wanda', 'workspace-admin', workspaceScope('web'));
    await assert.rejects(ghippo.workspaces.bindResource(wanda, 'web', prod), { reason: 'Forbidden' });
    await caller('wanda', 'instance-admin', prod);
    await ghippo.workspaces.bindResource(wanda, 'web', prod);
    const viewer = await caller('vera', 'workspace-viewer', workspaceScope('web'));
    await assert.rejects(ghippo.workspaces.unbindResource(viewer, prod), { reason: 'Forbidden' });
    assert.equal((await ghippo.workspaces.listResources(viewer)).length, 1);
  });
});
