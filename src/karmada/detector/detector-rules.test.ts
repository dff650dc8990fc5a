import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyBinding, ClusterPropagationPolicy, PropagationPolicy, PropagationSpec } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { desiredBinding, mergedBinding } from './build-binding.ts';
import { claimed, claimOf, isClaimedBy, unclaimed } from './claim.ts';
import { changedByKarmada, isPropagatable, isTemplateNamespace, specificationChanged } from './event-filter.ts';
import { matchPolicy, preempts } from './match-policy.ts';

const template: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'nginx', namespace: 'default', uid: 'u1', resourceVersion: '7', labels: { app: 'nginx' } },
  spec: { replicas: 2 },
};
const byName = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' };
const byLabel = { apiVersion: 'apps/v1', kind: 'Deployment', labelSelector: { matchLabels: { app: 'nginx' } } };
const all = { apiVersion: 'apps/v1', kind: 'Deployment' };

function policy(name: string, spec: Partial<PropagationSpec> = {}, namespace = 'default'): PropagationPolicy {
  const labels = { 'propagationpolicy.karmada.io/permanent-id': `id-${name}` };
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace, labels },
    spec: { resourceSelectors: [byName], ...spec },
  };
}

function clusterPolicy(name: string, spec: Partial<PropagationSpec> = {}): ClusterPropagationPolicy {
  const labels = { 'clusterpropagationpolicy.karmada.io/permanent-id': `id-${name}` };
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { name, labels },
    spec: { resourceSelectors: [byName], ...spec },
  };
}

describe('R58: the policy of a template', () => {
  const cases: [
    because: string,
    policies: PropagationPolicy[],
    cluster: ClusterPropagationPolicy[],
    chosen: string | undefined,
  ][] = [
    ['no policy, no choice', [], [], undefined],
    ['a policy beats a cluster policy of any priority', [policy('p')], [clusterPolicy('c', { priority: 9 })], 'p'],
    [
      'a greater priority wins over a closer selector',
      [policy('name'), policy('all', { resourceSelectors: [all], priority: 1 })],
      [],
      'all',
    ],
    ['a name is closer than labels', [policy('a', { resourceSelectors: [byLabel] }), policy('b')], [], 'b'],
    [
      'labels are closer than nothing',
      [policy('a', { resourceSelectors: [all] }), policy('b', { resourceSelectors: [byLabel] })],
      [],
      'b',
    ],
    ['all else equal, the alphabet decides', [policy('b'), policy('a')], [], 'a'],
    ['a policy of another namespace is none', [policy('p', {}, 'other')], [], undefined],
    [
      'the apiVersion must be the same',
      [policy('p', { resourceSelectors: [{ ...byName, apiVersion: 'apps/v1beta1' }] })],
      [],
      undefined,
    ],
  ];
  for (const [because, policies, cluster, chosen] of cases) {
    it(because, () => assert.equal(matchPolicy(template, policies, cluster).policy?.metadata.name, chosen));
  }
  it('is not one that is being deleted', () => {
    const going = policy('p');
    const deleted = { ...going, metadata: { ...going.metadata, deletionTimestamp: 'now' } };
    assert.equal(matchPolicy(template, [deleted], []).policy, undefined);
  });
  it('comes with everything that was considered', () => {
    const choice = matchPolicy(template, [policy('b'), policy('a')], [clusterPolicy('c')]);
    assert.deepEqual(
      choice.candidates.map((each) => each.policy.metadata.name),
      ['a', 'b', 'c'],
    );
  });
  it('can be preempted by a greater priority, and a cluster policy by any policy', () => {
    assert.equal(preempts(policy('a', { priority: 2 }), policy('b', { priority: 1 })), true);
    assert.equal(preempts(policy('a', { priority: 1 }), policy('b', { priority: 1 })), false);
    assert.equal(preempts(policy('a'), clusterPolicy('c', { priority: 5 })), true);
    assert.equal(preempts(clusterPolicy('c', { priority: 5 }), policy('a')), false);
  });
});

describe('a claim', () => {
  it('is a label with the id and annotations with the name, and can be read back', () => {
    const object = claimed(template, policy('p'));
    assert.deepEqual(object.metadata.annotations, {
      'propagationpolicy.karmada.io/namespace': 'default',
      'propagationpolicy.karmada.io/name': 'p',
    });
    assert.deepEqual(claimOf(object), { kind: 'PropagationPolicy', namespace: 'default', name: 'p', id: 'id-p' });
    assert.equal(isClaimedBy(object, policy('p')), true);
    assert.equal(claimOf(unclaimed(object, 'PropagationPolicy')), undefined);
  });
  it('of a policy replaces that of a cluster policy', () => {
    const before = claimed(template, clusterPolicy('c'));
    assert.equal(claimOf(before)?.kind, 'ClusterPropagationPolicy');
    const after = claimed(before, policy('p'));
    assert.deepEqual(after.metadata.labels, { app: 'nginx', 'propagationpolicy.karmada.io/permanent-id': 'id-p' });
    assert.equal(isClaimedBy(before, policy('p')), false);
  });
});

