/** Simulations on a running engine: what they answer, what they refuse, and that what they say is what happens. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  type AnyBinding,
  type Cluster,
  CLUSTER,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
  type TargetCluster,
} from '#karmada/apis/index.ts';
import type { SimulationSpec, SimulationStatus } from '#karmada/simulate/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import {
  appears,
  CONFIG_MAP,
  DEPLOYMENT,
  eventually,
  NAMESPACE,
  sharedPlane,
  type Space,
  testSpace,
} from './testing.ts';

const SIMULATIONS = { group: 'placement.kairship.io', version: 'v1alpha1', resource: 'simulations' };
const MEMBERS = ['m1', 'm2', 'm3'];
const plane = sharedPlane(MEMBERS, {
  engine: { preemption: true, failover: { enabled: true, noExecuteTaintEviction: true, evictionRate: 10_000 } },
});

async function simulated(spec: SimulationSpec): Promise<SimulationStatus> {
  const { client } = await plane();
  const object = { apiVersion: 'placement.kairship.io/v1alpha1', kind: 'Simulation', metadata: { name: 'test' }, spec };
  const answer: KubeObject & { readonly status?: unknown } = await client.create(SIMULATIONS, object);
  return answer.status as SimulationStatus;
}

const effectOn = (status: SimulationStatus, { namespace }: Space, name: string) =>
  status.bindings.find(({ binding }) => binding === `${namespace}/${name}`);

const bindingOf = async ({ client, key }: Space, name: string) => client.get<AnyBinding>(RESOURCE_BINDING, key(name));

const textOf = (clusters: readonly TargetCluster[] = []) =>
  clusters
    .map(({ name, replicas = 0 }) => `${name}:${replicas}`)
    .sort()
    .join(' ');

type Divided = { readonly kind: 'divided'; readonly weights: readonly number[] };
type Duplicated = { readonly kind: 'duplicated'; readonly clusters: readonly string[] };

function placementOf(wanted: Divided | Duplicated) {
  if (wanted.kind === 'duplicated') return { clusterAffinity: { clusterNames: wanted.clusters } };
  const weighed = wanted.weights.map((weight, at) => ({
    targetCluster: { clusterNames: [MEMBERS[at] ?? ''] },
    weight,
  }));
  const staticWeightList = weighed.filter(({ weight }) => weight > 0);
  return {
    clusterAffinity: { clusterNames: MEMBERS },
    replicaScheduling: {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { staticWeightList },
    },
  } as const;
}

/** A Deployment that has been placed. */
async function placed(replicas: number, wanted: Divided | Duplicated): Promise<Space> {
  const space = await testSpace(await plane());
  await space.client.create(PROPAGATION_POLICY, space.policy('p', { placement: placementOf(wanted) }));
  await space.client.create(DEPLOYMENT, space.deployment('app', replicas));
  await settled(space);
  return space;
}

/** Resolves with where it runs once the scheduler has answered to the newest state of the binding. */
function settled(space: Space, is: (binding: AnyBinding) => boolean = () => true): Promise<AnyBinding> {
  return eventually(async () => {
    const binding = await bindingOf(space, 'app-deployment');
    const { status, metadata } = binding;
    const answered =
      status?.schedulerObservedGeneration === metadata.generation ||
      status?.conditions?.some(({ type, status: is }) => type === 'Scheduled' && is === 'False');
    return answered && is(binding) ? binding : undefined;
  }, 'the scheduler to have answered');
}

const half: Divided = { kind: 'divided', weights: [1, 1, 0] };

