/** What the flow from a template to its members has promised, one test a promise, named by its number. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import {
  type Cluster,
  CLUSTER,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
  type ResourceBinding,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import { schedule } from '#karmada/scheduler/index.ts';
import { MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import { memoryStore, type Store } from '#kube/store/index.ts';
import { CONFIG_MAP, register, sharedPlane, testSpace } from './testing.ts';

/** A store that counts how often it is read as a whole. */
function counting(): { readonly store: Store; lists(): number } {
  const store = memoryStore();
  let lists = 0;
  const list: Store['list'] = (...args) => {
    lists += 1;
    return store.list(...args);
  };
  return { store: { ...store, list }, lists: () => lists };
}

const counted = counting();
const shared = sharedPlane(['m1', 'm2'], { store: counted.store });

describe('the flow', () => {
  it('R57, R82: a template is bound by what happens, not by looking at everything again', async () => {
    const space = await testSpace(await shared());
    await space.client.create(PROPAGATION_POLICY, space.policy('p'));
    await space.client.create(CONFIG_MAP, space.configMap('first'));
    await space.appears(CONFIG_MAP, 'first', 'm2');
    const before = counted.lists();
    for (const name of ['a', 'b', 'c']) await space.client.create(CONFIG_MAP, space.configMap(name));
    for (const name of ['a', 'b', 'c']) await space.appears(RESOURCE_BINDING, `${name}-configmap`);
    assert.equal(counted.lists(), before);
  });

  it('R60, R83: each target has one Work with one manifest, with its overrides applied and named', async () => {
    const space = await testSpace(await shared());
    await space.client.create(OVERRIDE_POLICY, {
      apiVersion: OVERRIDE_POLICY.apiVersion,
      kind: 'OverridePolicy',
      metadata: { name: 'o', namespace: space.namespace },
      spec: {
        overrideRules: [
          {
            targetCluster: { clusterNames: ['m2'] },
            overriders: { plaintext: [{ path: '/data/key', operator: 'replace', value: 'for m2' }] },
          },
        ],
      },
    });
    await space.client.create(PROPAGATION_POLICY, space.policy('p'));
    await space.client.create(CONFIG_MAP, space.configMap('a'));
    await space.appears(CONFIG_MAP, 'a', 'm1');
    await space.appears(CONFIG_MAP, 'a', 'm2');
    for (const [member, value] of [
      ['m1', 'value'],
      ['m2', 'for m2'],
    ]) {
      const { items } = await space.client.list<Work>(WORK, { namespace: `karmada-es-${member}` });
      const own = items.filter(({ spec }) => spec.workload?.manifests?.[0]?.metadata.namespace === space.namespace);
      assert.equal(own.length, 1);
      const manifests = own[0]?.spec.workload?.manifests ?? [];
      assert.deepEqual([manifests.length, manifests[0]?.['data']], [1, { key: value }]);
      assert.equal(
        /"o"/.test(own[0]?.metadata.annotations?.['policy.karmada.io/applied-overrides'] ?? ''),
        member === 'm2',
      );
    }
  });

  it('R59: the decision is a function of what is known, and says why of each cluster', async () => {
    const plane = await shared();
    const space = await testSpace(plane);
    await space.client.create(
      PROPAGATION_POLICY,
      space.policy('p', { placement: { clusterAffinity: { clusterNames: ['m2'] } } }),
    );
    await space.client.create(CONFIG_MAP, space.configMap('a'));
    const placed = ({ spec }: ResourceBinding) => (spec.clusters ?? []).length > 0;
    const binding = await space.appears<ResourceBinding>(RESOURCE_BINDING, 'a-configmap', undefined, placed);
    const { items: clusters } = await space.client.list<Cluster>(CLUSTER);
    const again = schedule({ binding, clusters, now: 0, because: 'asked again' });
    assert.deepEqual(again.clusters, binding.spec.clusters);
    const [explanation] = plane.karmada.engine.decisions.of(`${space.namespace}/a-configmap`);
    const verdicts = explanation?.attempts.at(-1)?.clusters.map(({ name, verdict }) => [name, verdict]);
    assert.deepEqual(verdicts, [
      ['m1', 'refused'],
      ['m2', 'placed'],
    ]);
  });

  it('R61, R84: what a member refuses is told on the Work and on the binding, in its own words', async (t) => {
    const space = await testSpace(await shared());
    const strict = await controlPlane({
      store: memoryStore(),
      authenticators: [staticTokens({ engine: { name: 'engine', groups: [MASTERS] } })],
      admission: [
        {
          name: 'strict',
          handles: ({ gvr, operation }) => gvr.resource === 'configmaps' && operation === 'CREATE',
          validate({ name }) {
            if (name === 'bad') throw new StatusError('Forbidden', 'bad names are not allowed');
          },
        },
      ],
    });
    t.after(() => strict.close());
    await register(space.client, 'strict', (await strict.listen()).url);
    const placement = { clusterAffinity: { clusterNames: ['strict'] } };
    await space.client.create(PROPAGATION_POLICY, space.policy('p', { placement }));
    await space.client.create(CONFIG_MAP, space.configMap('bad'));
    const refused = ({ status }: ResourceBinding) => status?.aggregatedStatus?.[0]?.appliedMessage !== undefined;
    const binding = await space.appears<ResourceBinding>(RESOURCE_BINDING, 'bad-configmap', undefined, refused);
    const item = binding.status?.aggregatedStatus?.[0];
    assert.ok(!item?.applied);
    assert.match(item?.appliedMessage ?? '', /bad names are not allowed/);
    const { items } = await space.client.list<Work>(WORK, { namespace: 'karmada-es-strict' });
    const work = items.find(({ metadata }) => metadata.name.startsWith('bad-'));
    const applied = work?.status?.conditions?.find(({ type }) => type === 'Applied');
    assert.deepEqual([applied?.status, applied?.reason], ['False', 'AppliedFailed']);
    await space.client.delete(CLUSTER, { name: 'strict' });
  });
});

describe('R65: a hundred members', () => {
  const member = (number: number): Cluster => ({
    apiVersion: CLUSTER.apiVersion,
    kind: 'Cluster',
    metadata: { name: `m${String(number).padStart(3, '0')}` },
    spec: { syncMode: 'Push' },
    status: {
      conditions: [{ type: 'CompleteAPIEnablements', status: 'True' }],
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] }],
      resourceSummary: { allocatable: { cpu: '10', pods: '110' }, allocated: { cpu: '2', pods: '10' } },
    },
  });

  it('hold together what each could hold, and not one replica more', () => {
    const clusters = Array.from({ length: 100 }, (_, n) => member(n));
    const binding = (replicas: number): ResourceBinding => ({
      apiVersion: RESOURCE_BINDING.apiVersion,
      kind: 'ResourceBinding',
      metadata: { name: 'app-deployment', namespace: 'default', generation: 1 },
      spec: {
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'app' },
        replicas,
        replicaRequirements: { resourceRequest: { cpu: '1' } },
        placement: {
          replicaScheduling: {
            replicaSchedulingType: 'Divided',
            replicaDivisionPreference: 'Weighted',
            weightPreference: { dynamicWeight: 'AvailableReplicas' },
          },
        },
      },
    });
    const placed = schedule({ binding: binding(800), clusters, now: 0, because: 'test' });
    assert.equal(placed.clusters?.length, 100);
    assert.ok(placed.clusters?.every(({ replicas }) => replicas === 8));
    assert.equal(schedule({ binding: binding(801), clusters, now: 0, because: 'test' }).outcome.type, 'unschedulable');
  });
});
