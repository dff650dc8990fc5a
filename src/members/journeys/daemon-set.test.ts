import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DaemonSet } from '#gen/kube/types.ts';
import { DAEMON_SETS, NODES } from '../resources.ts';
import { journey, object, selector, template } from './journey.ts';

const agent = (spec: object = {}) =>
  object('apps/v1', 'DaemonSet', 'agent', { selector, template: template(), ...spec });
const settled = (nodes: number) => (set: DaemonSet) =>
  set.status?.observedGeneration === set.metadata.generation &&
  set.status?.desiredNumberScheduled === nodes &&
  set.status.numberAvailable === nodes &&
  set.status.updatedNumberScheduled === nodes &&
  set.status.numberMisscheduled === 0;

describe('a DaemonSet', { timeout: 120_000 }, () => {
  it('is on every node that lets it, and follows nodes as they change', async (t) => {
    const { client, until, patch, pods, settles } = await journey(t);
    await client.create(DAEMON_SETS, agent());
    await until<DaemonSet>(DAEMON_SETS, 'default/agent', settled(3));
    assert.equal(new Set((await pods()).map(({ spec }) => spec?.nodeName)).size, 3);
    await settles();

    await patch(NODES, 'm1-node-2', { spec: { unschedulable: true } });
    await patch(NODES, 'm1-node-1', { spec: { taints: [{ key: 'dedicated', value: 'x', effect: 'NoExecute' }] } });
    await until<DaemonSet>(DAEMON_SETS, 'default/agent', settled(2));
    assert.deepEqual((await pods()).map(({ spec }) => spec?.nodeName ?? '').sort(), ['m1-node-2', 'm1-node-3']);
    await client.create(NODES, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'new' },
      status: { capacity: { cpu: '2', memory: '4Gi', pods: '10' } },
    });
    await until<DaemonSet>(DAEMON_SETS, 'default/agent', settled(3));
    await patch(DAEMON_SETS, 'default/agent', {
      spec: { template: { spec: { nodeSelector: { 'kubernetes.io/hostname': 'm1-node-3' } } } },
    });
    await until<DaemonSet>(DAEMON_SETS, 'default/agent', settled(1));
  });

  it('is updated a node at a time, or beside the old pods', async (t) => {
    const { client, until, patch, pods } = await journey(t);
    await client.create(DAEMON_SETS, agent());
    await until<DaemonSet>(DAEMON_SETS, 'default/agent', settled(3));
    await patch(DAEMON_SETS, 'default/agent', { spec: { template: template('web:2') } });
    await until<DaemonSet>(DAEMON_SETS, 'default/agent', settled(3));
    assert.ok((await pods()).every(({ spec }) => spec?.containers[0]?.image === 'web:2'));
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    await patch(DAEMON_SETS, 'default/agent', { spec: { updateStrategy, template: template('web:3') } });
    await until<DaemonSet>(DAEMON_SETS, 'default/agent', settled(3));
    assert.ok((await pods()).every(({ spec }) => spec?.containers[0]?.image === 'web:3'));
  });
});