describe('a simulation', () => {
  it('says what another number of replicas would do, and writes nothing', async () => {
    const space = await placed(4, half);
    const { client, namespace } = space;
    const before = await bindingOf(space, 'app-deployment');
    const reference = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'app' };
    const status = await simulated({ replicas: [{ ...reference, replicas: 6 }] });
    const effect = effectOn(status, space, 'app-deployment');
    assert.equal(effect?.verdict, 'moved');
    assert.equal(textOf(effect?.before), 'm1:2 m2:2');
    assert.equal(textOf(effect?.after), 'm1:3 m2:3');
    assert.equal(effect?.because, 'replicas went 4 → 6');
    assert.deepEqual(
      effect?.manifests.map(({ cluster, change, paths }) => [cluster, change, paths]),
      ['m1', 'm2'].map((name) => [name, 'modified', [{ path: '/spec/replicas', old: 2, new: 3 }]]),
    );
    assert.deepEqual(effect?.disruption, {
      replicas: { before: 4, after: 6 },
      started: 2,
      stopped: 0,
      restarted: 0,
      minimumAvailable: 4,
    });
    assert.equal(effect?.explanation?.attempts[0]?.outcome.type, 'scheduled');
    assert.deepEqual(status.summary, {
      bindings: 1,
      changed: 1,
      moved: 0,
      started: 2,
      stopped: 0,
      restarted: 0,
      unschedulable: 0,
      conflicts: 0,
    });
    const { metadata } = await client.get(RESOURCE_BINDING, space.key('app-deployment'));
    assert.equal(metadata.resourceVersion, before.metadata.resourceVersion);
  });

  it('renders what an override would change in which cluster, and which pods that remakes', async () => {
    const space = await placed(4, half);
    const override = {
      apiVersion: OVERRIDE_POLICY.apiVersion,
      kind: 'OverridePolicy',
      metadata: { name: 'o', namespace: space.namespace },
      spec: {
        overrideRules: [
          {
            targetCluster: { clusterNames: ['m1'] },
            overriders: { imageOverrider: [{ component: 'Tag', operator: 'add', value: '1.29' }] },
          },
        ],
      },
    };
    const status = await simulated({ apply: [override] });
    const effect = effectOn(status, space, 'app-deployment');
    assert.deepEqual(effect?.manifests, [
      {
        cluster: 'm1',
        change: 'modified',
        paths: [{ path: '/spec/template/spec/containers/0/image', old: 'nginx', new: 'nginx:1.29' }],
      },
    ]);
    assert.equal(effect?.disruption?.restarted, 2);
    assert.equal(effect?.verdict, 'changed');
  });

  it('shows what a new policy and a new template would make, and what stands in their way', async () => {
    const space = await testSpace(await plane());
    const member = (await plane()).member('m1').client;
    await member.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: space.namespace } });
    await member.create(CONFIG_MAP, space.configMap('new'));
    const policy = space.policy('p', { placement: placementOf({ kind: 'duplicated', clusters: ['m1', 'm2'] }) });
    const status = await simulated({ apply: [policy, space.configMap('new')] });
    const effect = effectOn(status, space, 'new-configmap');
    assert.equal(effect?.verdict, 'created');
    assert.deepEqual(effect?.policy, { after: `PropagationPolicy ${space.namespace}/p` });
    assert.deepEqual(effect?.manifests, [
      { cluster: 'm1', change: 'created' },
      { cluster: 'm2', change: 'created' },
    ]);
    assert.deepEqual(
      status.conflicts.map(({ type, cluster }) => [type, cluster]),
      [['ObjectExists', 'm1']],
    );
    assert.equal(await space.find(CONFIG_MAP, 'new'), undefined);
  });

  it('tells when one policy takes from another, and what becomes of what a policy leaves', async () => {
    const space = await placed(2, { kind: 'duplicated', clusters: ['m1'] });
    const greater = space.policy('greater', {
      priority: 10,
      preemption: 'Always',
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' }],
      placement: placementOf({ kind: 'duplicated', clusters: ['m2'] }),
    });
    const taken = await simulated({ apply: [greater] });
    assert.equal(textOf(effectOn(taken, space, 'app-deployment')?.after), 'm2:2');
    assert.match(taken.conflicts[0]?.message ?? '', /greater preempts PropagationPolicy .*\/p$/);
    const policy = { apiVersion: PROPAGATION_POLICY.apiVersion, kind: 'PropagationPolicy', name: 'p' };
    const left = await simulated({ remove: [{ ...policy, namespace: space.namespace }] });
    const effect = effectOn(left, space, 'app-deployment');
    assert.deepEqual(
      [effect?.verdict, effect?.because, textOf(effect?.after)],
      ['changed', 'no policy claims it', 'm1:2'],
    );
  });

  it('tells what fits nowhere when clusters are lost, and what a new one could take', async () => {
    const space = await placed(2, { kind: 'duplicated', clusters: ['m1'] });
    const lost = await simulated({ lose: ['m1'] });
    const effect = effectOn(lost, space, 'app-deployment');
    assert.equal(effect?.verdict, 'nowhere');
    assert.deepEqual(effect?.evictions, [{ cluster: 'm1', when: 'now', because: 'the cluster is lost' }]);
    assert.equal(effect?.disruption?.minimumAvailable, 0);
    const told = lost.unschedulable.find(({ binding }) => binding === `${space.namespace}/app-deployment`);
    assert.match(told?.message ?? '', /^0\/3 clusters are available/);
    const labels = { tier: 'new' };
    const anywhere = { placement: { clusterAffinity: { labelSelector: { matchLabels: labels } } } };
    const joined = await simulated({
      apply: [space.policy('p', anywhere)],
      join: [{ name: 'm9', labels, capacity: { cpu: '8', memory: '16Gi', pods: '110' } }],
    });
    assert.equal(textOf(effectOn(joined, space, 'app-deployment')?.after), 'm9:2');
  });

  it('refuses what admission would refuse, and says all that is wrong at once', async () => {
    const space = await testSpace(await plane());
    const spreadConstraints = [{ spreadByField: 'region', maxGroups: 1, minGroups: 1 } as const];
    const wrong = {
      apply: [space.policy('p', { placement: { spreadConstraints } })],
      lose: ['nowhere'],
      replicas: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: space.namespace, name: 'none', replicas: 1 }],
    };
    await assert.rejects(
      simulated(wrong),
      (error: Error & { reason: string; details: { causes: { field: string }[] } }) => {
        assert.equal(error.reason, 'Invalid');
        assert.deepEqual(
          error.details.causes.map(({ field }) => field),
          ['spec.apply[0]', 'spec.replicas[0]', 'spec.lose[0]'],
        );
        assert.match(error.message, /the cluster spread constraint must be enabled/);
        return true;
      },
    );
    await assert.rejects(simulated({ loose: ['m1'] } as never), /spec.loose: Invalid value.*unknown field/);
    await assert.rejects(simulated({ lose: Array.from({ length: 201 }, () => 'm1') }), /must have at most 200 items/);
    const large = { ...space.configMap('large'), data: { key: 'x'.repeat(1_100_000) } };
    await assert.rejects(simulated({ apply: [large] }), { reason: 'RequestEntityTooLarge' });
  });

  it('follows dependencies to where their template goes', async () => {
    const space = await testSpace(await plane());
    const policy = space.policy('p', {
      propagateDeps: true,
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: placementOf({ kind: 'duplicated', clusters: ['m1'] }),
    });
    await space.client.create(PROPAGATION_POLICY, policy);
    await space.client.create(CONFIG_MAP, space.configMap('conf'));
    const volumes = [{ name: 'conf', configMap: { name: 'conf' } }];
    await space.client.create(DEPLOYMENT, space.deployment('app', 1, { volumes }));
    await appears(space.client, RESOURCE_BINDING, space.key('conf-configmap'));
    await space.appears(CONFIG_MAP, 'conf', 'm1');
    const moved = {
      ...policy,
      spec: { ...policy.spec, placement: placementOf({ kind: 'duplicated', clusters: ['m2'] }) },
    };
    const status = await simulated({ apply: [moved] });
    assert.deepEqual(effectOn(status, space, 'conf-configmap')?.manifests, [
      { cluster: 'm1', change: 'deleted' },
      { cluster: 'm2', change: 'created' },
    ]);
  });
});

