/** What holds for every set of objects, checked on many random small ones against a plain second opinion. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type AccessBinding, type BindableResource, type Subject, TIERS } from '#ghippo/apis/kinds.ts';
import { covers, permission } from '#ghippo/apis/permission.ts';
import {
  folderScope,
  instanceScope,
  namespaceScope,
  PLATFORM,
  sameScope,
  SCOPE_TYPES,
  type Scope,
  workspaceScope,
} from '#ghippo/apis/scope.ts';
import { decide } from './decide.ts';
import { reach } from './reach.ts';
import { type AccessObjects, accessSnapshot } from './snapshot.ts';
import { belongs, binding, folder, group, role, SHOP, user, workspace } from './testing.ts';
import type { AccessRequest } from './verdict.ts';

const RUNS = { seed: 1, numRuns: 400 };
const USERS = ['u1', 'u2', 'u3'] as const;
const GROUPS = ['g1', 'g2'] as const;
const FOLDERS = ['f1', 'f2', 'f3'] as const;
const WORKSPACES = ['w1', 'w2'] as const;
const RESOURCES: readonly BindableResource[] = [
  instanceScope('i1'),
  instanceScope('i2'),
  namespaceScope('i1', 'a'),
  namespaceScope('i2', 'a'),
  namespaceScope('i2', 'b'),
];
const SCOPES: readonly Scope[] = [
  PLATFORM,
  ...FOLDERS.map(folderScope),
  ...WORKSPACES.map(workspaceScope),
  ...RESOURCES,
];
const POINTS = SHOP.spec.permissions.map(({ resourceType, action }) => permission('shop', resourceType, action));
const ROLES = ['r1', 'r2', 'r3', 'r4'] as const;

const name = (names: readonly string[]) => fc.constantFrom(...names);
const subject: fc.Arbitrary<Subject> = fc.oneof(
  name(USERS).map((one): Subject => ({ kind: 'User', name: one })),
  name(GROUPS).map((one): Subject => ({ kind: 'Group', name: one })),
  name(ROLES).map((one): Subject => ({ kind: 'Role', name: one })),
);
const some = <T>(items: readonly T[]) => fc.subarray([...items]);

const objects: fc.Arbitrary<AccessObjects> = fc.record({
  users: some(USERS).chain((names) =>
    fc.tuple(...names.map((one) => fc.boolean().map((active) => user(one, active ? {} : { disabled: true })))),
  ),
  groups: fc.tuple(...GROUPS.map((one) => some(USERS).map((members) => group(one, ...members)))),
  // Parents are drawn freely: folders may even be their own grandparents.
  folders: some(FOLDERS).chain((names) =>
    fc.tuple(...names.map((one) => fc.option(name(FOLDERS), { nil: undefined }).map((parent) => folder(one, parent)))),
  ),
  workspaces: some(WORKSPACES).chain((names) =>
    fc.tuple(...names.map((one) => fc.option(name(FOLDERS), { nil: undefined }).map((at) => workspace(one, at)))),
  ),
  workspaceResources: some(RESOURCES).chain((all) =>
    fc.tuple(...all.map((one) => name(WORKSPACES).map((to) => belongs(one, to)))),
  ),
  roles: some(ROLES).chain((names) =>
    fc.tuple(
      ...names.map((one) =>
        fc
          .record({
            scope: fc.constantFrom(...SCOPE_TYPES),
            permissions: fc.array(fc.constantFrom(...POINTS, '*/*/*', 'shop/app/*', 'other/app/list'), {
              maxLength: 2,
            }),
            includes: fc.array(fc.record({ tier: fc.constantFrom(...TIERS) }), { maxLength: 1 }),
          })
          .map((spec) => role(one, spec)),
      ),
    ),
  ),
  bindings: fc
    .array(fc.tuple(name(ROLES), fc.constantFrom(...SCOPES), fc.array(subject, { minLength: 1, maxLength: 2 })), {
      maxLength: 6,
    })
    .map((all) => all.map(([to, scope, subjects], index) => binding(`b${index}`, to, scope, ...subjects))),
  products: fc.constantFrom([SHOP], [SHOP], [SHOP], []),
});

const questions: readonly AccessRequest[] = USERS.flatMap((who) =>
  POINTS.flatMap((one) => SCOPES.map((scope) => ({ user: who, permission: one, scope }))),
);
const allowed = (world: AccessObjects) => {
  const snapshot = accessSnapshot(world);
  return questions.map((question) => decide(snapshot, question).allowed);
};

/** A second opinion, slow and plain: no indexes, no order, every rule as a sentence. */
function opinion(world: AccessObjects, { user: who, permission: wanted = '', scope: asked }: AccessRequest): boolean {
  const point = world.products
    .flatMap(({ spec }) => spec.permissions)
    .find(({ resourceType, action }) => permission('shop', resourceType, action) === wanted);
  const account = world.users.find(({ metadata }) => metadata.name === who);
  if (!point || !account || account.spec.disabled) return false;
  const order = (type: Scope['type']) => SCOPE_TYPES.indexOf(type);
  let scope = asked;
  if (order(point.scope) < order(asked.type)) {
    if (point.scope === 'Platform') scope = PLATFORM;
    else if (point.scope === 'Instance' && asked.type === 'Namespace') scope = instanceScope(asked.instance);
    else return false;
  }

  const contains = (outer: Scope, inner: Scope, depth = 0): boolean => {
    if (outer.type === 'Platform' || sameScope(outer, inner)) return true;
    if (depth > 12) return false;
    const up = (next: Scope) => contains(outer, next, depth + 1);
    const owner = world.workspaceResources.find(({ spec }) => sameScope(spec.resource, inner))?.spec.workspace;
    const home = world.workspaces.find(({ metadata }) => metadata.name === owner);
    if (inner.type === 'Namespace' && up(instanceScope(inner.instance))) return true;
    if (home && up(workspaceScope(home.metadata.name))) return true;
    const named =
      inner.type === 'Workspace'
        ? world.workspaces.find(({ metadata }) => metadata.name === inner.workspace)?.spec.folder
        : inner.type === 'Folder'
          ? world.folders.find(({ metadata }) => metadata.name === inner.folder)?.spec.parent
          : undefined;
    const parent = world.folders.find(({ metadata }) => metadata.name === named);
    return parent !== undefined && up(folderScope(parent.metadata.name));
  };
  const roleOf = ({ spec }: AccessBinding) =>
    world.roles.find(({ metadata, spec: { scope: at } }) => metadata.name === spec.role && at === spec.scope.type);
  const isTheirs = ({ kind, name: one }: Subject) =>
    kind === 'User'
      ? one === who
      : kind === 'Group' &&
        world.groups.some(({ metadata, spec }) => metadata.name === one && spec.members?.includes(who));
  const near = world.bindings.filter((one) => roleOf(one) && contains(one.spec.scope, scope));
  const direct = near.filter(({ spec }) => spec.subjects.some(isTheirs));
  const held = new Set(direct.map(({ spec }) => spec.role));
  return near.some((one) => {
    const { permissions = [], includes = [] } = roleOf(one)?.spec ?? { scope: 'Platform' };
    const grants =
      permissions.some((pattern) => covers(pattern, wanted)) ||
      includes.some(({ tier }) => TIERS.indexOf(point.tier) <= TIERS.indexOf(tier));
    const reached =
      direct.includes(one) || one.spec.subjects.some((given) => given.kind === 'Role' && held.has(given.name));
    return grants && reached;
  });
}

