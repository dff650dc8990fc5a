import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasReason } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { chain, nativeInterpreter, type ResourceInterpreter } from './index.ts';
import { object } from './testing.ts';

const workload = (kind: string, spec: Record<string, unknown>, meta = {}) =>
  object(kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1', kind, { spec }, meta);
const pods = (spec: Record<string, unknown>) => ({ template: { spec } });
const needing = (requests: Record<string, string>, limits: Record<string, string> = {}) => ({
  resources: { requests, limits },
});

describe('replicas', () => {
  const cases: [because: string, template: KubeObject, replicas: number][] = [
    ['a Deployment', workload('Deployment', { replicas: 3 }), 3],
    ['one that does not say', workload('Deployment', {}), 0],
    ['a StatefulSet', workload('StatefulSet', { replicas: 2 }), 2],
    ['a ReplicaSet', workload('ReplicaSet', { replicas: 2 }), 2],
    ['a Job runs as many as it may at once', workload('Job', { parallelism: 4 }), 4],
    ['but no more than are to complete', workload('Job', { parallelism: 4, completions: 2 }), 2],
    ['a Job that does not say', workload('Job', { completions: 2 }), 0],
    ['a Pod is one', object('v1', 'Pod', { spec: {} }), 1],
  ];
  for (const [because, template, replicas] of cases) {
    it(because, () => assert.equal(nativeInterpreter.replicas(template).replicas, replicas));
  }
});

describe('requirements', () => {
  const cases: [because: string, podSpec: Record<string, unknown>, expected: unknown][] = [
    ['nothing asked for, nothing required', { containers: [{ name: 'c' }] }, undefined],
    [
      'containers add up',
      { containers: [needing({ cpu: '500m', memory: '1Gi' }), needing({ cpu: '1' })] },
      { resourceRequest: { cpu: '1500m', memory: '1Gi' } },
    ],
    ['a limit stands in for a request', { containers: [needing({}, { cpu: '2' })] }, { resourceRequest: { cpu: '2' } }],
    [
      'the greatest init container counts',
      { containers: [needing({ cpu: '1' })], initContainers: [needing({ cpu: '3' }), needing({ memory: '64Mi' })] },
      { resourceRequest: { cpu: '3', memory: '64Mi' } },
    ],
    [
      'overhead comes on top',
      { containers: [needing({ cpu: '1' })], overhead: { cpu: '250m' } },
      { resourceRequest: { cpu: '1250m' } },
    ],
    [
      'devices count, unknown names do not',
      { containers: [needing({ 'nvidia.com/gpu': '1', storage: '1Gi' })] },
      { resourceRequest: { 'nvidia.com/gpu': '1' } },
    ],
    [
      'nodes may be asked for',
      { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] },
      { nodeClaim: { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] } },
    ],
    [
      'only hard affinity counts',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
            preferredDuringSchedulingIgnoredDuringExecution: [],
          },
        },
      },
      { nodeClaim: { hardNodeAffinity: { nodeSelectorTerms: [] } } },
    ],
  ];
  for (const [because, podSpec, expected] of cases) {
    it(because, () =>
      assert.deepEqual(nativeInterpreter.replicas(workload('Deployment', pods(podSpec))).requirements, expected),
    );
  }
});

describe('reviseReplica', () => {
  it('sets what the kind counts by', () => {
    assert.deepEqual(nativeInterpreter.reviseReplica(workload('Deployment', { replicas: 1 }), 5)['spec'], {
      replicas: 5,
    });
    assert.deepEqual(nativeInterpreter.reviseReplica(workload('Job', { parallelism: 1 }), 5)['spec'], {
      parallelism: 5,
    });
  });
  it('leaves a template alone that does not say how many', () => {
    const template = workload('StatefulSet', {});
    assert.equal(nativeInterpreter.reviseReplica(template, 5), template);
  });
  it('does not change the template', () => {
    const template = workload('Deployment', { replicas: 1 });
    nativeInterpreter.reviseReplica(template, 5);
    assert.deepEqual(template['spec'], { replicas: 1 });
  });
});

