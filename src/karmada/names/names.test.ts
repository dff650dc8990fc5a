import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bindingName,
  bindingReferenceKey,
  clusterOfExecutionNamespace,
  dependedByLabel,
  executionNamespace,
  isReservedNamespace,
  policyName,
  workName,
} from './index.ts';

describe('workName', () => {
  const golden: [kind: string, name: string, namespace: string | undefined, expected: string][] = [
    ['Deployment', 'nginx', 'default', 'nginx-687f7fb96f'],
    ['Guestbook', 'guestbook-sample', 'default', 'guestbook-sample-6849fdbd59'],
    ['ClusterRole', 'karmada-impersonator', undefined, 'karmada-impersonator-7cbb6bd5c9'],
    ['ClusterRoleBinding', 'karmada-impersonator', '', 'karmada-impersonator-84f8c8f8c6'],
    ['Namespace', 'cert-manager', undefined, 'cert-manager-674b866f4c'],
  ];
  for (const [kind, name, namespace, expected] of golden) {
    it(`names the Work of ${kind} ${name} as Karmada does`, () =>
      assert.equal(workName(kind, name, namespace), expected));
  }

  it('writes names that other kinds allow in lower case and without colons', () => {
    assert.match(workName('ClusterRole', 'system:Foo'), /^system\.foo-[a-z0-9]+$/);
  });
});

describe('bindingName', () => {
  it('is name and kind in lower case', () => assert.equal(bindingName('Deployment', 'nginx'), 'nginx-deployment'));
  it('replaces colons, which role names allow', () =>
    assert.equal(bindingName('ClusterRole', 'system:foo:bar'), 'system.foo.bar-clusterrole'));
});

describe('execution namespaces', () => {
  it('lead from cluster to namespace and back', () => {
    assert.equal(executionNamespace('m1'), 'karmada-es-m1');
    assert.equal(clusterOfExecutionNamespace('karmada-es-m1'), 'm1');
    assert.equal(clusterOfExecutionNamespace('default'), undefined);
  });

  it('are reserved, as the two namespaces of Karmada itself are', () => {
    assert.deepEqual(
      ['karmada-es-m1', 'karmada-system', 'karmada-cluster', 'default', 'karmada-other'].map(isReservedNamespace),
      [true, true, true, false, false],
    );
  });
});

describe('keys by which objects refer to each other', () => {
  it('hash a binding by namespace and name', () => {
    const key = bindingReferenceKey('nginx-deployment', 'default');
    assert.equal(dependedByLabel('nginx-deployment', 'default'), `resourcebinding.karmada.io/depended-by-${key}`);
    assert.equal(bindingReferenceKey('default/nginx-deployment'), key);
    assert.equal(bindingReferenceKey('b', ''), bindingReferenceKey('b'));
  });

  it('name a promoted policy after its object', () => {
    assert.equal(policyName('rand', 'foo', 'ns-foo'), 'foo-b4978784');
    assert.equal(policyName('rand', 'system:foo', 'ns-foo'), 'system.foo-b4978784');
  });
});
