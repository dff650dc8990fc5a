import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyPropagationPolicy } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { leadsTo, templateLabels } from '../workload-parts.ts';
import { inheritedPolicy, leadingTo } from './workload-service.ts';

const workload: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { template: { metadata: { labels: { app: 'web', tier: 'front' } } } },
};
const service = (spec: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'made', namespace: 'shop' },
  spec,
});

describe('A service for a workload', () => {
  it('leads to the pods of the workload unless it says otherwise', () => {
    assert.deepEqual(leadingTo(workload, service({ ports: [] }))['spec'], {
      ports: [],
      selector: { app: 'web', tier: 'front' },
    });
    const own = service({ selector: { app: 'other' } });
    assert.equal(leadingTo(workload, own), own);
  });

  it('may go to all clusters the workload may go to, and is not divided', () => {
    const clusterAffinity = { clusterNames: ['a', 'b'] };
    const clusterTolerations = [{ operator: 'Exists' }];
    const policy: AnyPropagationPolicy = {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterPropagationPolicy',
      metadata: { name: 'all' },
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
        propagateDeps: true,
        schedulerName: 'mine',
        placement: {
          clusterAffinity,
          clusterTolerations,
          spreadConstraints: [{ spreadByField: 'cluster', maxGroups: 1 }],
          replicaScheduling: { replicaSchedulingType: 'Divided' },
        },
      },
    };
    assert.deepEqual(inheritedPolicy(policy, service({})), {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { namespace: 'shop', name: 'made-service' },
      spec: {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'Service', name: 'made' }],
        placement: { clusterAffinity, clusterTolerations },
        schedulerName: 'mine',
      },
    });
  });
});

describe('A service', () => {
  it('leads to pods that have every label of its selector', () => {
    const labels = templateLabels(workload);
    assert.equal(leadsTo(service({ selector: { app: 'web' } }), labels), true);
    assert.equal(leadsTo(service({ selector: { app: 'web', tier: 'back' } }), labels), false);
    assert.equal(leadsTo(service({ selector: { app: 'web' } }), undefined), false);
  });

  it('leads to nothing without a selector', () => {
    assert.equal(leadsTo(service({}), { app: 'web' }), false);
  });
});