const weights = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 })
  .map(([a = 1, ...rest]) => [a + 1, ...rest]);
const wanted: fc.Arbitrary<Divided | Duplicated> = fc.oneof(
  fc.record({ kind: fc.constant('divided' as const), weights }),
  fc.record({
    kind: fc.constant('duplicated' as const),
    clusters: fc.subarray(MEMBERS, { minLength: 1 }),
  }),
);
const action = fc.oneof(
  fc.record({ type: fc.constant('policy' as const), wanted }),
  fc.record({ type: fc.constant('replicas' as const), replicas: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ type: fc.constantFrom('taint' as const, 'lose' as const), cluster: fc.constantFrom(...MEMBERS) }),
  fc.record({ type: fc.constant('remove' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

function asked(space: Space, what: Action): SimulationSpec {
  const reference = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: space.namespace, name: 'app' };
  if (what.type === 'policy') return { apply: [space.policy('p', { placement: placementOf(what.wanted) })] };
  if (what.type === 'replicas') return { replicas: [{ ...reference, replicas: what.replicas }] };
  if (what.type === 'remove') return { remove: [reference] };
  if (what.type === 'lose') return { lose: [what.cluster] };
  return { taints: [{ cluster: what.cluster, add: [taintOf(space)] }] };
}

const taintOf = (space: Space) => ({ key: space.namespace, effect: 'NoExecute' }) as const;

async function done(space: Space, what: Action): Promise<void> {
  const { client, key } = space;
  const merge = (body: object) => ({ type: 'merge', body }) as const;
  if (what.type === 'policy') {
    const { spec } = space.policy('p', { placement: placementOf(what.wanted) });
    const current = await client.get<KubeObject & { spec: object }>(PROPAGATION_POLICY, key('p'));
    await client.update(PROPAGATION_POLICY, { ...current, spec });
  }
  if (what.type === 'replicas')
    await client.patch(DEPLOYMENT, key('app'), merge({ spec: { replicas: what.replicas } }));
  if (what.type === 'remove') await client.delete(DEPLOYMENT, key('app'));
  // Failover answers to a loss as to a taint that nothing tolerates.
  if ('cluster' in what) await retaint(space, what.cluster, (taints) => [...taints, taintOf(space)]);
}

type Taints = NonNullable<Cluster['spec']['taints']>;

async function retaint({ client }: Space, name: string, make: (taints: Taints) => Taints): Promise<void> {
  await eventually(async () => {
    const cluster = await client.get<Cluster>(CLUSTER, { name });
    await client.update(CLUSTER, { ...cluster, spec: { ...cluster.spec, taints: make(cluster.spec.taints ?? []) } });
    return true;
  }, 'the cluster to be tainted');
}

describe('what a simulation says', () => {
  it('is what happens', async () => {
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 8 }), wanted, action, async (replicas, first, what) => {
      const space = await placed(replicas, first);
      const before = await bindingOf(space, 'app-deployment');
      try {
        const status = await simulated({ ...asked(space, what), includeUnchanged: true });
        const effect = effectOn(status, space, 'app-deployment');
        await done(space, what);
        if (what.type === 'remove') {
          assert.equal(effect?.verdict, 'removed');
          await space.disappears(RESOURCE_BINDING, 'app-deployment');
          return;
        }
        // What does not concern it is not looked at.
        const said = textOf(effect ? effect.after : before.spec.clusters);
        await settled(space, ({ spec }) => textOf(spec.clusters) === said).catch(async (cause: unknown) => {
          const { spec } = await bindingOf(space, 'app-deployment');
          throw new Error(`said ${said}, is ${textOf(spec.clusters)}`, { cause });
        });
      } finally {
        if ('cluster' in what)
          await retaint(space, what.cluster, (all) => all.filter(({ key }) => key !== space.namespace));
      }
    });
    await fc.assert(property, { seed: 1, numRuns: 20 });
  });
});
