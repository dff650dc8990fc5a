import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deployment, Node, Pod } from '#gen/kube/types.ts';
import { memoryStore } from '#kube/store/index.ts';
import { journey, object, selector, template } from './journeys/journey.ts';
import { memberCluster } from './member.ts';
import { DEPLOYMENTS, NODES, PODS } from './resources.ts';

const web = (replicas: number) =>
  object('apps/v1', 'Deployment', 'web', { replicas, selector, template: template('web:1') });
const available =
  (replicas: number) =>
  ({ status }: Deployment) =>
    status?.availableReplicas === replicas;

describe('a simulated cluster', { timeout: 30_000 }, () => {
  it('has ready nodes that say where they are and what they have', async (t) => {
    const nodes = { count: 2, cpu: '4', memory: '8Gi', region: 'r1', zone: 'z1', provider: 'aws' };
    const { client, until } = await journey(t, { nodes });
    const ready = ({ status }: Node) =>
      status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
    const node = await until<Node>(NODES, 'm1-node-2', ready);
    assert.equal(node.metadata.labels?.['topology.kubernetes.io/region'], 'r1');
    assert.equal(node.spec?.providerID, 'aws://z1/m1-node-2');
    assert.deepEqual([node.status?.allocatable?.['cpu'], node.status?.allocatable?.['memory']], ['4', '8Gi']);
    assert.equal((await client.list(NODES)).items.length, 2);
  });

  it('goes on where it was when it is started again', async (t) => {
    const store = memoryStore();
    const options = { store, name: 'm1', nodes: { count: 1, cpu: '8', memory: '8Gi' }, speed: 50 };
    const first = await memberCluster(options);
    await first.client().create(DEPLOYMENTS, web(2));
    await first.close();
    const { until, pods, patch } = await journey(t, options);
    await until<Deployment>(DEPLOYMENTS, 'default/web', available(2));
    await patch(DEPLOYMENTS, 'default/web', { spec: { replicas: 3 } });
    await until<Deployment>(DEPLOYMENTS, 'default/web', available(3));
    assert.equal((await pods()).length, 3);
  });

  it('gives every pod an address of its own', async (t) => {
    const { client, until } = await journey(t);
    await client.create(DEPLOYMENTS, web(60));
    await until<Deployment>(DEPLOYMENTS, 'default/web', available(60));
    const addresses = (await client.list<Pod>(PODS)).items.map(({ status }) => status?.podIP);
    assert.equal(new Set(addresses).size, 60);
  });
});
