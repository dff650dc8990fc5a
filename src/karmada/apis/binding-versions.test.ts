import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertBinding } from './binding-versions.ts';

const NEW = {
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: { name: 'web-deployment', namespace: 'default', labels: { a: 'b' } },
  spec: {
    resource: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'default',
      name: 'web',
      uid: '1',
      resourceVersion: '7',
    },
    replicas: 3,
    replicaRequirements: { resourceRequest: { cpu: '100m' }, nodeClaim: { nodeSelector: { a: 'b' } } },
    clusters: [{ name: 'm1', replicas: 3 }],
    placement: { clusterAffinity: { clusterNames: ['m1'] } },
  },
  status: {
    schedulerObservedGeneration: 2,
    conditions: [{ type: 'Scheduled', status: 'True' }],
    aggregatedStatus: [{ clusterName: 'm1', applied: true, status: { replicas: 3 }, health: 'Healthy' }],
  },
};

const OLD = {
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'ResourceBinding',
  metadata: NEW.metadata,
  spec: {
    resource: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'default',
      name: 'web',
      resourceVersion: '7',
      resourcePerReplicas: { cpu: '100m' },
      replicas: 3,
    },
    clusters: [{ name: 'm1', replicas: 3 }],
  },
  status: {
    conditions: [{ type: 'Scheduled', status: 'True' }],
    aggregatedStatus: [{ clusterName: 'm1', status: { replicas: 3 }, applied: true }],
  },
};

describe('a binding in its old version', () => {
  it('has replicas and requests with the template, and no placement', () => {
    assert.deepEqual(convertBinding(NEW, 'work.karmada.io/v1alpha1'), OLD);
  });

  it('is what the new one says of it, when it comes back', () => {
    const { placement: _placement, ...spec } = NEW.spec;
    const { uid: _uid, ...resource } = spec.resource;
    assert.deepEqual(convertBinding(OLD, 'work.karmada.io/v1alpha2'), {
      ...NEW,
      spec: { ...spec, resource, replicaRequirements: { resourceRequest: { cpu: '100m' } } },
      status: OLD.status,
    });
  });

  it('without replicas, clusters or status has none in either version', () => {
    const bare = { ...NEW, spec: { resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'c' } }, status: undefined };
    const old = convertBinding(bare, 'work.karmada.io/v1alpha1');
    assert.deepEqual(old['spec'], bare.spec);
    assert.deepEqual(convertBinding(old, 'work.karmada.io/v1alpha2')['spec'], bare.spec);
    assert.equal('status' in old, false);
  });

  it('is the very same in the version it has', () => {
    assert.equal(convertBinding(NEW, 'work.karmada.io/v1alpha2'), NEW);
  });
});
