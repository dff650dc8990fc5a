import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cluster, ClusterAffinity, ResourceSelector, Toleration } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { closestMatch, clusterMatches, clusterMismatch, taintText, tolerates, untoleratedTaint } from './index.ts';

const cluster: Cluster = {
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'm1', labels: { tier: 'dr', env: 'prod' } },
  spec: { syncMode: 'Push', provider: 'aws', region: 'eu', zones: ['a', 'b'] },
};

describe('clusterMismatch', () => {
  const field = (key: string, operator: string, ...values: string[]): ClusterAffinity => ({
    fieldSelector: { matchExpressions: [{ key, operator, values }] },
  });
  const cases: [because: string, affinity: ClusterAffinity, mismatch: string | undefined][] = [
    ['an empty affinity asks for every cluster', {}, undefined],
    ['a name among those named matches', { clusterNames: ['m1', 'm2'] }, undefined],
    ['a name that is not named does not', { clusterNames: ['m2'] }, 'not among the clusters named'],
    ['exclusion wins over naming', { clusterNames: ['m1'], exclude: ['m1'] }, 'excluded by name'],
    ['labels match', { labelSelector: { matchLabels: { env: 'prod' } } }, undefined],
    [
      'a wrong label is named with what was found',
      { labelSelector: { matchLabels: { env: 'prod', tier: 'prod' } } },
      'label tier=prod required, cluster has tier=dr',
    ],
    [
      'a missing label too',
      { labelSelector: { matchExpressions: [{ key: 'gpu', operator: 'Exists' }] } },
      'label gpu required, cluster has none',
    ],
    [
      'a selector that cannot be read matches nothing',
      { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
      'the label selector cannot be read',
    ],
    [
      'labels and names must agree',
      { labelSelector: { matchLabels: { env: 'prod' } }, clusterNames: ['m2'] },
      'not among the clusters named',
    ],
    ['a provider matches', field('provider', 'In', 'aws', 'gcp'), undefined],
    ['a provider does not', field('provider', 'NotIn', 'aws'), 'provider≠aws required, cluster has aws'],
    ['a region does not', field('region', 'In', 'us', 'ap'), 'region in (us, ap) required, cluster has eu'],
    ['one zone in common is enough', field('zone', 'In', 'b', 'c'), undefined],
    ['one zone to avoid is enough', field('zone', 'NotIn', 'b'), 'zone≠b required, cluster has a, b'],
    ['zones exist', field('zone', 'Exists'), undefined],
    ['zones must not exist', field('zone', 'DoesNotExist'), 'no zone required, cluster has a, b'],
    ['an unknown field has no value', field('planet', 'In', 'earth'), 'planet=earth required, cluster has none'],
    ['an unknown operator matches nothing', field('region', 'Gt', '1'), 'region Gt 1 required, cluster has eu'],
  ];
  for (const [because, affinity, mismatch] of cases) {
    it(because, () => {
      assert.equal(clusterMismatch(cluster, affinity), mismatch);
      assert.equal(clusterMatches(cluster, affinity), mismatch === undefined);
    });
  }
});

describe('closestMatch', () => {
  const nginx: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'nginx', namespace: 'default', labels: { app: 'nginx' } },
  };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
  const cases: [because: string, selectors: ResourceSelector[], closeness: number][] = [
    ['all of a kind', [deployment], 1],
    ['the version is compared letter by letter', [{ ...deployment, apiVersion: 'apps/v1beta1' }], 0],
    ['by labels', [{ ...deployment, labelSelector: { matchLabels: { app: 'nginx' } } }], 2],
    ['by other labels', [{ ...deployment, labelSelector: { matchLabels: { app: 'redis' } } }], 0],
    ['by name', [{ ...deployment, name: 'nginx' }], 3],
    ['a name makes labels moot', [{ ...deployment, name: 'nginx', labelSelector: { matchLabels: { app: 'x' } } }], 3],
    ['another namespace', [{ ...deployment, namespace: 'other', name: 'nginx' }], 0],
    ['the closest of several counts', [deployment, { ...deployment, name: 'nginx' }, deployment], 3],
    ['no selector means nothing', [], 0],
  ];
  for (const [because, selectors, closeness] of cases) {
    it(because, () => assert.equal(closestMatch(nginx, selectors), closeness));
  }
});

describe('tolerations', () => {
  const taint = { key: 'edge', value: 'true', effect: 'NoSchedule' } as const;
  const cases: [because: string, toleration: Toleration, tolerated: boolean][] = [
    ['the same key, value and effect', { key: 'edge', value: 'true', effect: 'NoSchedule' }, true],
    ['Equal is the default operator', { key: 'edge', value: 'false' }, false],
    ['Exists does not look at the value', { key: 'edge', operator: 'Exists' }, true],
    ['no key with Exists tolerates everything', { operator: 'Exists' }, true],
    ['another effect', { key: 'edge', operator: 'Exists', effect: 'NoExecute' }, false],
    ['another key', { key: 'other', operator: 'Exists' }, false],
    ['an unknown operator', { key: 'edge', operator: 'Lt', value: 'true' }, false],
  ];
  for (const [because, toleration, tolerated] of cases) {
    it(because, () => assert.equal(tolerates(toleration, taint), tolerated));
  }

  it('finds the first taint of the effects asked for that nobody tolerates', () => {
    const soft = { key: 'soft', effect: 'PreferNoSchedule' } as const;
    assert.equal(untoleratedTaint([soft], [], ['NoSchedule', 'NoExecute']), undefined);
    assert.equal(untoleratedTaint([soft, taint], [], ['NoSchedule']), taint);
    assert.equal(untoleratedTaint([taint], [{ operator: 'Exists' }], ['NoSchedule']), undefined);
    assert.equal(untoleratedTaint(undefined, undefined, ['NoSchedule']), undefined);
  });

  it('are printed as Kubernetes prints them', () => {
    assert.equal(taintText(taint), 'edge=true:NoSchedule');
    assert.equal(taintText({ key: 'k', effect: 'NoExecute' }), 'k:NoExecute');
  });
});