describe('for all objects, the decision', () => {
  it('agrees with a plain second opinion', () => {
    fc.assert(
      fc.property(objects, (world) => {
        const snapshot = accessSnapshot(world);
        for (const question of questions)
          assert.equal(decide(snapshot, question).allowed, opinion(world, question), JSON.stringify(question));
      }),
      RUNS,
    );
  });

  it('allows nothing without a binding', () => {
    fc.assert(
      fc.property(objects, (world) => {
        assert.ok(!allowed({ ...world, bindings: [] }).includes(true));
      }),
      RUNS,
    );
  });

  it('names a way that holds, step by step', () => {
    fc.assert(
      fc.property(objects, (world) => {
        const snapshot = accessSnapshot(world);
        for (const question of questions) {
          const verdict = decide(snapshot, question);
          if (!verdict.allowed) continue;
          const { binding: by, role: to, subject: whose, through, scopes } = verdict.because;
          const given = world.bindings.find(({ metadata }) => metadata.name === by);
          assert.ok(given);
          assert.ok(given.spec.subjects.some((one) => one.kind === whose.kind && one.name === whose.name));
          assert.equal(given.spec.role, to);
          const person = through?.subject ?? whose;
          assert.ok(person.name === question.user || snapshot.groupsOf(question.user).includes(person.name));
          assert.ok(scopes[0] && sameScope(scopes[0], verdict.scope));
          assert.ok(sameScope(scopes.at(-1) ?? PLATFORM, given.spec.scope));
          // The way alone is enough: with nothing else given, the answer is the same.
          const only = world.bindings.filter(
            ({ metadata }) => metadata.name === by || metadata.name === through?.binding,
          );
          assert.ok(decide(accessSnapshot({ ...world, bindings: only }), question).allowed);
        }
      }),
      { ...RUNS, numRuns: 150 },
    );
  });

  it('gives nothing to anyone when anything is taken away', () => {
    const kinds = [
      'users',
      'groups',
      'folders',
      'workspaces',
      'workspaceResources',
      'roles',
      'bindings',
      'products',
    ] as const;
    fc.assert(
      fc.property(objects, fc.constantFrom(...kinds), fc.nat(), (world, kind, at) => {
        const all: readonly unknown[] = world[kind];
        fc.pre(all.length > 0);
        const less = { ...world, [kind]: all.filter((_, index) => index !== at % all.length) };
        const before = allowed(world);
        allowed(less).forEach((yes, index) => assert.ok(!yes || before[index], JSON.stringify(questions[index])));
      }),
      RUNS,
    );
  });

  it('gives nothing to anyone when a membership or a point is taken away', () => {
    fc.assert(
      fc.property(objects, fc.constantFrom(...GROUPS), fc.constantFrom(...ROLES), (world, lost, weaker) => {
        const groups = world.groups.map((one) => (one.metadata.name === lost ? group(lost) : one));
        const roles = world.roles.map((one) =>
          one.metadata.name === weaker ? role(weaker, { ...one.spec, permissions: [], includes: [] }) : one,
        );
        const before = allowed(world);
        allowed({ ...world, groups, roles }).forEach((yes, index) => assert.ok(!yes || before[index]));
      }),
      RUNS,
    );
  });

  it('is never wider with a token', () => {
    const tokens = fc.record(
      {
        permissions: fc.array(fc.constantFrom(...POINTS, '*/*/*'), { maxLength: 2 }),
        scopes: fc.array(fc.constantFrom(...SCOPES), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(objects, tokens, (world, token) => {
        const snapshot = accessSnapshot(world);
        for (const question of questions)
          if (decide(snapshot, { ...question, token }).allowed) assert.ok(decide(snapshot, question).allowed);
      }),
      { ...RUNS, numRuns: 150 },
    );
  });

  it('and the reach of a list agree on every resource', () => {
    fc.assert(
      fc.property(objects, (world) => {
        const snapshot = accessSnapshot(world);
        for (const who of USERS) {
          for (const one of POINTS) {
            const found = reach(snapshot, { user: who, permission: one });
            for (const scope of RESOURCES) {
              const shown =
                found.all ||
                found.instances.includes(scope.instance) ||
                found.namespaces.some((namespace) => sameScope(namespace, scope));
              const asks = { user: who, permission: one, scope };
              if (scope.type === 'Instance' || snapshot.point(one)?.scope === 'Namespace')
                assert.equal(shown, decide(snapshot, asks).allowed, JSON.stringify(asks));
            }
          }
        }
      }),
      { ...RUNS, numRuns: 150 },
    );
  });
});
