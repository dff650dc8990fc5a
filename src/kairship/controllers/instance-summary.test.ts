import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Cluster } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { instanceSummary, isReady } from './instance-summary.ts';

function cluster(name: string, ready: boolean, nodes: number, cpu: string): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: { syncMode: 'Push' },
    status: {
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
      nodeSummary: { totalNum: nodes, readyNum: nodes },
      resourceSummary: { allocatable: { cpu }, allocated: { cpu: '500m' } },
    },
  } as unknown as Cluster;
}

const nothing = { resources: {}, policies: {}, workloads: {} };

describe('R22, R23: the numbers of an instance', () => {
  it('are the sums of its members', () => {
    const summary = instanceSummary({
      ...nothing,
      clusters: [cluster('a', true, 3, '8'), cluster('b', true, 2, '1500m')],
    });
    assert.deepEqual(summary.clusterSummary, { totalNum: 2, readyNum: 2 });
    assert.deepEqual(summary.nodeSummary, { totalNum: 5, readyNum: 5 });
    assert.deepEqual(summary.resourceSummary, { allocatable: { cpu: '9500m' }, allocated: { cpu: '1' } });
    assert.equal(summary.staleClusters, undefined);
  });

  it('keep what was last known of a member that is gone, and say so', () => {
    const summary = instanceSummary({
      ...nothing,
      clusters: [cluster('a', true, 3, '8'), cluster('b', false, 2, '4')],
    });
    assert.deepEqual(summary.clusterSummary, { totalNum: 2, readyNum: 1 });
    assert.equal(summary.nodeSummary.totalNum, 5);
    assert.deepEqual(summary.staleClusters, ['b']);
  });

  it('add up whatever the order', () => {
    const sizes = fc.array(fc.record({ nodes: fc.nat(100), cpu: fc.nat(64_000), ready: fc.boolean() }));
    fc.assert(
      fc.property(sizes, (given) => {
        const clusters = given.map(({ nodes, cpu, ready }, at) => cluster(`c${at}`, ready, nodes, `${cpu}m`));
        const one = instanceSummary({ ...nothing, clusters });
        const other = instanceSummary({ ...nothing, clusters: clusters.toReversed() });
        assert.deepEqual(one, other);
        assert.equal(
          one.nodeSummary.totalNum,
          given.reduce((sum, { nodes }) => sum + nodes, 0),
        );
      }),
      { seed: 22, numRuns: 100 },
    );
  });

  it('count workloads that have what they ask for as ready', () => {
    const object = (kind: string, spec: object, status: object) =>
      ({ apiVersion: 'apps/v1', kind, metadata: { name: 'x' }, spec, status }) as KubeObject;
    assert.equal(isReady(object('Deployment', { replicas: 2 }, { readyReplicas: 2 })), true);
    assert.equal(isReady(object('Deployment', { replicas: 2 }, { readyReplicas: 1 })), false);
    assert.equal(isReady(object('StatefulSet', {}, {})), false);
    assert.equal(isReady(object('DaemonSet', {}, { desiredNumberScheduled: 3, numberReady: 2 })), false);
    assert.equal(isReady(object('Job', {}, { succeeded: 1 })), true);
  });
});
