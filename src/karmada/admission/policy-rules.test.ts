import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countingIds } from '#base/ids.ts';
import { draftOf } from '#base/json.ts';
import type { OverrideSpec, PropagationPolicy, PropagationSpec } from '#karmada/apis/index.ts';
import { defaultOverrideSpec, defaultPropagationSpec, stampPolicy } from './policy-defaults.ts';
import { policyStampProblem, propagationSpecErrors } from './policy-rules.ts';

const selector = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx', namespace: 'default' };

function spec(more: Partial<PropagationSpec> = {}): PropagationSpec {
  return { resourceSelectors: [selector], ...more };
}

function defaulted(given: PropagationSpec, namespace?: string): PropagationSpec {
  const draft = draftOf(given);
  defaultPropagationSpec(draft, namespace);
  return draft;
}

describe('defaults of a propagation policy', () => {
  it('gives selectors the namespace of the policy, and leaves those of a cluster policy open', () => {
    const open = spec({ resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] });
    assert.equal(defaulted(open, 'shop').resourceSelectors[0]?.namespace, 'shop');
    assert.equal(defaulted(open).resourceSelectors[0]?.namespace, undefined);
  });
  it('spreads by cluster, over at least one, when a constraint says nothing', () => {
    const result = defaulted(spec({ placement: { spreadConstraints: [{ maxGroups: 2 }] } }));
    assert.deepEqual(result.placement?.spreadConstraints, [{ maxGroups: 2, spreadByField: 'cluster', minGroups: 1 }]);
  });
  it('divides by weight unless told how', () => {
    const divided = { replicaSchedulingType: 'Divided' } as const;
    const result = defaulted(spec({ placement: { replicaScheduling: divided } }));
    assert.equal(result.placement?.replicaScheduling?.replicaDivisionPreference, 'Weighted');
    const duplicated = { replicaSchedulingType: 'Duplicated' } as const;
    const other = defaulted(spec({ placement: { replicaScheduling: duplicated } }));
    assert.equal(other.placement?.replicaScheduling?.replicaDivisionPreference, undefined);
  });
  it('takes dependencies along with a ServiceImport', () => {
    const kind = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceImport' };
    assert.equal(defaulted(spec({ resourceSelectors: [kind] })).propagateDeps, true);
  });
  it('allows ten minutes for a graceful failover', () => {
    const application = { decisionConditions: { tolerationSeconds: 1 }, purgeMode: 'Gracefully' } as const;
    assert.equal(defaulted(spec({ failover: { application } })).failover?.application?.gracePeriodSeconds, 600);
    const named = { ...application, purgeMode: 'Graciously' } as const;
    assert.equal(defaulted(spec({ failover: { application: named } })).failover?.application?.gracePeriodSeconds, 600);
  });
});

describe('defaults of an override policy', () => {
  const given: OverrideSpec = { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }], overrideRules: [] };

  it('are the namespace of its selectors and the deprecated overriders, empty', () => {
    const draft = draftOf(given);
    defaultOverrideSpec(draft, 'shop');
    assert.equal(draft.resourceSelectors?.[0]?.namespace, 'shop');
    assert.deepEqual(draft.overriders, {});
  });
  it('are none for a cluster override policy', () => {
    const draft = draftOf(given);
    defaultOverrideSpec(draft, undefined);
    assert.deepEqual(draft, given);
  });
});

describe('the stamp of a propagation policy', () => {
  const policy: PropagationPolicy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'nginx', namespace: 'default' },
    spec: spec(),
  };
  const stamped = draftOf(policy);
  stampPolicy(stamped, countingIds());
  const label = 'propagationpolicy.karmada.io/permanent-id';

  it('is a permanent id and a finalizer', () => {
    assert.deepEqual(stamped.metadata.labels, { [label]: '00000000-0000-4000-8000-000000000001' });
    assert.deepEqual(stamped.metadata.finalizers, ['karmada.io/propagation-policy-controller']);
  });
  it('is required, and cannot be changed', () => {
    assert.match(policyStampProblem(policy) ?? '', /^label \S+ is required/);
    assert.equal(policyStampProblem(stamped), undefined);
    const other = draftOf(stamped);
    other.metadata.labels = { [label]: 'mine' };
    assert.match(policyStampProblem(other, stamped) ?? '', /is immutable/);
  });
  it('keeps the scheduler that was chosen', () => {
    const moved = { ...stamped, spec: spec({ schedulerName: 'other' }) };
    assert.equal(policyStampProblem(moved, stamped), 'the schedulerName should not be updated');
  });
});

