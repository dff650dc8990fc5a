import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Deployment, Node, Pod } from '#gen/kube/types.ts';
import { memoryStore } from '#kube/store/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memberCluster } from './member.ts';
import { DEPLOYMENTS, NODES, PODS } from './resources.ts';

const web = (image: string, replicas: number): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
  },
});

async function cluster(t: TestContext): Promise<KubeClient> {
  const nodes = { count: 2, cpu: '4', memory: '8Gi', region: 'r1', zone: 'z1' };
  const member = await memberCluster({ store: memoryStore(), name: 'm1', nodes, pace: { startMs: 10, runMs: 10 } });
  t.after(() => member.close());
  return member.client();
}

/** Follows the Deployment until it is as wanted; a watch, so no time is lost and none is assumed. */
async function until(client: KubeClient, check: (deployment: Deployment) => boolean): Promise<void> {
  const stop = new AbortController();
  for await (const { object } of client.watch<Deployment>(DEPLOYMENTS, { namespace: 'default', signal: stop.signal })) {
    if (check(object)) return;
  }
}

const ready = (replicas: number) => (deployment: Deployment) =>
  deployment.status?.readyReplicas === replicas &&
  deployment.status.updatedReplicas === replicas &&
  deployment.status.replicas === replicas &&
  deployment.status.observedGeneration === deployment.metadata.generation;

describe('a simulated cluster', { timeout: 120_000 }, () => {
  it('has ready nodes that say where they are', async (t) => {
    const client = await cluster(t);
    const { items } = await client.list<Node>(NODES);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['m1-node-1', 'm1-node-2'],
    );
    assert.equal(items[0]?.metadata.labels?.['topology.kubernetes.io/region'], 'r1');
    assert.equal(items[0]?.status?.allocatable?.['cpu'], '4');
  });

  it('runs a Deployment, scales it, rolls it over and lets it go', async (t) => {
    const client = await cluster(t);
    await client.create(DEPLOYMENTS, web('web:1', 3));
    await until(client, ready(3));
    const pods = (await client.list<Pod>(PODS, { namespace: 'default' })).items;
    assert.equal(pods.length, 3);
    assert.ok(pods.every((pod) => pod.spec?.nodeName?.startsWith('m1-node-') && pod.status?.phase === 'Running'));

    const scaled = { type: 'merge', body: { spec: { replicas: 5 } } } as const;
    await client.patch(DEPLOYMENTS, { namespace: 'default', name: 'web' }, scaled);
    await until(client, ready(5));

    const current = await client.get<Deployment>(DEPLOYMENTS, { namespace: 'default', name: 'web' });
    await client.update(DEPLOYMENTS, { ...current, spec: { ...web('web:2', 5).spec } });
    await until(client, ready(5));
    const images = (await client.list<Pod>(PODS, { namespace: 'default' })).items
      .filter((pod) => pod.metadata.deletionTimestamp === undefined)
      .map((pod) => pod.spec?.containers?.[0]?.image);
    assert.deepEqual(images, ['web:2', 'web:2', 'web:2', 'web:2', 'web:2']);
  });
});
