import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  folderScope,
  instanceScope,
  namespaceScope,
  PLATFORM,
  type Scope,
  workspaceScope,
} from '#ghippo/apis/scope.ts';
import { decide } from './decide.ts';
import { reach } from './reach.ts';
import { type AccessObjects, accessSnapshot, NO_OBJECTS } from './snapshot.ts';
import { aGroup, aRole, aUser, belongs, binding, folder, group, role, SHOP, user, workspace } from './testing.ts';
import type { AccessRequest } from './verdict.ts';

const VIEWER = role('viewer', { scope: 'Instance', includes: [{ tier: 'view' }] });
const prod = instanceScope('prod');
const shop = namespaceScope('prod', 'shop');

const world: AccessObjects = {
  ...NO_OBJECTS,
  users: [
    user('alice'),
    user('bob'),
    user('carol', { disabled: true }),
    user('dora', { external: { provider: 'corp', issuer: 'x', subject: '1', groups: ['corp:ops'] } }),
  ],
  groups: [group('devs', 'bob')],
  folders: [folder('org'), folder('unit', 'org')],
  workspaces: [workspace('web', 'unit'), workspace('data')],
  workspaceResources: [belongs(prod, 'web'), belongs(namespaceScope('lab', 'etl'), 'data')],
  products: [SHOP],
  roles: [
    VIEWER,
    role('ns-editor', { scope: 'Namespace', includes: [{ tier: 'edit' }] }),
    role('ws-admin', { scope: 'Workspace', includes: [{ tier: 'manage' }] }),
    role('org-viewer', { scope: 'Folder', includes: [{ tier: 'view', product: 'shop' }] }),
    role('other-viewer', { scope: 'Folder', includes: [{ tier: 'view', product: 'another' }] }),
    role('root', { scope: 'Platform', permissions: ['*/*/*'] }),
    role('oncall', { scope: 'Platform', permissions: ['shop/store/get'] }),
  ],
};

const asked = (bindings: AccessObjects['bindings'], request: Partial<AccessRequest>) =>
  decide(accessSnapshot({ ...world, bindings }), {
    user: 'alice',
    permission: 'shop/app/list',
    scope: shop,
    ...request,
  });

