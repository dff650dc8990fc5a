import assert from 'node:assert/strict';
import { it } from 'node:test';
import { unmeasured } from './unmeasured.ts';

const cluster = (name: string, ...served: readonly string[]) => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
  status: { apiEnablements: served.map((groupVersion) => ({ groupVersion })) },
});

it('Clusters without metrics are named, but not those that have not said what they serve', () => {
  const silent = { ...cluster('c'), status: {} };
  assert.deepEqual(
    unmeasured([cluster('b', 'apps/v1'), cluster('a', 'v1'), cluster('d', 'v1', 'metrics.k8s.io/v1beta1'), silent]),
    ['a', 'b'],
  );
});
