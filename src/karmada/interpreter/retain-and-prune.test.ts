import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nativeInterpreter, prune } from './index.ts';
import { object } from './testing.ts';

const { retain } = nativeInterpreter;

describe('retain', () => {
  const deployment = (replicas: number, labels?: Record<string, string>) =>
    object('apps/v1', 'Deployment', { spec: { replicas } }, labels ? { labels } : {});
  const keeping = { 'resourcetemplate.karmada.io/retain-replicas': 'true' };

  it('keeps replicas in the member only when the template says so', () => {
    assert.deepEqual(retain(deployment(2), deployment(7))['spec'], { replicas: 2 });
    assert.deepEqual(retain(deployment(2, keeping), deployment(7))['spec'], { replicas: 7 });
    assert.throws(() => retain(deployment(2, keeping), object('apps/v1', 'Deployment', {})), /it has no spec.replicas/);
  });

  it('keeps what the member gave a Pod', () => {
    const desired = object('v1', 'Pod', {
      spec: { containers: [{ name: 'a', image: 'i:2' }, { name: 'b' }], initContainers: [{ name: 'i' }], volumes: [] },
    });
    const observed = object('v1', 'Pod', {
      spec: {
        nodeName: 'n1',
        serviceAccountName: 'default',
        volumes: [{ name: 'token' }],
        containers: [{ name: 'a', image: 'i:1', volumeMounts: [{ name: 'token' }] }],
        initContainers: [{ name: 'i', volumeMounts: [{ name: 'token' }] }],
      },
    });
    assert.deepEqual(retain(desired, observed)['spec'], {
      nodeName: 'n1',
      serviceAccountName: 'default',
      volumes: [{ name: 'token' }],
      containers: [{ name: 'a', image: 'i:2', volumeMounts: [{ name: 'token' }] }, { name: 'b' }],
      initContainers: [{ name: 'i', volumeMounts: [{ name: 'token' }] }],
    });
  });

  it('keeps the addresses of a Service', () => {
    const desired = object('v1', 'Service', { spec: { ports: [] } });
    const observed = object('v1', 'Service', {
      spec: { clusterIP: '10.0.0.1', healthCheckNodePort: 30000, ports: [1] },
    });
    assert.deepEqual(retain(desired, observed)['spec'], {
      ports: [],
      clusterIP: '10.0.0.1',
      healthCheckNodePort: 30000,
    });
    const plain = object('v1', 'Service', { spec: { clusterIP: '', healthCheckNodePort: 0 } });
    assert.deepEqual(retain(desired, plain)['spec'], { ports: [] });
  });

  it('merges the secrets of a ServiceAccount, its own first', () => {
    const desired = object('v1', 'ServiceAccount', { secrets: [{ name: 'own' }, { name: 'both' }] });
    const observed = object('v1', 'ServiceAccount', {
      secrets: [{ name: 'token' }, { name: 'both' }],
      imagePullSecrets: [{ name: 'pull' }],
    });
    const { secrets, imagePullSecrets } = retain(desired, observed);
    assert.deepEqual(secrets, [{ name: 'own' }, { name: 'both' }, { name: 'token' }]);
    assert.deepEqual(imagePullSecrets, [{ name: 'pull' }]);
  });

  it('keeps what volumes and claims are bound to', () => {
    const claim = retain(
      object('v1', 'PersistentVolumeClaim', { spec: {} }),
      object('v1', 'PersistentVolumeClaim', { spec: { volumeName: 'v' } }),
    );
    assert.deepEqual(claim['spec'], { volumeName: 'v' });
    const volume = retain(
      object('v1', 'PersistentVolume', { spec: {} }),
      object('v1', 'PersistentVolume', { spec: { claimRef: { name: 'c' } } }),
    );
    assert.deepEqual(volume['spec'], { claimRef: { name: 'c' } });
  });

  it('keeps the class a member gave a claim that asks for none, and no other', () => {
    const claim = (spec: object) => object('v1', 'PersistentVolumeClaim', { spec });
    const given = claim({ storageClassName: 'standard' });
    assert.deepEqual(retain(claim({}), given)['spec'], { storageClassName: 'standard' });
    assert.deepEqual(retain(claim({ storageClassName: '' }), given)['spec'], { storageClassName: '' });
    assert.deepEqual(retain(claim({ storageClassName: 'fast' }), given)['spec'], { storageClassName: 'fast' });
  });

  it('keeps the selector that was generated for a Job', () => {
    const observed = object('batch/v1', 'Job', {
      spec: { selector: { matchLabels: { uid: '1' } }, template: { metadata: { labels: { uid: '1' } } } },
    });
    assert.deepEqual(retain(object('batch/v1', 'Job', { spec: {} }), observed)['spec'], observed['spec']);
  });

  it('keeps tokens, and no other secrets', () => {
    const secret = (type: string, data?: unknown) => object('v1', 'Secret', { type, ...(data ? { data } : {}) });
    const token = 'kubernetes.io/service-account-token';
    assert.deepEqual(retain(secret(token), secret(token, { token: 'x' }))['data'], { token: 'x' });
    assert.equal(retain(secret('Opaque'), secret('Opaque', { a: 'x' }))['data'], undefined);
  });
});

