import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attributes } from '#kube/apiserver/auth/authorize.ts';
import { ruleOf } from './bootstrap/rule-text.ts';
import { ruleAllows } from './policy-rule.ts';

/** `verb group/resource[/subresource] [name]` or `verb /path`. */
function asked(text: string): Attributes {
  const [verb = '', what = '', name] = text.split(' ');
  if (what.startsWith('/')) return { verb, path: what };
  const [group = '', resource = '', subresource] = what.split('/');
  return { verb, group: group === 'core' ? '' : group, version: 'v1', resource, subresource, name };
}

const CASES: readonly [because: string, rule: string, allows: readonly string[], refuses: readonly string[]][] = [
  [
    'gives its verbs on its resources in its groups, and nothing else',
    'get,list apps deployments,replicasets',
    ['get apps/deployments', 'list apps/replicasets', 'get apps/deployments web'],
    ['watch apps/deployments', 'get core/deployments', 'get apps/statefulsets', 'get /apps'],
  ],
  [
    'does not give subresources with the resource',
    'update apps deployments',
    ['update apps/deployments'],
    ['update apps/deployments/scale'],
  ],
  [
    'gives a subresource by its name',
    'get core pods/log',
    ['get core/pods/log'],
    ['get core/pods', 'get core/pods/exec'],
  ],
  [
    'gives a subresource of everything that has it',
    'update * */scale',
    ['update apps/deployments/scale', 'update core/replicationcontrollers/scale'],
    ['update apps/deployments', 'update apps/deployments/status', 'update core/scale'],
  ],
  [
    'gives all resources with a star, subresources too',
    'get core *',
    ['get core/pods', 'get core/pods/log'],
    ['get apps/deployments', 'create core/pods'],
  ],
  ['gives all verbs with a star', '* core pods', ['get core/pods', 'impersonate core/pods'], ['get core/nodes']],
  [
    'gives only its names, and nothing to requests without one',
    'get,list,create core configmaps a,b',
    ['get core/configmaps a', 'list core/configmaps b'],
    ['get core/configmaps c', 'list core/configmaps', 'create core/configmaps'],
  ],
  [
    'gives exact paths',
    'get /healthz,/version',
    ['get /healthz', 'get /version'],
    ['get /healthz/', 'get /healthz/ping', 'post /healthz', 'get core/healthz'],
  ],
  [
    'gives what is under a path with a star',
    'get /healthz/*,/api*',
    ['get /healthz/ping', 'get /healthz/', 'get /api', 'get /apis/apps/v1'],
    ['get /healthz', 'get /metrics'],
  ],
  ['gives all paths with a star', '* *', ['get /metrics', 'post /x'], ['get core/pods']],
];

describe('a rule', () => {
  for (const [because, text, allows, refuses] of CASES) {
    it(because, () => {
      const rule = ruleOf(text);
      assert.deepEqual(
        allows.filter((one) => !ruleAllows(rule, asked(one))),
        [],
      );
      assert.deepEqual(
        refuses.filter((one) => ruleAllows(rule, asked(one))),
        [],
      );
    });
  }

  it('that says nothing gives nothing', () => {
    assert.equal(ruleAllows({ verbs: [] }, asked('get core/pods')), false);
    assert.equal(ruleAllows({ verbs: ['*'] }, asked('get /healthz')), false);
    assert.equal(ruleAllows({ verbs: ['*'], resources: ['*'] }, asked('get core/pods')), false);
  });
});
