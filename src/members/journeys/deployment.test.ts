import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deployment, Pod, ReplicaSet, ReplicationController } from '#gen/kube/types.ts';
import { DEPLOYMENTS, PODS, REPLICA_SETS, REPLICATION_CONTROLLERS } from '../resources.ts';
import { journey, object, selector, template } from './journey.ts';

const web = (spec: object) => object('apps/v1', 'Deployment', 'web', { selector, template: template(), ...spec });

const rolledOut = (replicas: number) => (deployment: Deployment) => {
  const { status, metadata } = deployment;
  return (
    status?.observedGeneration === metadata.generation &&
    status?.updatedReplicas === replicas &&
    status.replicas === replicas &&
    status.availableReplicas === replicas
  );
};
const progress = (deployment: Deployment) =>
  deployment.status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;

describe('a Deployment', { timeout: 120_000 }, () => {
  it('starts, grows, rolls over, rolls back and goes, pods and all', async (t) => {
    const { client, until, untilGone, patch, pods, events, settles } = await journey(t);
    await client.create(DEPLOYMENTS, web({ replicas: 3 }));
    const first = await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(3));
    assert.equal(first.metadata.generation, 1);
    assert.equal(progress(first), 'NewReplicaSetAvailable');
    assert.ok((await pods()).every(({ status }) => status?.phase === 'Running'));

    await patch(DEPLOYMENTS, 'default/web', { spec: { replicas: 5 } });
    await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(5));
    await patch(DEPLOYMENTS, 'default/web', {
      spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } },
    });
    const second = await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(5));
    assert.equal(second.metadata.annotations?.['deployment.kubernetes.io/revision'], '2');
    assert.deepEqual(new Set((await pods()).map(({ spec }) => spec?.containers[0]?.image)), new Set(['web:2']));

    await patch(DEPLOYMENTS, 'default/web', {
      spec: { template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } } },
    });
    const third = await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(5));
    assert.equal(third.metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
    assert.equal((await client.list(REPLICA_SETS, { namespace: 'default' })).items.length, 2);
    assert.equal((await events('web', 'ScalingReplicaSet'))[0], 'ScalingReplicaSet');
    await settles();

    await client.delete(DEPLOYMENTS, { namespace: 'default', name: 'web' });
    for (const { metadata } of (await client.list<Pod>(PODS)).items) await untilGone(PODS, `default/${metadata.name}`);
  });

  it('reports that it does not come further, and goes on when it can', async (t) => {
    const { client, until, patch } = await journey(t);
    await client.create(DEPLOYMENTS, web({ progressDeadlineSeconds: 5, template: template('web:missing') }));
    await until<Deployment>(DEPLOYMENTS, 'default/web', (one) => progress(one) === 'ProgressDeadlineExceeded');
    await patch(DEPLOYMENTS, 'default/web', {
      spec: { template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } } },
    });
    await until<Deployment>(DEPLOYMENTS, 'default/web', (one) => progress(one) === 'NewReplicaSetAvailable');
  });

  it('waits while it is paused', async (t) => {
    const { client, until, patch } = await journey(t);
    await client.create(DEPLOYMENTS, web({ replicas: 2 }));
    await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(2));
    await patch(DEPLOYMENTS, 'default/web', { spec: { paused: true, template: template('web:2') } });
    await until<Deployment>(DEPLOYMENTS, 'default/web', (one) => progress(one) === 'DeploymentPaused');
    assert.equal((await client.list(REPLICA_SETS, { namespace: 'default' })).items.length, 1);
    await patch(DEPLOYMENTS, 'default/web', { spec: { paused: false } });
    const done = await until<Deployment>(
      DEPLOYMENTS,
      'default/web',
      (one) => rolledOut(2)(one) && progress(one) === 'NewReplicaSetAvailable',
    );
    assert.equal(done.metadata.annotations?.['deployment.kubernetes.io/revision'], '2');
  });

  it('with Recreate has none of the new pods before the last of the old is gone', async (t) => {
    const { client, until, patch, pods } = await journey(t);
    await client.create(DEPLOYMENTS, web({ replicas: 3, strategy: { type: 'Recreate' } }));
    await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(3));
    await patch(DEPLOYMENTS, 'default/web', { spec: { template: template('web:2') } });
    const images = new Map((await pods()).map(({ metadata, spec }) => [metadata.name, spec?.containers[0]?.image]));
    const stop = new AbortController();
    const { resourceVersion } = (await client.list(PODS)).metadata;
    for await (const { type, object: pod } of client.watch<Pod>(PODS, { resourceVersion, signal: stop.signal })) {
      if (type === 'DELETED') images.delete(pod.metadata.name);
      else if (!images.has(pod.metadata.name)) images.set(pod.metadata.name, pod.spec?.containers[0]?.image);
      const seen = new Set(images.values());
      assert.ok(seen.size <= 1, [...seen].join());
      if (seen.has('web:2')) break;
    }
    await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(3));
  });

  it('takes over a ReplicaSet of its kind that nobody owns, and its pods with it', async (t) => {
    const { client, until } = await journey(t);
    const orphan = object('apps/v1', 'ReplicaSet', 'old', { replicas: 2, selector, template: template() });
    await client.create(REPLICA_SETS, { ...orphan, metadata: { ...orphan.metadata, labels: { app: 'web' } } });
    await until<ReplicaSet>(REPLICA_SETS, 'default/old', ({ status }) => status?.availableReplicas === 2);
    await client.create(DEPLOYMENTS, web({ replicas: 2 }));
    await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(2));
    const { items } = await client.list<ReplicaSet>(REPLICA_SETS, { namespace: 'default' });
    assert.deepEqual(
      items.map(({ metadata }) => [metadata.name, metadata.ownerReferences?.[0]?.name]),
      [['old', 'web']],
    );
  });

  it('finds another name when the one it wants is taken', async (t) => {
    const { client, until } = await journey(t);
    await client.create(DEPLOYMENTS, web({ replicas: 1 }));
    await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(1));
    const [set] = (await client.list<ReplicaSet>(REPLICA_SETS, { namespace: 'default' })).items;
    assert.ok(set);
    await client.delete(DEPLOYMENTS, { namespace: 'default', name: 'web' }, { propagationPolicy: 'Orphan' });
    const changed = { ...set, metadata: { name: set.metadata.name, namespace: 'default', labels: { app: 'other' } } };
    await client.delete(REPLICA_SETS, set.metadata);
    const others = { matchLabels: { app: 'other' } };
    const taken = { ...template(), metadata: { labels: { app: 'other' } } };
    const spec = { replicas: 0, selector: others, template: taken };
    await client.create(REPLICA_SETS, { ...changed, spec });
    await client.create(DEPLOYMENTS, web({ replicas: 1 }));
    const found = await until<Deployment>(DEPLOYMENTS, 'default/web', rolledOut(1));
    assert.equal(found.status?.collisionCount, 1);
  });
});

