import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ClusterRole, ClusterRoleBinding } from '#gen/kube/types.ts';
import { apiServer } from '#kube/apiserver/api-server.ts';
import type { User } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import { memoryStore } from '#kube/store/index.ts';
import { aggregateRoles } from './aggregation-controller.ts';
import { ensureBootstrapPolicy } from './bootstrap/ensure-policy.ts';
import { ruleOf } from './bootstrap/rule-text.ts';
import { rbac } from './rbac.ts';
import { type AnyBinding, type AnyRole } from './rbac-index.ts';
import { binding, role } from './testing.ts';

const GROUP = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const RESOURCES = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
} as const;
const gvrOf = ({ kind }: AnyRole | AnyBinding): Gvr => ({ ...GROUP, resource: RESOURCES[kind] });
const CLUSTER_ROLES: Gvr = { ...GROUP, resource: 'clusterroles' };
const CONFIG_MAPS: Gvr = { group: '', version: 'v1', resource: 'configmaps' };

async function server(t: TestContext) {
  const access = rbac();
  const made = await apiServer({
    store: memoryStore(),
    authorizer: access.authorizer,
    admission: [access.admission],
  });
  t.after(() => made.close());
  await access.start(made);
  const admin = made.client();
  const as = (name: string, ...groups: readonly string[]): KubeClient => {
    const user: User = { name, groups: [...groups, 'system:authenticated'] };
    return made.client(user);
  };
  const give = async (...objects: readonly (AnyRole | AnyBinding)[]) => {
    for (const object of objects) await admin.create(gvrOf(object), object);
  };
  return { admin, as, give };
}

describe('an API server with roles', () => {
  it('lets nobody do anything but what everybody may', async (t) => {
    const { as } = await server(t);
    await as('alice').getText('/version');
    await assert.rejects(as('alice').list(CONFIG_MAPS), { reason: 'Forbidden' });
    await assert.rejects(as('alice').getText('/metrics'), { reason: 'Forbidden' });
  });

  it('counts a binding from the answer to its creation to the answer to its deletion', async (t) => {
    const { admin, as, give } = await server(t);
    const bound = binding({ name: 'b', namespace: 'default', role: 'view', user: 'alice' });
    const look = () => as('alice').list(CONFIG_MAPS, { namespace: 'default' });
    for (let i = 0; i < 20; i++) {
      await give(bound);
      await look();
      await admin.delete(gvrOf(bound), { namespace: 'default', name: 'b' });
      await assert.rejects(look(), { reason: 'Forbidden' });
    }
  });

  it('gives aggregated roles what is labelled for them', async (t) => {
    const { admin, give } = await server(t);
    const part = role('things-viewer', [ruleOf('get example.com things')]);
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    await give({ ...part, metadata: { ...part.metadata, labels } });
    await aggregateRoles(admin);
    for (const name of ['view', 'edit', 'admin']) {
      const { rules = [] } = await admin.get<ClusterRole>(CLUSTER_ROLES, { name });
      assert.ok(
        rules.some(({ apiGroups = [] }) => apiGroups.includes('example.com')),
        name,
      );
    }
  });

  it('repairs its policy at a start, except where it is told not to', async (t) => {
    const { admin } = await server(t);
    const name = 'system:discovery';
    const found = await admin.get<ClusterRole>(CLUSTER_ROLES, { name });
    await admin.update(CLUSTER_ROLES, { ...found, rules: [] });
    const bindings = { ...GROUP, resource: 'clusterrolebindings' };
    await admin.delete(bindings, { name });
    const kept = await admin.get<ClusterRole>(CLUSTER_ROLES, { name: 'view' });
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    await admin.update(CLUSTER_ROLES, { ...kept, metadata: { ...kept.metadata, labels: {}, annotations } });

    await ensureBootstrapPolicy(admin);
    assert.deepEqual((await admin.get<ClusterRole>(CLUSTER_ROLES, { name })).rules, found.rules);
    await admin.get<ClusterRoleBinding>(bindings, { name });
    assert.deepEqual((await admin.get<ClusterRole>(CLUSTER_ROLES, { name: 'view' })).metadata.labels ?? {}, {});
    const { metadata } = await admin.get<ClusterRole>(CLUSTER_ROLES, { name });
    await ensureBootstrapPolicy(admin);
    assert.equal((await admin.get(CLUSTER_ROLES, { name })).metadata.resourceVersion, metadata.resourceVersion);
  });
});