describe('rules of a propagation policy', () => {
  const application = { decisionConditions: { tolerationSeconds: 1 } };
  const affinity = { affinityName: 'a', clusterNames: ['m1'] };
  const cases: [because: string, spec: PropagationSpec, errors: string[]][] = [
    ['a plain policy is fine', spec(), []],
    [
      'a selector cannot reach into another namespace',
      spec({ resourceSelectors: [{ ...selector, namespace: 'other' }] }),
      [
        'spec.resourceSelectors[0].namespace: Invalid value: "other": namespace of resource selector must be the same as the namespace of the policy',
      ],
    ],
    [
      'one affinity or several',
      spec({ placement: { clusterAffinity: {}, clusterAffinities: [affinity] } }),
      [
        'spec.placement: Invalid value: {"clusterAffinity":{},"clusterAffinities":[{"affinityName":"a","clusterNames":["m1"]}]}: clusterAffinities cannot co-exist with clusterAffinity',
      ],
    ],
    [
      'affinity groups have different names',
      spec({ placement: { clusterAffinities: [affinity, affinity] } }),
      [
        'spec.placement.clusterAffinities: Invalid value: [{"affinityName":"a","clusterNames":["m1"]},{"affinityName":"a","clusterNames":["m1"]}]: each affinity term in a policy must have a unique name',
      ],
    ],
    [
      'fields of a cluster are provider, region and zone',
      spec({
        placement: { clusterAffinity: { fieldSelector: { matchExpressions: [{ key: 'cloud', operator: 'In' }] } } },
      }),
      [
        'spec.placement.clusterAffinity.fieldSelector: Invalid value: {"matchExpressions":[{"key":"cloud","operator":"In"}]}: unsupported key "cloud", must be provider, region, or zone',
      ],
    ],
    [
      'spreading by region needs a number of clusters too',
      spec({ placement: { spreadConstraints: [{ spreadByField: 'region', minGroups: 1 }] } }),
      [
        'spec.placement.spreadConstraints: Invalid value: [{"spreadByField":"region","minGroups":1}]: the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled',
      ],
    ],
    [
      'at most cannot be less than at least',
      spec({ placement: { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 3, maxGroups: 2 }] } }),
      [
        'spec.placement.spreadConstraints[0]: Invalid value: {"spreadByField":"cluster","minGroups":3,"maxGroups":2}: maxGroups lower than minGroups is not allowed',
      ],
    ],
    [
      'overflow needs a division by capacity',
      spec({ placement: { clusterAffinities: [{ ...affinity, overflowAffinities: [{ affinityName: 'b' }] }] } }),
      [
        'spec.placement.clusterAffinities[0].overflowAffinities: Invalid value: [{"affinityName":"b"}]: overflowAffinities can only be used together with dynamic weight or aggregated scheduling',
      ],
    ],
    [
      'tolerations do not compare',
      spec({ placement: { clusterTolerations: [{ key: 'a', operator: 'Gt', value: '1' }] } }),
      [
        'spec.placement.clusterTolerations[0].operator: Unsupported value: "Gt": supported values: "", "Exists", "Equal"',
      ],
    ],
    [
      'application failover takes dependencies along',
      spec({ failover: { application } }),
      ['spec.propagateDeps: Invalid value: false: application failover is set, propagateDeps must be true'],
    ],
    [
      'a grace period belongs to a graceful purge',
      spec({
        propagateDeps: true,
        failover: { application: { ...application, purgeMode: 'Directly', gracePeriodSeconds: 5 } },
      }),
      [
        'spec.failover.application.gracePeriodSeconds: Invalid value: 5: only takes effect when purgeMode is gracefully',
      ],
    ],
    [
      'preemption names its templates',
      spec({ preemption: 'Always', resourceSelectors: [{ apiVersion: 'v1', kind: 'Secret', namespace: 'default' }] }),
      [
        'spec.resourceSelectors[0].name: Invalid value: "": name cannot be empty if preemption is Always, the empty name may cause unexpected resources preemption',
      ],
    ],
    [
      'dispatching is suspended everywhere or somewhere',
      spec({ suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: ['m1'] } } }),
      [
        'spec.suspension.suspension: Invalid value: {"dispatching":true,"dispatchingOnClusters":{"clusterNames":["m1"]}}: suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames',
      ],
    ],
  ];
  for (const [because, given, errors] of cases) {
    it(because, () => {
      const found = propagationSpecErrors(given, 'default').map(({ field, message }) => `${field}: ${message}`);
      assert.deepEqual(found, errors);
    });
  }
});