describe('the binding of a template', () => {
  const input = { template, policy: policy('p', { schedulerName: 's', placement: {} }), demand: { replicas: 2 } };
  const desired = desiredBinding(input);

  it('is named after it, owned by it and refers to it', () => {
    assert.deepEqual(desired, {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: {
        name: 'nginx-deployment',
        namespace: 'default',
        labels: { 'propagationpolicy.karmada.io/permanent-id': 'id-p' },
        annotations: {
          'propagationpolicy.karmada.io/namespace': 'default',
          'propagationpolicy.karmada.io/name': 'p',
        },
        finalizers: ['karmada.io/binding-controller'],
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'nginx',
            uid: 'u1',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        resource: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          namespace: 'default',
          name: 'nginx',
          uid: 'u1',
          resourceVersion: '7',
        },
        placement: {},
        schedulerName: 's',
        replicas: 2,
      },
    });
  });
  it('keeps what others wrote on the existing one', () => {
    const existing = {
      ...desired,
      metadata: {
        ...desired.metadata,
        labels: { ...desired.metadata.labels, 'resourcebinding.karmada.io/permanent-id': 'rb' },
      },
      spec: {
        ...desired.spec,
        clusters: [{ name: 'm1', replicas: 2 }],
        suspension: { scheduling: true, dispatching: true },
      },
    } as AnyBinding;
    const next = mergedBinding(existing, desiredBinding({ ...input, demand: { replicas: 5 } }));
    assert.deepEqual(next.spec.clusters, [{ name: 'm1', replicas: 2 }]);
    assert.equal(next.spec.replicas, 5);
    assert.deepEqual(next.spec.suspension, { scheduling: true });
    assert.equal(next.metadata.labels?.['resourcebinding.karmada.io/permanent-id'], 'rb');
  });
  it('is not taken over from a template of the same name that is gone', () => {
    const renewed = desiredBinding({
      ...input,
      template: { ...template, metadata: { ...template.metadata, uid: 'u2' } },
    });
    assert.throws(() => mergedBinding(desired, renewed), /different owner reference UID/);
  });
  it('of a cluster-scoped template is a ClusterResourceBinding', () => {
    const role: KubeObject = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:x' },
    };
    const binding = desiredBinding({ template: role, policy: clusterPolicy('c'), demand: {} });
    assert.equal(binding.kind, 'ClusterResourceBinding');
    assert.equal(binding.metadata.name, 'system.x-clusterrole');
    assert.deepEqual(binding.metadata.finalizers, ['karmada.io/cluster-resource-binding-controller']);
  });
});

describe('events of templates', () => {
  const changed = (more: object) => ({ ...template, ...more });
  it('are ignored when only status or bookkeeping changed', () => {
    const metadata = { ...template.metadata, resourceVersion: '8', managedFields: [] };
    assert.equal(specificationChanged(template, changed({ status: { replicas: 1 }, metadata })), false);
    assert.equal(specificationChanged(template, changed({ spec: { replicas: 3 } })), true);
  });
  it("are Karmada's own when only its marks and the generation changed", () => {
    const metadata = { ...template.metadata, generation: 2, annotations: { 'propagationpolicy.karmada.io/name': 'p' } };
    assert.equal(changedByKarmada(template, changed({ metadata })), true);
    assert.equal(changedByKarmada(template, changed({ metadata: { ...metadata, labels: { app: 'other' } } })), false);
  });
  it('do not come from reserved or skipped namespaces', () => {
    const verdicts = ['default', 'karmada-es-m1', 'karmada-system', 'kube-system', undefined].map((each) =>
      isTemplateNamespace(each),
    );
    assert.deepEqual(verdicts, [true, false, false, false, true]);
  });
  it('do not come from bookkeeping resources', () => {
    const verbs = ['list', 'watch', 'delete'];
    const of = (group: string, resource: string) => isPropagatable({ group, version: 'v1', resource, verbs });
    assert.deepEqual(
      [
        of('apps', 'deployments'),
        of('', 'events'),
        of('work.karmada.io', 'works'),
        of('coordination.k8s.io', 'leases'),
      ],
      [true, false, false, false],
    );
    assert.equal(isPropagatable({ group: '', version: 'v1', resource: 'bindings', verbs: ['create'] }), false);
  });
});