describe('whoever writes roles and bindings', () => {
  const manager = [
    role('rbac-writer', [ruleOf('* rbac.authorization.k8s.io roles,rolebindings')].map(withoutSpecial)),
    binding({ name: 'writers', role: 'rbac-writer', user: 'alice' }),
    role('pod-reader', [ruleOf('get core pods')]),
    binding({ name: 'readers', role: 'pod-reader', group: 'devs' }),
  ];
  /** All verbs but `escalate` and `bind`. */
  function withoutSpecial(rule: ReturnType<typeof ruleOf>) {
    return { ...rule, verbs: ['get', 'create', 'update', 'patch', 'delete'] };
  }
  const inDefault = (rules: readonly string[]) => role('r', rules.map(ruleOf), 'default');
  const holding =
    'user "alice" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held';

  it('may hand out what they have, and nothing else', async (t) => {
    const { as, give } = await server(t);
    await give(...manager);
    const alice = as('alice', 'devs');
    const create = (object: AnyRole | AnyBinding) => alice.create(gvrOf(object), object);
    await create(inDefault(['get core pods']));
    await assert.rejects(
      create({ ...inDefault(['get,list core pods,secrets']), metadata: { name: 's', namespace: 'default' } }),
      {
        reason: 'Forbidden',
        message: `roles.rbac.authorization.k8s.io "s" is forbidden: ${holding}:
{APIGroups:[""], Resources:["pods"], Verbs:["list"]}
{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}`,
      },
    );
    await create(binding({ name: 'ok', namespace: 'default', role: 'pod-reader', user: 'bob' }));
    await assert.rejects(create(binding({ name: 'no', namespace: 'default', role: 'cluster-admin', user: 'alice' })), {
      message: `rolebindings.rbac.authorization.k8s.io "no" is forbidden: ${holding}:
{APIGroups:["*"], Resources:["*"], Verbs:["*"]}
{NonResourceURLs:["*"], Verbs:["*"]}`,
    });
    await assert.rejects(create(binding({ name: 'no', namespace: 'default', role: 'nowhere', user: 'bob' })), {
      reason: 'NotFound',
      message: 'clusterrole.rbac.authorization.k8s.io "nowhere" not found',
    });
  });

  it('may not widen a role they could create', async (t) => {
    const { as, give } = await server(t);
    await give(...manager);
    const alice = as('alice', 'devs');
    const made = await alice.create(gvrOf(inDefault([])), inDefault(['get core pods']));
    await assert.rejects(alice.update(gvrOf(inDefault([])), { ...made, rules: [ruleOf('get core secrets')] }), {
      reason: 'Forbidden',
    });
    const body = { rules: [ruleOf('* * *')] };
    const patch = alice.patch(gvrOf(inDefault([])), { namespace: 'default', name: 'r' }, { type: 'merge', body });
    await assert.rejects(patch, { reason: 'Forbidden' });
    for (const name of ['r', 'new']) {
      const metadata = { name, namespace: 'default' };
      const wide = { ...inDefault(['* * *']), metadata };
      const apply = alice.apply(gvrOf(wide), wide, { fieldManager: 'test', force: true });
      await assert.rejects(apply, { reason: 'Forbidden' });
    }
  });

  it('may do so when they may escalate or bind', async (t) => {
    const { as, give } = await server(t);
    await give(
      ...manager,
      role('escalator', [ruleOf('escalate rbac.authorization.k8s.io roles')]),
      role('binder', [ruleOf('bind rbac.authorization.k8s.io clusterroles view')]),
      binding({ name: 'carol', role: 'rbac-writer', user: 'carol' }),
      binding({ name: 'carol-escalates', role: 'escalator', user: 'carol' }),
      binding({ name: 'dave', role: 'rbac-writer', user: 'dave' }),
      binding({ name: 'dave-binds', role: 'binder', user: 'dave' }),
    );
    await as('carol').create(gvrOf(inDefault([])), inDefault(['* * *']));
    const view = binding({ name: 'v', namespace: 'default', role: 'view', user: 'x' });
    const edit = binding({ name: 'e', namespace: 'default', role: 'edit', user: 'x' });
    await as('dave').create(gvrOf(view), view);
    await assert.rejects(as('dave').create(gvrOf(edit), edit), { reason: 'Forbidden' });
  });

  it('need all rights to aggregate others', async (t) => {
    const { as, give } = await server(t);
    await give(
      role('cluster-role-writer', [ruleOf('create rbac.authorization.k8s.io clusterroles')]),
      binding({ name: 'w', role: 'cluster-role-writer', user: 'alice' }),
    );
    const gathers = { ...role('g', []), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } };
    await assert.rejects(as('alice').create(CLUSTER_ROLES, gathers), {
      message:
        'clusterroles.rbac.authorization.k8s.io "g" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    });
  });
});