describe('health', () => {
  const status = (kind: string, of: Record<string, unknown>, spec: Record<string, unknown> = { replicas: 2 }) => ({
    ...workload(kind, spec, { generation: 3 }),
    status: { observedGeneration: 3, ...of },
  });
  const ready = [{ type: 'Ready', status: 'True' }];
  const cases: [because: string, observed: KubeObject, healthy: boolean][] = [
    ['a Deployment that is up', status('Deployment', { updatedReplicas: 2, availableReplicas: 2 }), true],
    [
      'one not observed yet',
      status('Deployment', { observedGeneration: 2, updatedReplicas: 2, availableReplicas: 2 }),
      false,
    ],
    ['one that is rolling out', status('Deployment', { updatedReplicas: 1, availableReplicas: 2 }), false],
    ['one with pods that are not available', status('Deployment', { updatedReplicas: 2, availableReplicas: 1 }), false],
    ['one of no replicas', status('Deployment', {}, { replicas: 0 }), true],
    ['a StatefulSet that is up', status('StatefulSet', { updatedReplicas: 2, availableReplicas: 2 }), true],
    ['a ReplicaSet that is up', status('ReplicaSet', { availableReplicas: 2 }), true],
    ['a ReplicaSet that is not', status('ReplicaSet', { availableReplicas: 1 }), false],
    [
      'a DaemonSet that is up',
      status('DaemonSet', { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 }),
      true,
    ],
    [
      'a DaemonSet that is not',
      status('DaemonSet', { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 }),
      false,
    ],
    ['a Service inside the cluster', object('v1', 'Service', { spec: { type: 'ClusterIP' } }), true],
    ['a load balancer without an address', object('v1', 'Service', { spec: { type: 'LoadBalancer' } }), false],
    [
      'a load balancer with one',
      object('v1', 'Service', {
        spec: { type: 'LoadBalancer' },
        status: { loadBalancer: { ingress: [{ ip: '1.1.1.1' }] } },
      }),
      true,
    ],
    ['an Ingress without an address', object('networking.k8s.io/v1', 'Ingress', {}), false],
    ['a claim that is bound', object('v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }), true],
    ['a claim that is not', object('v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }), false],
    ['a Pod that is done', object('v1', 'Pod', { status: { phase: 'Succeeded' } }), true],
    ['a Pod that is ready', object('v1', 'Pod', { status: { phase: 'Running', conditions: ready } }), true],
    ['a Pod that runs but is not ready', object('v1', 'Pod', { status: { phase: 'Running' } }), false],
    [
      'a budget that is kept',
      object('policy/v1', 'PodDisruptionBudget', { status: { currentHealthy: 2, desiredHealthy: 2 } }),
      true,
    ],
    [
      'a budget that is not',
      object('policy/v1', 'PodDisruptionBudget', { status: { currentHealthy: 1, desiredHealthy: 2 } }),
      false,
    ],
  ];
  for (const [because, observed, healthy] of cases) {
    it(because, () => assert.equal(nativeInterpreter.health(observed), healthy ? 'Healthy' : 'Unhealthy'));
  }
});

describe('reflectStatus', () => {
  const generations = { generation: 4, annotations: { 'resourcetemplate.karmada.io/generation': '2' } };
  const cases: [because: string, observed: KubeObject, expected: unknown][] = [
    [
      'a workload says which template it comes from',
      { ...workload('Deployment', {}, generations), status: { observedGeneration: 4, replicas: 2, conditions: [1] } },
      { generation: 4, resourceTemplateGeneration: 2, observedGeneration: 4, replicas: 2 },
    ],
    [
      'a StatefulSet does not say what it observed',
      { ...workload('StatefulSet', {}, generations), status: { observedGeneration: 4, replicas: 2 } },
      { generation: 4, resourceTemplateGeneration: 2, replicas: 2, availableReplicas: 0 },
    ],
    ['nothing without a status', workload('Deployment', {}, generations), undefined],
    [
      'nothing of a Service inside the cluster',
      object('v1', 'Service', { spec: { type: 'ClusterIP' }, status: { loadBalancer: {} } }),
      undefined,
    ],
    [
      'the addresses of a load balancer',
      object('v1', 'Service', {
        spec: { type: 'LoadBalancer' },
        status: { loadBalancer: { ingress: [] }, conditions: [] },
      }),
      { loadBalancer: { ingress: [] } },
    ],
    [
      'what is aggregated of a Job',
      { ...workload('Job', {}), status: { active: 1, ready: 1, succeeded: 0, startTime: 't' } },
      { active: 1, startTime: 't' },
    ],
    ['everything of a kind it does not know', object('x.io/v1', 'Thing', { status: { a: { b: 1 } } }), { a: { b: 1 } }],
  ];
  for (const [because, observed, expected] of cases) {
    it(because, () => assert.deepEqual(nativeInterpreter.reflectStatus(observed), expected));
  }
});

describe('dependencies', () => {
  const names = (template: KubeObject) =>
    nativeInterpreter.dependencies(template).map(({ kind, name }) => `${kind}/${name}`);
  const pod = {
    serviceAccountName: 'runner',
    imagePullSecrets: [{ name: 'pull' }],
    initContainers: [{ envFrom: [{ configMapRef: { name: 'init-env' } }] }],
    containers: [
      {
        env: [
          { valueFrom: { secretKeyRef: { name: 'password' } } },
          { valueFrom: { configMapKeyRef: { name: 'conf' } } },
        ],
        envFrom: [{ secretRef: { name: 'env' } }],
      },
    ],
    volumes: [
      { configMap: { name: 'conf' } },
      { secret: { secretName: 'tls' } },
      { persistentVolumeClaim: { claimName: 'data' } },
      { projected: { sources: [{ configMap: { name: 'p-conf' } }, { secret: { name: 'p-secret' } }] } },
      { csi: { nodePublishSecretRef: { name: 'csi' } } },
    ],
  };
  const all = [
    'ConfigMap/conf',
    'ConfigMap/init-env',
    'ConfigMap/p-conf',
    'Secret/csi',
    'Secret/env',
    'Secret/p-secret',
    'Secret/password',
    'Secret/pull',
    'Secret/tls',
    'ServiceAccount/runner',
    'PersistentVolumeClaim/data',
  ];
  for (const kind of ['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet', 'Job']) {
    it(`of a ${kind} are what its pods refer to, each once`, () =>
      assert.deepEqual(names(workload(kind, pods(pod))), all));
  }
  it('of a CronJob are those of its jobs', () =>
    assert.deepEqual(names(workload('CronJob', { jobTemplate: { spec: pods(pod) } })), all));
  it('of a Pod are its own, in its namespace', () => {
    const found = nativeInterpreter.dependencies(
      object('v1', 'Pod', { spec: { volumes: [{ configMap: { name: 'c' } }] } }),
    );
    assert.deepEqual(found, [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'c' }]);
  });
  it('leave out the default service account', () =>
    assert.deepEqual(names(workload('Deployment', pods({ serviceAccountName: 'default' }))), []));
  it('of a StatefulSet leave out claims it makes itself', () => {
    const claims = { volumeClaimTemplates: [{ metadata: { name: 'data' } }] };
    assert.deepEqual(names(workload('StatefulSet', { ...pods(pod), ...claims })), all.slice(0, -1));
  });
  it('of an Ingress are its certificates', () => {
    const tls = [{ secretName: 'b' }, { secretName: 'a' }, { hosts: [] }];
    assert.deepEqual(names(object('networking.k8s.io/v1', 'Ingress', { spec: { tls } })), ['Secret/a', 'Secret/b']);
  });
  it('of a ServiceImport are its service and endpoints', () =>
    assert.deepEqual(nativeInterpreter.dependencies(object('multicluster.x-k8s.io/v1alpha1', 'ServiceImport', {})), [
      { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'derived-x' },
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        namespace: 'default',
        labelSelector: { matchLabels: { 'kubernetes.io/service-name': 'derived-x' } },
      },
    ]));
});

describe('what it does not know', () => {
  const thing = object('x.io/v1', 'Thing', { status: { a: 1 } });
  it('it says so, but for the status, which it sends up whole', () => {
    const kind = { group: 'x.io', version: 'v1', kind: 'Thing' };
    assert.equal(nativeInterpreter.handles(kind, 'InterpretHealth'), false);
    assert.equal(nativeInterpreter.handles(kind, 'InterpretStatus'), true);
    assert.equal(
      nativeInterpreter.handles({ group: 'apps', version: 'v1', kind: 'Deployment' }, 'InterpretHealth'),
      true,
    );
    assert.equal(
      nativeInterpreter.handles({ group: 'apps', version: 'v1beta1', kind: 'Deployment' }, 'InterpretHealth'),
      false,
    );
  });
  it('it refuses to interpret', () =>
    assert.throws(
      () => nativeInterpreter.health(thing),
      (error) => hasReason(error, 'NotImplemented'),
    ));

  it('a chain answers harmlessly', async () => {
    const interpreter = chain(nativeInterpreter);
    assert.deepEqual(await interpreter.replicas(thing), { replicas: 0 });
    assert.deepEqual(await interpreter.components(thing), []);
    assert.equal(await interpreter.reviseReplica(thing, 3), thing);
    assert.equal(await interpreter.retain(thing, thing), thing);
    assert.equal(await interpreter.aggregateStatus(thing, []), thing);
    assert.deepEqual(await interpreter.reflectStatus(thing), { a: 1 });
    assert.equal(await interpreter.health(thing), 'Healthy');
    assert.deepEqual(await interpreter.dependencies(thing), []);
  });
});

describe('a chain', () => {
  it('asks the first layer that handles the kind, and no other', async () => {
    const custom: ResourceInterpreter = {
      ...chain(),
      handles: ({ kind }, operation) => kind === 'Deployment' && operation === 'InterpretHealth',
      health: () => Promise.resolve('Healthy' as const),
    };
    const interpreter = chain(custom, nativeInterpreter);
    const broken = { ...workload('Deployment', { replicas: 2 }), status: {} };
    assert.equal(await interpreter.health(broken), 'Healthy');
    assert.deepEqual(await interpreter.replicas(broken), { replicas: 2 });
    assert.equal(interpreter.handles({ group: 'apps', version: 'v1', kind: 'Deployment' }, 'Retain'), true);
  });
});
