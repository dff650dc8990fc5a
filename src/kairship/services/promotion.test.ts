import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { references, template } from './promotion.ts';

const metadata = {
  name: 'web',
  namespace: 'shop',
  labels: { app: 'web' },
  uid: 'u',
  resourceVersion: '7',
  generation: 3,
  creationTimestamp: '2026-01-01T00:00:00Z',
  managedFields: [],
  ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'y' }],
  annotations: {
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
    'deployment.kubernetes.io/revision': '4',
    team: 'blue',
  },
};

describe('A template of what runs in a member', () => {
  it('is the manifest without what the cluster added', () => {
    const spec = { replicas: 2 };
    const made = template({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec, status: { replicas: 2 } });
    assert.deepEqual(made, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' }, annotations: { team: 'blue' } },
      spec,
    });
  });

  it('of a service leaves its addresses, which are of one cluster', () => {
    const spec = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], healthCheckNodePort: 1, type: 'ClusterIP' };
    const made = template({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec });
    assert.deepEqual(made['spec'], { type: 'ClusterIP' });
    const other = template({ apiVersion: 'example.io/v1', kind: 'Widget', metadata: { name: 'web' }, spec });
    assert.deepEqual(other['spec'], spec);
  });
});

describe('What a workload cannot start without', () => {
  const named = (spec: unknown) =>
    references({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec })
      .map(({ kind, name }) => `${kind.kind}/${name}`)
      .toSorted();

  it('are the config maps and secrets of its volumes, variables and registries, each once', () => {
    const spec = {
      template: {
        spec: {
          imagePullSecrets: [{ name: 'registry' }],
          volumes: [
            { name: 'a', configMap: { name: 'settings' } },
            { name: 'b', secret: { secretName: 'keys' } },
            { name: 'c', projected: { sources: [{ configMap: { name: 'extra' } }] } },
          ],
          containers: [
            {
              name: 'web',
              envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'login' } }],
              env: [
                { name: 'X', valueFrom: { configMapKeyRef: { name: 'single', key: 'x' } } },
                { name: 'Y', valueFrom: { secretKeyRef: { name: 'keys', key: 'y' } } },
              ],
            },
          ],
        },
      },
    };
    assert.deepEqual(named(spec), [
      'ConfigMap/extra',
      'ConfigMap/settings',
      'ConfigMap/single',
      'Secret/keys',
      'Secret/login',
      'Secret/registry',
    ]);
  });

  it('are nothing when it refers to nothing, or to nothing by name', () => {
    assert.deepEqual(named(undefined), []);
    assert.deepEqual(named({ volumes: [{ configMap: {} }, { emptyDir: {} }] }), []);
  });

  it('is not what it may do without, unless something else needs it', () => {
    const env = (name: string, optional: boolean) => ({ configMapRef: { name, optional } });
    const containers = [{ name: 'a', envFrom: [env('extra', true), env('both', true), env('both', false)] }];
    const spec = {
      template: { spec: { containers, volumes: [{ name: 'v', secret: { secretName: 'maybe', optional: true } }] } },
    };
    const found = references({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
    assert.deepEqual(
      found.filter(({ optional }) => optional).map(({ name }) => name),
      ['extra', 'maybe'],
    );
  });
});