describe('a ReplicaSet', { timeout: 120_000 }, () => {
  it('adopts pods it selects, lets go of those it no longer does, and replaces them', async (t) => {
    const { client, until, pods } = await journey(t);
    await client.create(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'stray', namespace: 'default', labels: { app: 'web' } },
      spec: template().spec,
    });
    await client.create(
      REPLICA_SETS,
      object('apps/v1', 'ReplicaSet', 'web', { replicas: 2, selector, template: template() }),
    );
    await until<ReplicaSet>(REPLICA_SETS, 'default/web', ({ status }) => status?.availableReplicas === 2);
    assert.equal((await pods()).length, 2);
    await client.patch(
      PODS,
      { namespace: 'default', name: 'stray' },
      { type: 'merge', body: { metadata: { labels: { app: 'other' } } } },
    );
    const free = await until<Pod>(
      PODS,
      'default/stray',
      ({ metadata }) => (metadata.ownerReferences ?? []).length === 0,
    );
    assert.equal(free.metadata.deletionTimestamp, undefined);
    // Its status may be the one from before; another pod is on its way.
    while ((await pods('app=web')).length < 2) await new Promise(setImmediate);
    await until<ReplicaSet>(REPLICA_SETS, 'default/web', ({ status }) => status?.availableReplicas === 2);
    assert.equal((await pods('app=web')).length, 2);
  });

  it('has an older brother that does the same', async (t) => {
    const { client, until } = await journey(t);
    const set = object('v1', 'ReplicationController', 'old', {
      replicas: 2,
      selector: { app: 'web' },
      template: template(),
    });
    await client.create(REPLICATION_CONTROLLERS, set);
    await until<ReplicationController>(
      REPLICATION_CONTROLLERS,
      'default/old',
      ({ status }) => status?.availableReplicas === 2,
    );
  });
});
