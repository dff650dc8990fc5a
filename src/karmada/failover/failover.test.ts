/** R64: a cluster is lost and the service goes on. Whole control planes with members, all in this process. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  type Cluster,
  CLUSTER,
  CLUSTER_TAINT_POLICY,
  type ClusterTaintPolicy,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
  type ResourceBinding,
  type TaintEffect,
  type TargetCluster,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import {
  appears,
  CONFIG_MAP,
  configMap,
  DEPLOYMENT,
  deployment,
  disappears,
  eventually,
  policy,
  register,
  startMember,
  type TestMember,
  type TestPlane,
  testPlane,
} from '#karmada/engine/testing.ts';
import { findCondition } from '#kube/meta/condition.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore, type Store } from '#kube/store/index.ts';
import { EVICT_LAST_COPY, type FailoverOptions } from './index.ts';

const FASTEST: FailoverOptions = { enabled: true, noExecuteTaintEviction: true, evictionRate: 1_000 };
const QUICK_STATUS = { everyMs: 20, thresholds: { successMs: 0, failureMs: 0 } };
const BINDING = 'web-deployment';
const DIVIDED = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' } as const;

/** Three members on stores of their own, so that each can be lost and come back. */
async function threeMembers(t: TestContext, failover?: FailoverOptions) {
  const plane = await testPlane(t, [], {
    allowNoExecuteTaintPolicy: failover !== undefined,
    engine: { clusterStatus: QUICK_STATUS, ...(failover ? { failover } : {}) },
  });
  const stores = new Map<string, Store>();
  const members = new Map<string, TestMember>();
  for (const name of ['m1', 'm2', 'm3']) {
    const store = memoryStore();
    const member = await startMember(t, store);
    stores.set(name, store);
    members.set(name, member);
    await register(plane.client, name, member.url);
  }
  await Promise.all([...members.keys()].map((name) => isReady(plane, name, 'True')));
  const member = (name: string) => members.get(name) ?? assert.fail(`no member ${name}`);
  return {
    plane,
    member,
    lose: (name: string) => member(name).server.close(),
    recover: async (name: string) => {
      const again = await startMember(t, stores.get(name), Number(new URL(member(name).url).port));
      members.set(name, again);
    },
  };
}

function isReady({ client }: TestPlane, name: string, status: string): Promise<Cluster> {
  return appears<Cluster>(client, CLUSTER, { name }, (cluster) =>
    (cluster.status?.conditions ?? []).some((each) => each.type === 'Ready' && each.status === status),
  );
}

/** Taints clusters that are not ready, and only those. */
function taintPolicy(effect: TaintEffect): ClusterTaintPolicy {
  const condition = { conditionType: 'Ready', statusValues: ['True'] };
  return {
    apiVersion: CLUSTER_TAINT_POLICY.apiVersion,
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'lost' },
    spec: {
      addOnConditions: [{ ...condition, operator: 'NotIn' }],
      removeOnConditions: [{ ...condition, operator: 'In' }],
      taints: [{ key: 'lost', effect }],
    },
  };
}

interface Deployment extends KubeObject {
  readonly spec: { readonly replicas: number };
}

/** As a member's own controllers would say when all its pods are up. */
async function rollOut({ client }: TestMember, replicas: number): Promise<void> {
  const found = await appears<Deployment>(client, DEPLOYMENT, 'web', ({ spec }) => spec.replicas === replicas);
  const status = {
    observedGeneration: found.metadata.generation,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
  };
  await client.update(DEPLOYMENT, { ...found, status }, { subresource: 'status' });
}

function placed(
  { client }: TestPlane,
  clusters: readonly TargetCluster[],
  is: (binding: ResourceBinding) => boolean = () => true,
): Promise<ResourceBinding> {
  const text = (list: readonly TargetCluster[] = []) => list.map(({ name, replicas }) => `${name}:${replicas}`).sort();
  return appears<ResourceBinding>(
    client,
    RESOURCE_BINDING,
    BINDING,
    (binding) => text(binding.spec.clusters).join() === text(clusters).join() && is(binding),
  );
}

const tasksOf = ({ spec }: ResourceBinding) => spec.gracefulEvictionTasks ?? [];
const isHealthyIn = (cluster: string) => (binding: ResourceBinding) =>
  (binding.status?.aggregatedStatus ?? []).some(
    ({ clusterName, health }) => clusterName === cluster && health === 'Healthy',
  );

async function workIn({ client }: TestPlane, cluster: string): Promise<Work | undefined> {
  const { items } = await client.list<Work>(WORK, { namespace: `karmada-es-${cluster}` });
  return items.find(({ metadata }) => metadata.name.startsWith('web-'));
}