describe('a right', () => {
  const cases: [
    because: string,
    bindings: AccessObjects['bindings'],
    request: Partial<AccessRequest>,
    allowed: boolean,
  ][] = [
    ['is not there without a binding', [], {}, false],
    ['comes from a binding in the very scope', [binding('b', 'ns-editor', shop, aUser('alice'))], {}, true],
    ['comes from the instance of a namespace', [binding('b', 'viewer', prod, aUser('alice'))], {}, true],
    [
      'of an instance does not hold in another',
      [binding('b', 'viewer', instanceScope('lab'), aUser('alice'))],
      {},
      false,
    ],
    [
      'of a namespace does not hold in its instance',
      [binding('b', 'ns-editor', shop, aUser('alice'))],
      { scope: prod },
      false,
    ],
    [
      'comes from the workspace of the instance',
      [binding('b', 'ws-admin', workspaceScope('web'), aUser('alice'))],
      {},
      true,
    ],
    [
      'comes from a folder above the workspace',
      [binding('b', 'org-viewer', folderScope('org'), aUser('alice'))],
      {},
      true,
    ],
    ['includes only its own product', [binding('b', 'other-viewer', folderScope('org'), aUser('alice'))], {}, false],
    ['comes from the platform', [binding('b', 'root', PLATFORM, aUser('alice'))], {}, true],
    [
      'comes from the workspace of the namespace alone',
      [binding('b', 'ws-admin', workspaceScope('data'), aUser('alice'))],
      { scope: namespaceScope('lab', 'etl') },
      true,
    ],
    [
      'of a namespace in a workspace is none on its instance',
      [binding('b', 'ws-admin', workspaceScope('data'), aUser('alice'))],
      { scope: instanceScope('lab') },
      false,
    ],
    ['comes through a group', [binding('b', 'viewer', prod, aGroup('devs'))], { user: 'bob' }, true],
    [
      'comes through a group the identity provider named',
      [binding('b', 'viewer', prod, aGroup('corp:ops'))],
      { user: 'dora' },
      true,
    ],
    [
      'comes through a group the caller is known to be in',
      [binding('b', 'viewer', prod, aGroup('x'))],
      { groups: ['x'] },
      true,
    ],
    ['is not that of other members', [binding('b', 'viewer', prod, aGroup('devs'))], {}, false],
    [
      'comes through a role that others were given, when the user holds it',
      [binding('a', 'oncall', PLATFORM, aUser('alice')), binding('b', 'viewer', prod, aRole('oncall'))],
      {},
      true,
    ],
    [
      'given to a role is nothing to those who hold it elsewhere',
      [binding('a', 'viewer', instanceScope('lab'), aUser('alice')), binding('b', 'ns-editor', shop, aRole('viewer'))],
      {},
      false,
    ],
    ['ends at its tier', [binding('b', 'viewer', prod, aUser('alice'))], { permission: 'shop/app/create' }, false],
    ['of a disabled user is asleep', [binding('b', 'viewer', prod, aUser('carol'))], { user: 'carol' }, false],
    ['of a user nobody knows is none', [binding('b', 'viewer', prod, aUser('eve'))], { user: 'eve' }, false],
    [
      'to what nobody registered is none',
      [binding('b', 'root', PLATFORM, aUser('alice'))],
      { permission: 'shop/app/hack' },
      false,
    ],
    [
      'is not given by a role bound where it does not belong',
      [binding('b', 'ns-editor', PLATFORM, aUser('alice'))],
      {},
      false,
    ],
    ['is not given by a role that is gone', [binding('b', 'gone', PLATFORM, aUser('alice'))], {}, false],
    [
      'to a whole instance is needed even if a namespace of it was named',
      [binding('b', 'ns-editor', shop, aUser('alice'))],
      { permission: 'shop/store/get' },
      false,
    ],
  ];
  for (const [because, bindings, request, allowed] of cases) {
    it(because, () => assert.equal(asked(bindings, request).allowed, allowed));
  }

  it('ends when what it rests on is being deleted', () => {
    const given = binding('b', 'viewer', prod, aUser('alice'));
    const going = { ...given, metadata: { ...given.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    assert.equal(asked([going], {}).allowed, false);
  });
});

describe('a token', () => {
  const bindings = [binding('b', 'root', PLATFORM, aUser('alice'))];
  const cases: [because: string, token: AccessRequest['token'], allowed: boolean][] = [
    ['without limits is as good as its owner', {}, true],
    ['may name the point', { permissions: ['shop/app/list'] }, true],
    ['may name points by a pattern', { permissions: ['shop/*/list'] }, true],
    ['is refused for other points', { permissions: ['shop/app/create'] }, false],
    ['may name a scope around', { scopes: [workspaceScope('web')] }, true],
    ['is refused elsewhere', { scopes: [instanceScope('lab')] }, false],
    ['with no scopes at all opens nothing', { scopes: [] }, false],
  ];
  for (const [because, token, allowed] of cases) {
    it(because, () => assert.equal(asked(bindings, token ? { token } : {}).allowed, allowed));
  }

  it('does not give what its owner has not', () => {
    const verdict = asked([], { token: { permissions: ['*/*/*'], scopes: [PLATFORM] } });
    assert.equal(verdict.allowed, false);
  });
});

describe('a verdict', () => {
  it('tells the whole way of a grant', () => {
    const verdict = asked([binding('web-viewers', 'org-viewer', folderScope('org'), aGroup('devs'))], { user: 'bob' });
    assert.ok(verdict.allowed);
    assert.deepEqual(verdict.because.scopes, [
      shop,
      prod,
      workspaceScope('web'),
      folderScope('unit'),
      folderScope('org'),
    ]);
    assert.equal(
      verdict.because.sentence,
      'user "bob", as a member of group "devs", has role "org-viewer" in folder "org" by binding "web-viewers", ' +
        'which contains namespace "shop" of instance "prod"; the role grants shop/app/list by every point up to "view" of shop',
    );
  });

  it('says what is missing, which roles would do and which bindings come near', () => {
    const near: [string, Scope][] = [
      ['viewer', prod],
      ['ns-editor', namespaceScope('prod', 'other')],
    ];
    const verdict = asked(
      near.map(([name, scope], index) => binding(`b${index}`, name, scope, aUser('alice'))),
      { permission: 'shop/app/create' },
    );
    assert.ok(!verdict.allowed);
    assert.deepEqual(verdict.missing, {
      reason: 'NoBinding',
      sentence:
        'user "alice" has no binding that grants shop/app/create in namespace "shop" of instance "prod": ' +
        'what they were given does not reach it',
      roles: ['ns-editor', 'ws-admin', 'root'],
      near: [
        { binding: 'b0', role: 'viewer', why: 'role "viewer" does not include shop/app/create' },
        { binding: 'b1', role: 'ns-editor', why: 'it holds in namespace "other" of instance "prod" only' },
      ],
    });
  });

  it('is found by the name of an operation', () => {
    const bindings = [binding('b', 'viewer', prod, aUser('alice'))];
    const snapshot = accessSnapshot({ ...world, bindings });
    assert.equal(decide(snapshot, { user: 'alice', operation: 'Apps_List', scope: shop }).allowed, true);
    const unknown = decide(snapshot, { user: 'alice', operation: 'Apps_Nothing', scope: shop });
    assert.equal(!unknown.allowed && unknown.missing.reason, 'UnknownOperation');
  });
});

describe('reach', () => {
  const from = (...bindings: AccessObjects['bindings']) => accessSnapshot({ ...world, bindings });

  it('is empty for a user without a role', () => {
    const found = reach(from(), { user: 'alice', permission: 'shop/app/list' });
    assert.deepEqual(found, { all: false, instances: [], namespaces: [] });
  });

  it('is everything for a right on the platform', () => {
    const snapshot = from(binding('b', 'root', PLATFORM, aUser('alice')));
    assert.equal(reach(snapshot, { user: 'alice', permission: 'shop/app/list' }).all, true);
  });

  it('names instances and namespaces given directly, by workspace and by role', () => {
    const snapshot = from(
      binding('a', 'ws-admin', workspaceScope('web'), aUser('alice')),
      binding('b', 'ns-editor', namespaceScope('lab', 'x'), aUser('alice')),
      binding('c', 'ns-editor', shop, aUser('alice')),
    );
    const found = reach(snapshot, { user: 'alice', permission: 'shop/app/list' });
    assert.deepEqual(found, { all: false, instances: ['prod'], namespaces: [namespaceScope('lab', 'x')] });
    const inLab = reach(snapshot, { user: 'alice', permission: 'shop/app/list', within: instanceScope('lab') });
    assert.deepEqual(inLab, { all: false, instances: [], namespaces: [namespaceScope('lab', 'x')] });
    assert.equal(reach(snapshot, { user: 'alice', permission: 'shop/app/list', within: prod }).all, true);
  });

  it('ends where a token does', () => {
    const snapshot = from(binding('b', 'root', PLATFORM, aUser('alice')));
    const found = reach(snapshot, { user: 'alice', permission: 'shop/app/list', token: { scopes: [prod] } });
    assert.deepEqual(found, { all: false, instances: ['prod'], namespaces: [] });
  });
});
