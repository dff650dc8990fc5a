/** The controllers of failover alone, on bindings written by hand, with a clock turned by hand. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type FakeClock, fakeClock } from '#base/clock.ts';
import {
  ANNOTATIONS,
  type BindingSpec,
  type BindingStatus,
  type Cluster,
  CLUSTER,
  type Placement,
  RESOURCE_BINDING,
  type ResourceBinding,
  type ResourceHealth,
  type Taint,
} from '#karmada/apis/index.ts';
import { type ControllerName, CONTROLLERS } from '#karmada/engine/index.ts';
import { appears, eventually, startKarmada } from '#karmada/engine/testing.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';
import type { FailoverOptions } from './index.ts';

const EVENT = { group: '', version: 'v1', resource: 'events' };
const EVICTS: Taint = { key: 'lost', effect: 'NoExecute' };

async function plane(t: TestContext, only: ControllerName, failover: FailoverOptions = {}) {
  const clock = fakeClock();
  const disabled = CONTROLLERS.filter((name) => name !== only);
  const all = { enabled: true, noExecuteTaintEviction: true, ...failover };
  const { client } = await startKarmada(t, memoryStore(), { clock, engine: { disabled, failover: all } });
  return { client, clock };
}

async function cluster(client: KubeClient, name: string, taints: readonly Taint[] = []): Promise<Cluster> {
  const spec = { syncMode: 'Push', apiEndpoint: `https://${name}`, taints };
  const metadata = { name };
  const made = await client.create(CLUSTER, {
    apiVersion: CLUSTER.apiVersion,
    kind: 'Cluster',
    metadata,
    spec,
  });
  const resources = [{ kind: 'Deployment', name: 'deployments' }];
  const status = { apiEnablements: [{ groupVersion: 'apps/v1', resources }] };
  return client.update<Cluster>(CLUSTER, { ...made, status } as unknown as Cluster, { subresource: 'status' });
}

function binding(client: KubeClient, name: string, spec: Partial<BindingSpec>): Promise<ResourceBinding> {
  const placement: Placement = spec.placement ?? {};
  return client.create<ResourceBinding>(RESOURCE_BINDING, {
    apiVersion: RESOURCE_BINDING.apiVersion,
    kind: 'ResourceBinding',
    metadata: {
      name,
      namespace: 'default',
      annotations: { [ANNOTATIONS.appliedPlacement]: JSON.stringify(placement) },
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name },
      replicas: 2,
      clusters: [{ name: 'm1', replicas: 2 }],
      placement,
      ...spec,
    },
  });
}

async function report(
  client: KubeClient,
  name: string,
  states: Readonly<Record<string, ResourceHealth>>,
): Promise<void> {
  const aggregatedStatus = Object.entries(states).map(([clusterName, health]) => ({
    clusterName,
    health,
    status: { readyReplicas: 1 },
  }));
  const status: BindingStatus = { aggregatedStatus };
  const patch = { type: 'merge', body: { status } } as const;
  await client.patch(RESOURCE_BINDING, { namespace: 'default', name }, patch, { subresource: 'status' });
}

const read = (client: KubeClient, name: string) =>
  client.get<ResourceBinding>(RESOURCE_BINDING, { namespace: 'default', name });

function evicted(client: KubeClient, name: string): Promise<ResourceBinding> {
  return appears<ResourceBinding>(
    client,
    RESOURCE_BINDING,
    name,
    ({ spec }) => spec.gracefulEvictionTasks !== undefined,
  );
}

async function taskCount(client: KubeClient): Promise<number> {
  const { items } = await client.list<ResourceBinding>(RESOURCE_BINDING);
  return items.filter(({ spec }) => spec.gracefulEvictionTasks).length;
}

/** Time passes in small steps until something is so: watches need their turns in between. */
async function passes(clock: FakeClock, stepMs: number, ask: () => Promise<boolean>, what: string): Promise<void> {
  await eventually(async () => {
    if (await ask()) return true;
    await clock.advance(stepMs);
    return ask();
  }, what);
}

it('tolerations end when their time is over', async (t) => {
  const { client, clock } = await plane(t, 'taintManager', { evictionRate: 1_000 });
  const timeAdded = new Date(clock.now()).toISOString();
  await cluster(client, 'm1', [{ ...EVICTS, timeAdded }]);
  const tolerating = (seconds: number): Placement => ({
    clusterTolerations: [{ operator: 'Exists', tolerationSeconds: seconds }],
  });
  await binding(client, 'patient', { placement: tolerating(90) });
  await binding(client, 'content', { placement: { clusterTolerations: [{ operator: 'Exists' }] } });
  await binding(client, 'brief', { placement: tolerating(60) });
  await binding(client, 'impatient', {});
  await evicted(client, 'impatient');
  assert.equal((await read(client, 'brief')).spec.gracefulEvictionTasks, undefined);
  await clock.advance(60_000);
  await evicted(client, 'brief');
  assert.equal((await read(client, 'patient')).spec.gracefulEvictionTasks, undefined);
  await clock.advance(30_000);
  await evicted(client, 'patient');
  assert.equal((await read(client, 'content')).spec.gracefulEvictionTasks, undefined);
});