describe('R64: a lost cluster', () => {
  it('loses its replicas to the others once they run there, and nothing more when it is back', async (t) => {
    const { plane, member, lose, recover } = await threeMembers(t, FASTEST);
    const { client } = plane;
    await client.create(CLUSTER_TAINT_POLICY, taintPolicy('NoExecute'));
    await client.create(PROPAGATION_POLICY, policy('p', { placement: { replicaScheduling: DIVIDED } }));
    await client.create(DEPLOYMENT, deployment('web', 6));
    const each = ['m1', 'm2', 'm3'];
    await placed(
      plane,
      each.map((name) => ({ name, replicas: 2 })),
    );
    await Promise.all(each.map((name) => rollOut(member(name), 2)));
    await Promise.all(
      each.map((name) => appears(client, RESOURCE_BINDING, BINDING, (object) => isHealthyIn(name)(object as never))),
    );

    await lose('m1');
    const moved = [
      { name: 'm2', replicas: 3 },
      { name: 'm3', replicas: 3 },
    ];
    const evicting = await placed(plane, moved, (binding) => tasksOf(binding)[0]?.creationTimestamp !== undefined);
    const { creationTimestamp: _stamped, ...task } = tasksOf(evicting)[0] ?? assert.fail('no task');
    assert.deepEqual(task, {
      fromCluster: 'm1',
      purgeMode: 'Gracefully',
      replicas: 2,
      reason: 'TaintUntolerated',
      producer: 'TaintManager',
    });
    assert.equal((await workIn(plane, 'm1'))?.metadata.deletionTimestamp, undefined, 'kept until the others run');

    await Promise.all(['m2', 'm3'].map((name) => rollOut(member(name), 3)));
    await placed(plane, moved, (binding) => tasksOf(binding).length === 0);
    await eventually(async () => (await workIn(plane, 'm1'))?.metadata.deletionTimestamp, 'the Work of m1 to go');

    await recover('m1');
    await disappears(member('m1').client, DEPLOYMENT, 'web');
    const back = await isReady(plane, 'm1', 'True');
    assert.deepEqual(back.spec.taints ?? [], []);
    await placed(plane, moved);
  });

  it('keeps everything by default', async (t) => {
    const { plane, member, lose } = await threeMembers(t);
    const { client } = plane;
    await assert.rejects(client.create(CLUSTER_TAINT_POLICY, taintPolicy('NoExecute')), /NoExecute effect is not/);
    await client.create(CLUSTER_TAINT_POLICY, taintPolicy('NoSchedule'));
    await client.create(PROPAGATION_POLICY, policy('p', { placement: { replicaScheduling: DIVIDED } }));
    await client.create(DEPLOYMENT, deployment('web', 6));
    const everywhere = ['m1', 'm2', 'm3'].map((name) => ({ name, replicas: 2 }));
    const before = await placed(plane, everywhere);
    await lose('m1');
    const lost = await isReady(plane, 'm1', 'False');
    const evicts = { key: 'evicts', effect: 'NoExecute' } as const;
    await eventually(async () => {
      const cluster = await client.get<Cluster>(CLUSTER, lost.metadata);
      const taints = [...(cluster.spec.taints ?? []), evicts];
      return client.update(CLUSTER, { ...cluster, spec: { ...cluster.spec, taints } });
    }, 'the taint');
    // Whatever is to come has come when something later has gone all the way.
    await client.create(CONFIG_MAP, configMap('later'));
    await appears(member('m2').client, CONFIG_MAP, 'later');
    const after = await placed(plane, everywhere);
    assert.equal(after.metadata.generation, before.metadata.generation);
    const cluster = await client.get<Cluster>(CLUSTER, { name: 'm1' });
    const keys = cluster.spec.taints?.map(({ key }) => key).sort();
    assert.deepEqual(keys, ['cluster.karmada.io/not-ready', 'evicts'], 'no policy acted');
  });

  const onlyHere = policy('p', { placement: { clusterAffinity: { clusterNames: ['m1'] } } });

  it('keeps the last copy when nothing else fits, says why, and has it again when it is back', async (t) => {
    const { plane, member, lose, recover } = await threeMembers(t, { ...FASTEST, gracefulEvictionTimeoutMs: 0 });
    const { client } = plane;
    await client.create(CLUSTER_TAINT_POLICY, taintPolicy('NoExecute'));
    await client.create(PROPAGATION_POLICY, onlyHere);
    await client.create(DEPLOYMENT, deployment('web', 2));
    await rollOut(member('m1'), 2);
    await placed(plane, [{ name: 'm1', replicas: 2 }], isHealthyIn('m1'));

    await lose('m1');
    const blocked = (binding: ResourceBinding) => findCondition(binding.status?.conditions, 'EvictionBlocked');
    const binding = await placed(plane, [], (each) => blocked(each)?.message?.includes('0/3') ?? false);
    assert.equal(blocked(binding)?.reason, 'LastCopy');
    assert.match(
      blocked(binding)?.message ?? '',
      /^the last copy stays in m1, for no other cluster fits: 0\/3 clusters are available: /,
    );
    assert.equal(tasksOf(binding).length, 1);
    assert.equal((await workIn(plane, 'm1'))?.metadata.deletionTimestamp, undefined);

    await recover('m1');
    const again = await placed(plane, [{ name: 'm1', replicas: 2 }], (each) => blocked(each) === undefined);
    assert.deepEqual(tasksOf(again), []);
    assert.equal((await member('m1').client.get<Deployment>(DEPLOYMENT, deployment('web').metadata)).spec.replicas, 2);
  });

  it('gives up the last copy when it is told to', async (t) => {
    const { plane, member } = await threeMembers(t, { ...FASTEST, gracefulEvictionTimeoutMs: 0 });
    const { client } = plane;
    await client.create(PROPAGATION_POLICY, onlyHere);
    const web = deployment('web', 2);
    await client.create(DEPLOYMENT, {
      ...web,
      metadata: { ...web.metadata, annotations: { [EVICT_LAST_COPY]: 'true' } },
    });
    await appears(member('m1').client, DEPLOYMENT, 'web');
    await eventually(async () => {
      const cluster = await client.get<Cluster>(CLUSTER, { name: 'm1' });
      const taints = [{ key: 'evicts', effect: 'NoExecute' } as const];
      return client.update(CLUSTER, { ...cluster, spec: { ...cluster.spec, taints } });
    }, 'the taint');
    await disappears(member('m1').client, DEPLOYMENT, 'web');
    await placed(plane, [], (binding) => tasksOf(binding).length === 0);
  });
});
