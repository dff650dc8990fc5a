import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftOf } from '#base/json.ts';
import { aggregatedRules } from '../aggregate.ts';
import { ruleAllows } from '../policy-rule.ts';
import { bootstrapClusterRoleBindings, bootstrapClusterRoles } from './bootstrap-objects.ts';
import { repairBinding, repairRole } from './ensure-policy.ts';
import { ruleOf } from './rule-text.ts';

const roles = bootstrapClusterRoles();
const rolesByName = new Map(roles.map((role) => [role.metadata.name, role]));
const aggregated = aggregatedRules(roles);

function allows(name: string, text: string): boolean {
  const [verb = '', group = '', resource = ''] = text.split(' ');
  const [main = '', subresource] = resource.split('/');
  const asked = { verb, group: group === 'core' ? '' : group, version: 'v1', resource: main, subresource };
  const rules = aggregated.get(name) ?? rolesByName.get(name)?.rules ?? [];
  return rules.some((rule) => ruleAllows(rule, asked));
}

describe('the bootstrap policy', () => {
  it('lets viewers look, but not at secrets', () => {
    assert.ok(allows('view', 'list apps deployments'));
    assert.ok(allows('view', 'get core pods/log'));
    assert.ok(!allows('view', 'get core secrets'));
    assert.ok(!allows('view', 'update apps deployments'));
    assert.ok(!allows('view', 'get rbac.authorization.k8s.io roles'));
  });

  it('lets editors do all that viewers may, and change workloads, but hand out no rights', () => {
    for (const what of ['list apps deployments', 'get core secrets', 'update apps deployments/scale']) {
      assert.ok(allows('edit', what), what);
    }
    assert.ok(allows('edit', 'create core serviceaccounts/token'));
    assert.ok(!allows('edit', 'create rbac.authorization.k8s.io roles'));
    assert.ok(!allows('edit', 'update core resourcequotas'));
  });

  it('lets admins do all that editors may, and hand out rights', () => {
    for (const what of ['get core secrets', 'create rbac.authorization.k8s.io rolebindings']) {
      assert.ok(allows('admin', what), what);
    }
    assert.ok(!allows('admin', 'update core nodes'));
  });

  it('binds only roles it has', () => {
    for (const { roleRef } of bootstrapClusterRoleBindings()) assert.ok(rolesByName.has(roleRef.name), roleRef.name);
  });

  it('gives those who have not shown who they are nothing but health and version', () => {
    const open = bootstrapClusterRoleBindings().filter(({ subjects = [] }) =>
      subjects.some(({ name }) => name === 'system:unauthenticated'),
    );
    assert.deepEqual(
      open.map(({ roleRef }) => roleRef.name),
      ['system:public-info-viewer'],
    );
  });
});

describe('repairing the policy', () => {
  const view = rolesByName.get('system:aggregate-to-view');
  const admins = bootstrapClusterRoleBindings().find(({ metadata }) => metadata.name === 'cluster-admin');
  assert.ok(view && admins);

  it('adds the rules that are missing and keeps those that were added', () => {
    const draft = draftOf(view);
    const own = draftOf(ruleOf('get example.com things'));
    draft.rules = [own, ...(draft.rules ?? []).slice(1)];
    repairRole(draft, view);
    assert.deepEqual(draft.rules, [own, ...(view.rules ?? []).slice(1), view.rules?.[0]]);
  });

  it('changes nothing where all is given in other words', () => {
    const draft = draftOf(view);
    draft.rules = [draftOf(ruleOf('* * *'))];
    repairRole(draft, view);
    assert.deepEqual(draft.rules, [ruleOf('* * *')]);
  });

  it('adds the subjects that are missing and keeps those that were added', () => {
    const draft = draftOf(admins);
    draft.subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'root' }];
    repairBinding(draft, admins);
    assert.deepEqual(
      draft.subjects.map(({ name }) => name),
      ['root', 'system:masters'],
    );
  });

  it('finds nothing to do in what it has made', () => {
    for (const role of roles) {
      const draft = draftOf(role);
      repairRole(draft, role);
      assert.deepEqual(draft, role);
    }
  });
});