it('evictions keep to their rate', async (t) => {
  const { client, clock } = await plane(t, 'taintManager');
  await cluster(client, 'm1', [EVICTS]);
  for (const name of ['a', 'b', 'c']) await binding(client, name, {});
  const count = () => taskCount(client);
  await eventually(async () => (await count()) === 1, 'the first');
  await clock.advance(1_900);
  assert.equal(await count(), 1);
  await clock.advance(200);
  await eventually(async () => (await count()) === 2, 'the second');
  await clock.advance(2_000);
  await eventually(async () => (await count()) === 3, 'the third');
});

it('what is put back into the cluster it was evicted from is not driven out again at once', async (t) => {
  const { client, clock } = await plane(t, 'taintManager', { evictionRate: 1_000 });
  const tainted = await cluster(client, 'm1', [EVICTS]);
  await binding(client, 'a', {});
  const evictions = async () => (await read(client, 'a')).metadata.generation;
  const putBack = async () => {
    await evicted(client, 'a');
    const patch = { spec: { clusters: [{ name: 'm1', replicas: 2 }], gracefulEvictionTasks: null } };
    await client.patch(RESOURCE_BINDING, { namespace: 'default', name: 'a' }, { type: 'merge', body: patch });
  };
  await putBack();
  await clock.advance(9_000);
  assert.equal(await evictions(), 3, 'made, evicted, put back');
  await clock.advance(1_000);
  await putBack();
  await clock.advance(19_000);
  assert.equal(await evictions(), 5, 'the second time it takes twice as long');
  const taints = [{ ...EVICTS, value: 'again' }];
  await client.patch(CLUSTER, tainted.metadata, { type: 'merge', body: { spec: { taints } } });
  await evicted(client, 'a');
});

it('the purge mode is the policy’s, or else the engine’s', async (t) => {
  const { client, clock } = await plane(t, 'taintManager', { evictionRate: 1_000, purgeMode: 'Directly' });
  await cluster(client, 'm2');
  await cluster(client, 'm1', [EVICTS]);
  await binding(client, 'engine', {});
  await binding(client, 'policy', { failover: { cluster: { purgeMode: 'Gracefully' } } });
  await passes(clock, 1, async () => (await taskCount(client)) === 2, 'both evictions');
  assert.equal((await evicted(client, 'engine')).spec.gracefulEvictionTasks?.[0]?.purgeMode, 'Directly');
  assert.equal((await evicted(client, 'policy')).spec.gracefulEvictionTasks?.[0]?.purgeMode, 'Gracefully');
});

it('what would be purged directly waits while nothing else fits, and goes when something does', async (t) => {
  const { client, clock } = await plane(t, 'taintManager', { evictionRate: 1_000, purgeMode: 'Directly' });
  await cluster(client, 'm1', [EVICTS]);
  await binding(client, 'a', {});
  const events = await eventually(async () => {
    const { items } = await client.list<KubeObject & { reason: string; message: string }>(EVENT);
    return items.find(({ reason }) => reason === 'EvictionPostponed');
  }, 'a word about it');
  assert.match(events.message, /^Eviction from m1 waits, for it is the last copy and no other cluster fits: 0\/1 /);
  assert.deepEqual((await read(client, 'a')).spec.clusters, [{ name: 'm1', replicas: 2 }]);
  await cluster(client, 'm2');
  await passes(
    clock,
    10_000,
    async () => (await read(client, 'a')).spec.gracefulEvictionTasks !== undefined,
    'the eviction',
  );
});

it('an application that stays unhealthy goes elsewhere, and takes its state along', async (t) => {
  const { client, clock } = await plane(t, 'applicationFailover', { statefulInjection: true });
  await cluster(client, 'm1');
  await cluster(client, 'm2');
  const rules = [{ aliasLabelName: 'ready', jsonPath: '{.readyReplicas}' }];
  await binding(client, 'a', {
    propagateDeps: true,
    failover: {
      application: {
        decisionConditions: { tolerationSeconds: 30 },
        purgeMode: 'Directly',
        statePreservation: { rules },
      },
    },
  });
  await report(client, 'a', { m1: 'Unhealthy' });
  await passes(
    clock,
    10_000,
    async () => (await read(client, 'a')).spec.gracefulEvictionTasks !== undefined,
    'the eviction',
  );
  const { spec } = await read(client, 'a');
  assert.deepEqual(spec.gracefulEvictionTasks, [
    {
      fromCluster: 'm1',
      purgeMode: 'Directly',
      replicas: 2,
      reason: 'ApplicationFailure',
      producer: 'resource-binding-application-failover-controller',
      preservedLabelState: { ready: '1' },
      clustersBeforeFailover: ['m1'],
    },
  ]);
  assert.equal(spec.clusters, undefined);
});

it('an application that is well again before it found another place stays where it is', async (t) => {
  const { client } = await plane(t, 'gracefulEviction');
  await cluster(client, 'm1');
  const task = {
    fromCluster: 'm1',
    replicas: 2,
    purgeMode: 'Gracefully',
    reason: 'ApplicationFailure',
    producer: 'resource-binding-application-failover-controller',
  } as const;
  await binding(client, 'a', { clusters: [], gracefulEvictionTasks: [task] });
  await report(client, 'a', { m1: 'Healthy' });
  const back = await appears<ResourceBinding>(
    client,
    RESOURCE_BINDING,
    'a',
    (object) => object.spec.gracefulEvictionTasks === undefined,
  );
  assert.deepEqual(back.spec.clusters, [{ name: 'm1', replicas: 2 }]);
});