describe('prune', () => {
  it('takes off what only a server may say', () => {
    const served = object(
      'v1',
      'ConfigMap',
      { data: { a: '1' }, status: {} },
      {
        uid: 'u',
        resourceVersion: '1',
        generation: 2,
        creationTimestamp: 't',
        deletionTimestamp: 't',
        deletionGracePeriodSeconds: 1,
        managedFields: [],
        ownerReferences: [],
        finalizers: ['f'],
        selfLink: 's',
        labels: { a: 'b' },
      },
    );
    assert.deepEqual(prune(served), object('v1', 'ConfigMap', { data: { a: '1' } }, { labels: { a: 'b' } }));
    assert.equal(served.metadata.uid, 'u');
  });

  const cases: [because: string, kind: string, given: Record<string, unknown>, expected: Record<string, unknown>][] = [
    [
      'the address of a Service',
      'Service',
      { spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] } },
      { spec: {} },
    ],
    [
      'but not that it has none',
      'Service',
      { spec: { clusterIP: 'None', clusterIPs: ['None'] } },
      { spec: { clusterIP: 'None', clusterIPs: ['None'] } },
    ],
    [
      'what was generated for a Job, and its time to live',
      'Job',
      {
        spec: {
          ttlSecondsAfterFinished: 5,
          selector: { matchLabels: { 'controller-uid': '1', a: 'b' } },
          template: { metadata: { labels: { 'job-name': 'x', 'batch.kubernetes.io/job-name': 'x', c: 'd' } } },
        },
      },
      { spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { c: 'd' } } } } },
    ],
    [
      'but not what was written by hand',
      'Job',
      { spec: { manualSelector: true, selector: { matchLabels: { 'controller-uid': '1' } } } },
      { spec: { manualSelector: true, selector: { matchLabels: { 'controller-uid': '1' } } } },
    ],
    [
      'the token of a service account',
      'Secret',
      { type: 'kubernetes.io/service-account-token', data: { token: 'x' } },
      { type: 'kubernetes.io/service-account-token' },
    ],
    ['but no other secret', 'Secret', { type: 'Opaque', data: { a: 'x' } }, { type: 'Opaque', data: { a: 'x' } }],
    [
      'the generated secrets of a service account',
      'ServiceAccount',
      { secrets: [{ name: 'x-token-abc' }, { name: 'mine' }] },
      { secrets: [{ name: 'mine' }] },
    ],
  ];
  for (const [because, kind, given, expected] of cases) {
    it(`takes off ${because}`, () => assert.deepEqual(prune(object('v1', kind, given)), object('v1', kind, expected)));
  }

  it('takes off annotations that controllers wrote', () => {
    const annotated = (kind: string, annotations: Record<string, string>) =>
      prune(object('v1', kind, {}, { annotations })).metadata.annotations;
    assert.deepEqual(annotated('Deployment', { 'deployment.kubernetes.io/revision': '1', a: 'b' }), { a: 'b' });
    assert.deepEqual(annotated('PersistentVolumeClaim', { 'volume.kubernetes.io/selected-node': 'n' }), {});
  });
});
