import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConfigMap, Deployment, Lease, Node, Pod } from '#gen/kube/types.ts';
import { CONFIG_MAPS, DEPLOYMENTS, LEASES, NODES, PODS, PRIORITY_CLASSES } from '../resources.ts';
import { isPodReady } from '../workload/pod-state.ts';
import { journey, object, selector, template } from './journey.ts';

const short = {
  tolerations: ['not-ready', 'unreachable'].map((key) => ({
    key: `node.kubernetes.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 10,
  })),
};
const web = (replicas: number, spec: object = {}) =>
  object('apps/v1', 'Deployment', 'web', { replicas, selector, template: template('web:1', { spec }) });
const pod = (name: string, cpu: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'c', image: 'web:1', resources: { requests: { cpu } } }], ...spec },
});
const available =
  (replicas: number) =>
  ({ status }: Deployment) =>
    status?.availableReplicas === replicas;
const scheduling = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'PodScheduled');

describe('a node', { timeout: 120_000 }, () => {
  it('that is not ready loses its pods to others, and gets new ones when it is well', async (t) => {
    const { client, until, patch, pods, untilGone } = await journey(t, {
      nodes: { count: 2, cpu: '4', memory: '8Gi' },
    });
    await client.create(DEPLOYMENTS, web(4, short));
    await until<Deployment>(DEPLOYMENTS, 'default/web', available(4));
    const there = (await pods()).filter(({ spec }) => spec?.nodeName === 'm1-node-1');
    assert.equal(there.length, 2);
    await patch(NODES, 'm1-node-1', { metadata: { annotations: { 'members.kairship.io/ready': 'false' } } });
    const sick = await until<Node>(NODES, 'm1-node-1', ({ spec }) => (spec?.taints ?? []).length === 2);
    assert.equal(sick.status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'False');
    await until<Deployment>(DEPLOYMENTS, 'default/web', ({ status }) => status?.readyReplicas === 2);
    for (const { metadata } of there) await untilGone(PODS, `default/${metadata.name}`);
    await until<Deployment>(DEPLOYMENTS, 'default/web', available(4));
    assert.ok((await pods()).every(({ spec }) => spec?.nodeName === 'm1-node-2'));
    await patch(NODES, 'm1-node-1', { metadata: { annotations: { 'members.kairship.io/ready': null } } });
    await until<Node>(NODES, 'm1-node-1', ({ spec }) => (spec?.taints ?? []).length === 0);
  });

  it('that is gone keeps its pods in the balance until it comes back or is deleted', async (t) => {
    const { client, until, patch, untilGone } = await journey(t, { nodes: { count: 1, cpu: '4', memory: '8Gi' } });
    await client.create(PODS, pod('p', '1', short));
    await until<Pod>(PODS, 'default/p', isPodReady);
    await patch(NODES, 'm1-node-1', { metadata: { annotations: { 'members.kairship.io/ready': 'unknown' } } });
    const lost = await until<Pod>(PODS, 'default/p', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    assert.equal(lost.status?.phase, 'Running');
    assert.ok(lost.status?.conditions?.some(({ reason }) => reason === 'DeletionByTaintManager'));
    await client.delete(NODES, { name: 'm1-node-1' });
    await untilGone(PODS, 'default/p');
  });

  it('renews its lease', async (t) => {
    const { until } = await journey(t);
    const lease = await until<Lease>(LEASES, 'kube-node-lease/m1-node-1', ({ spec }) => spec?.renewTime !== undefined);
    assert.equal(lease.spec?.holderIdentity, 'm1-node-1');
  });
});

describe('scheduling', { timeout: 120_000 }, () => {
  it('tells why a pod has to wait, and goes on when there is room', async (t) => {
    const { client, until, events, settles } = await journey(t, { nodes: { count: 1, cpu: '4', memory: '8Gi' } });
    await client.create(PODS, pod('first', '3'));
    await until<Pod>(PODS, 'default/first', isPodReady);
    await client.create(PODS, pod('second', '3'));
    const waiting = await until<Pod>(PODS, 'default/second', (one) => scheduling(one)?.reason === 'Unschedulable');
    assert.match(scheduling(waiting)?.message ?? '', /^0\/1 nodes are available: 1 Insufficient cpu\./);
    assert.deepEqual(await events('second', 'FailedScheduling'), ['FailedScheduling']);
    await settles();
    await client.delete(PODS, { namespace: 'default', name: 'first' });
    await until<Pod>(PODS, 'default/second', isPodReady);
    assert.deepEqual(await events('second', 'Started'), [
      'FailedScheduling',
      'Scheduled',
      'Pulled',
      'Created',
      'Started',
    ]);
  });

  it('brings a pod to the company it waits for, and looks again when it asks for less', async (t) => {
    const { client, until, patch } = await journey(t);
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    await client.create(PODS, pod('follower', '1', { affinity }));
    await until<Pod>(PODS, 'default/follower', (one) => scheduling(one)?.reason === 'Unschedulable');
    await client.create(DEPLOYMENTS, web(1));
    await until<Pod>(PODS, 'default/follower', isPodReady);

    await patch(NODES, 'm1-node-3', {
      metadata: { labels: { gpu: 'yes' } },
      spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
    });
    await client.create(PODS, pod('picky', '1', { nodeSelector: { gpu: 'yes' } }));
    const picky = await until<Pod>(PODS, 'default/picky', (one) => scheduling(one)?.reason === 'Unschedulable');
    const tolerations = [...(picky.spec?.tolerations ?? []), { key: 'gpu', operator: 'Exists' }];
    await patch(PODS, 'default/picky', { spec: { tolerations } });
    await until<Pod>(PODS, 'default/picky', isPodReady);
  });

  it('lets the more important go first', async (t) => {
    const { client, until, patch } = await journey(t, { nodes: { count: 1, cpu: '4', memory: '8Gi' } });
    await patch(NODES, 'm1-node-1', { spec: { unschedulable: true } });
    await client.create(PRIORITY_CLASSES, {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 1000,
    });
    await client.create(PODS, pod('low', '3'));
    await until<Pod>(PODS, 'default/low', (one) => scheduling(one)?.reason === 'Unschedulable');
    await client.create(PODS, pod('important', '3', { priorityClassName: 'high' }));
    const created = await until<Pod>(PODS, 'default/important', (one) => scheduling(one)?.reason === 'Unschedulable');
    assert.equal(created.spec?.priority, 1000);
    await patch(NODES, 'm1-node-1', { spec: { unschedulable: false } });
    await until<Pod>(PODS, 'default/important', isPodReady);
    const low = await until<Pod>(PODS, 'default/low', () => true);
    assert.equal(low.spec?.nodeName, undefined);
    await assert.rejects(
      client.create(PODS, pod('odd', '1', { priorityClassName: 'none' })),
      /no PriorityClass with name none was found/,
    );
  });
});

describe('a pod', { timeout: 120_000 }, () => {
  it('waits for the ConfigMap it needs', async (t) => {
    const { client, until } = await journey(t);
    const envFrom = [{ configMapRef: { name: 'settings' } }];
    await client.create(PODS, pod('p', '1', { containers: [{ name: 'c', image: 'web:1', envFrom }] }));
    await until<Pod>(
      PODS,
      'default/p',
      ({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerConfigError',
    );
    await client.create<ConfigMap>(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
    });
    await until<Pod>(PODS, 'default/p', isPodReady);
  });

  it('fails as it is asked to, and goes when it is deleted', async (t) => {
    const { client, until, untilGone, events } = await journey(t);
    const failing = pod('p', '1');
    const annotations = { 'members.kairship.io/fail': 'CrashLoopBackOff', 'members.kairship.io/stop': '1h' };
    await client.create(PODS, { ...failing, metadata: { ...failing.metadata, annotations } });
    await until<Pod>(PODS, 'default/p', ({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) >= 2);
    await client.delete(PODS, { namespace: 'default', name: 'p' }, { gracePeriodSeconds: 5 });
    await untilGone(PODS, 'default/p');
    assert.ok((await events('p', 'BackOff')).includes('Started'));
  });
});
