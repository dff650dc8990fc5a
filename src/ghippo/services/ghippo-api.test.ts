import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { silentLog } from '#base/log.ts';
import { SYSTEM } from '#ghippo/access/caller.ts';
import { folderScope, instanceScope, type Scope, workspaceScope } from '#ghippo/apis/scope.ts';
import { ensureFirstAdmin } from '#ghippo/bootstrap.ts';
import { registerResource } from '#ghippo/workspace/registrations.ts';
import { testGhippo } from '../testing.ts';
import { ghippoApi } from './ghippo-api.ts';

const PASSWORD = 'tr0ub4dor&3';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
type Answer = any;

async function served(t: TestContext) {
  const test = await testGhippo(t);
  await ensureFirstAdmin(test.ghippo, { password: PASSWORD });
  await test.until(
    () =>
      test.ghippo.snapshot.decide({ user: 'admin', permission: 'ghippo/user/list', scope: { type: 'Platform' } })
        .allowed,
  );
  const api = ghippoApi({ ghippo: test.ghippo, clock: test.clock, log: silentLog });
  const server = createServer((request, response) => api.handle(request, response) || response.writeHead(404).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/apis/ghippo.io`;
  const call = async (verb: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${base}${path}`, {
      method: verb,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return {
      status: answer.status,
      cookie: answer.headers.get('set-cookie') ?? '',
      body: (await answer.json()) as Answer,
    };
  };
  const signedIn = async (user: string) => {
    const { cookie } = await call('POST', '/v1alpha1/login', { user, password: PASSWORD });
    return { cookie: cookie.split(';')[0] ?? '' };
  };
  return { ...test, call, signedIn };
}

describe('the API', () => {
  it('signs in with a cookie no script can read, and out again', async (t) => {
    const { call } = await served(t);
    const wrong = await call('POST', '/v1alpha1/login', { user: 'admin', password: 'wrong' });
    assert.equal(wrong.status, 401);
    const right = await call('POST', '/v1alpha1/login', { user: 'admin', password: PASSWORD });
    assert.equal(right.status, 200);
    assert.match(right.cookie, /^ghippo_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=86400$/);
    const mine = { cookie: right.cookie.split(';')[0] ?? '' };
    assert.equal((await call('GET', '/v1alpha1/current-user', undefined, mine)).body.name, 'admin');
    const foreign = { ...mine, 'sec-fetch-site': 'cross-site' };
    assert.equal((await call('GET', '/v1alpha1/current-user', undefined, foreign)).status, 403);
    assert.equal((await call('GET', '/v1alpha1/current-user')).status, 401);
    assert.equal((await call('DELETE', '/v1alpha1/logout', undefined, mine)).status, 200);
    assert.equal((await call('GET', '/v1alpha1/current-user', undefined, mine)).status, 401);
  });

  it('manages people, groups and tokens', async (t) => {
    const { call, signedIn } = await served(t);
    const admin = await signedIn('admin');
    const made = await call('POST', '/v1alpha1/users', { name: 'bob', email: 'b@x', password: PASSWORD }, admin);
    assert.deepEqual([made.status, made.body.enabled, made.body.source], [200, true, 'local']);
    const listed = await call('GET', '/v1alpha1/users?pageSize=1', undefined, admin);
    assert.deepEqual([listed.body.items.length, listed.body.pagination.total], [1, 2]);
    await call('POST', '/v1alpha1/groups', { name: 'team' }, admin);
    assert.equal((await call('POST', '/v1alpha1/groups/team/members/bob', undefined, admin)).body.memberCount, 1);
    assert.deepEqual((await call('GET', '/v1alpha1/groups/team/members', undefined, admin)).body.items, ['bob']);

    const bob = await signedIn('bob');
    assert.equal((await call('GET', '/v1alpha1/users', undefined, bob)).status, 403);
    const token = await call(
      'POST',
      '/v1alpha1/current-user/accesstoken',
      { description: 'ci', lifeSeconds: '60' },
      bob,
    );
    const bearer = { authorization: `Bearer ${token.body.token}` };
    assert.equal((await call('GET', '/v1alpha1/current-user', undefined, bearer)).body.name, 'bob');
    const forged = { authorization: `Bearer ${String(token.body.token).slice(0, -1)}!` };
    assert.equal((await call('GET', '/v1alpha1/current-user', undefined, forged)).status, 401);
    const sessions = await call('GET', '/v1alpha1/current-user/sessions', undefined, bob);
    assert.deepEqual(
      sessions.body.items.map(({ current }: { current: boolean }) => current),
      [true],
    );
    const changed = await call('PUT', '/v1alpha1/users/bob', { enabled: false }, admin);
    assert.equal(changed.body.enabled, false);
    assert.equal((await call('GET', '/v1alpha1/current-user', undefined, bob)).status, 401);
    assert.equal((await call('DELETE', '/v1alpha1/users/bob', undefined, admin)).status, 200);
    assert.equal((await call('GET', '/v1alpha1/users/check/bob', undefined, admin)).body.exists, false);
  });

  it('gives rights, explains them and keeps a record', async (t) => {
    const { call, signedIn, ghippo, client } = await served(t);
    const admin = await signedIn('admin');
    await registerResource(client, { product: 'kairship', resourceType: 'Kairship', resource: instanceScope('prod') });
    await ghippo.users.createUser(SYSTEM, { name: 'bob' });
    const { body: folder } = await call('POST', '/v1alpha1/folders', { name: 'org' }, admin);
    const { body: workspace } = await call(
      'POST',
      '/v1alpha1/workspaces',
      { name: 'web', folderId: folder.folderId },
      admin,
    );
    const place = `/v1alpha1/workspaces/${workspace.workspaceId}`;
    const resource = { resourceName: 'prod', resourceType: 'Kairship', gproduct: 'kairship' };
    assert.equal((await call('POST', `${place}/bind-exclusiveresource`, resource, admin)).status, 200);
    assert.equal(
      (await call('GET', `${place}/exclusiveresources`, undefined, admin)).body.items[0].resource.instance,
      'prod',
    );
    const scope = { type: 'Workspace', workspace: 'web' };
    const given = { name: 'b', role: 'workspace-viewer', scope, subjects: [{ kind: 'User', name: 'bob' }] };
    assert.equal((await call('POST', '/v1alpha1/bindings', given, admin)).status, 200);
    const asks = 'decision?user=bob&permission=ghippo/workspace/get&scope.type=Workspace&scope.workspace=web';
    const decided = async () => (await call('GET', `/v1alpha1/${asks}`, undefined, admin)).body;
    while (!(await decided()).allowed) await new Promise((resolve) => setTimeout(resolve, 2));
    assert.match((await decided()).reason, /user "bob" has role "workspace-viewer" in workspace "web" by binding "b"/);
    const able = await call(
      'GET',
      '/v1alpha1/who-can?permission=ghippo/workspace/get&scope.type=Workspace&scope.workspace=web',
      undefined,
      admin,
    );
    assert.deepEqual(
      able.body.items.map(({ user }: { user: string }) => user),
      ['admin', 'bob'],
    );
    assert.equal((await call('DELETE', '/v1alpha1/bindings/b', undefined, admin)).status, 200);
    const { body: log } = await call(
      'GET',
      '/v1alpha3/audits?user=admin&action=ghippo/access/revoke',
      undefined,
      admin,
    );
    assert.deepEqual([log.items.length, log.items[0].resourceName, log.items[0].verdict], [1, 'b', 'allowed']);
    assert.equal((await call('PUT', `${place}/unbind-resource`, resource, admin)).status, 200);
    const { body: roles } = await call('GET', '/v1alpha1/roles?scope=Instance', undefined, admin);
    assert.equal(roles.items.length, 3);
    const bad = await call('POST', '/v1alpha1/bindings', { ...given, scope: { type: 'Instance' } }, admin);
    assert.equal(bad.status, 400);
  });

  it('shows and changes who has which role where, by place, by role and by person', async (t) => {
    const { call, signedIn, ghippo, until } = await served(t);
    const admin = await signedIn('admin');
    const get = async (path: string) => (await call('GET', `/v1alpha1/${path}`, undefined, admin)).body;
    await ghippo.users.createUser(SYSTEM, { name: 'bob', password: PASSWORD });
    await ghippo.groups.createGroup(SYSTEM, { name: 'team', members: ['bob'] });
    const make = async (path: string, body: object) => (await call('POST', `/v1alpha1/${path}`, body, admin)).body;
    const { folderId } = await make('folders', { name: 'org' });
    const { folderId: other } = await make('folders', { name: 'lab' });
    const { workspaceId } = await make('workspaces', { name: 'web', folderId });
    const now = () => ghippo.snapshot.current();
    const known = (scope: Scope) =>
      ghippo.snapshot.decide({ user: 'admin', permission: 'ghippo/workspace/create', scope }).allowed;
    await until(() => now().groupsOf('bob').includes('team') && known(folderScope('org')) && known(folderScope('lab')));
    await until(() => known(workspaceScope('web')));
    assert.equal((await get(`folders/${folderId}`)).name, 'org');
    const { folders } = await get('folders-tree');
    assert.deepEqual(
      folders.map((each: Answer) => [each.folder.name, each.workspaces.map((one: Answer) => one.name)]),
      [
        ['lab', []],
        ['org', ['web']],
      ],
    );
    assert.deepEqual(
      (await get(`workspaces/${workspaceId}/move-folders`)).items.map((each: Answer) => each.folderId),
      [other],
    );

    const bob = { kind: 'User', name: 'bob' };
    const at = (verb: string, place: number, what: string, role: string) =>
      call(verb, `/v1alpha1/folders/${place}/${what}`, { role, member: bob }, admin);
    assert.equal((await at('POST', folderId, 'authorize', 'folder-viewer')).status, 200);
    assert.equal((await at('POST', workspaceId, 'authorize', 'workspace-viewer')).status, 200);
    const roles = async (path: string) => (await get(`${path}/members-roles`)).items.map((each: Answer) => each.role);
    assert.deepEqual(await roles(`folders/${folderId}`), ['folder-viewer']);
    assert.equal((await at('PUT', workspaceId, 'reauthorize', 'workspace-editor')).status, 200);
    assert.deepEqual(await roles(`workspaces/${workspaceId}`), ['workspace-editor']);
    assert.equal((await get('roles/role-member-count/workspace-editor')).count, 1);
    const { items } = await get('workspaceroles/workspace-editor/members-workspaces');
    assert.deepEqual([items[0].member, items[0].scope.workspace], [bob, 'web']);
    assert.equal((await at('PUT', folderId, 'deauthorize', 'folder-viewer')).status, 200);
    assert.deepEqual(await roles(`folders/${folderId}`), []);
    assert.equal((await at('PUT', folderId, 'deauthorize', 'folder-viewer')).status, 404);
    assert.ok((await get('folderrolenames')).names.includes('folder-viewer'));
    assert.ok((await get(`folders/${workspaceId}/permissions`)).permissions.includes('ghippo/workspace/get'));

    const put = (path: string, body: object, as = admin) => call('PUT', `/v1alpha1/${path}`, body, as);
    assert.equal((await put('groups/team/roles', { roles: ['multicloud-viewer'] })).status, 200);
    assert.deepEqual((await get('groups/team/roles')).items, [
      { role: 'multicloud-viewer', scope: { ...items[0].scope, type: 'Platform', workspace: '' } },
    ]);
    const given = await put('users/bob/roles', { roles: ['audit-owner', 'multicloud-viewer'] });
    assert.deepEqual(given.body.items.map((each: Answer) => `${each.through.kind} ${each.role}`).toSorted(), [
      'Group multicloud-viewer',
      'User audit-owner',
      'User multicloud-viewer',
      'User workspace-editor',
    ]);
    assert.equal((await put('users/bob/roles', { roles: ['nothing-like-it'] })).status, 404);
    await put('users/bob/roles', { roles: [] });
    assert.deepEqual(
      (await get('users/bob/roles')).items.map((each: Answer) => each.role),
      ['workspace-editor', 'multicloud-viewer'],
    );

    const own = await signedIn('bob');
    assert.equal((await put('users/bob/roles', { roles: ['admin'] }, own)).status, 403);
    assert.equal((await put('current-user/email', { email: 'Bob@x.io' }, own)).body.email, 'Bob@x.io');
    assert.equal(
      (await put('current-user/name', { firstName: 'Bob', lastName: 'Ross' }, own)).body.displayName,
      'Bob Ross',
    );
    assert.equal((await get('users/check-user-email/bob@x.io')).exists, true);
    assert.equal((await get('current-user/password-description')).minLength, 8);
    assert.equal((await get('audits/clear')).days, 365);
  });
});
