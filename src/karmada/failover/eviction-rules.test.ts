import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fakeClock, rfc3339 } from '#base/clock.ts';
import type {
  AggregatedStatusItem,
  AnyBinding,
  BindingSpec,
  Cluster,
  ClusterTaintPolicy,
  GracefulEvictionTask,
  MatchCondition,
  ResourceHealth,
  Taint,
  Toleration,
} from '#karmada/apis/index.ts';
import { detectFailures, purgeOf } from './application-failover.ts';
import { taintsByPolicies } from './cluster-taint-policy.ts';
import { evictCluster, evictedTarget } from './evict-cluster.ts';
import { evictionPace } from './eviction-pace.ts';
import { type AssessInput, assessTasks } from './eviction-tasks.ts';
import { preservedLabelState } from './preserved-state.ts';
import type { FailoverOptions } from './options.ts';
import { taintVerdicts } from './taint-eviction.ts';
import { taintVerdict } from './taint-verdict.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const secondsAgo = (seconds: number) => rfc3339(NOW - seconds * 1_000);

describe('taintVerdict', () => {
  const evicts: Taint = { key: 'lost', effect: 'NoExecute', timeAdded: secondsAgo(60) };
  const other: Taint = { key: 'other', effect: 'NoExecute', timeAdded: secondsAgo(10) };
  const forGood: Toleration = { operator: 'Exists' };
  const cases: [because: string, taints: Taint[], tolerations: Toleration[], verdict: object][] = [
    ['no taints', [], [], { type: 'stay' }],
    ['only new work is kept away by NoSchedule', [{ key: 'a', effect: 'NoSchedule' }], [], { type: 'stay' }],
    ['an untolerated taint', [evicts], [], { type: 'now', because: 'nothing tolerates lost:NoExecute' }],
    ['one of two is not tolerated', [evicts, other], [{ key: 'lost', operator: 'Exists' }], { type: 'now' }],
    ['tolerated for good', [evicts, other], [forGood], { type: 'stay' }],
    ['tolerated for a while', [evicts], [{ ...forGood, tolerationSeconds: 90 }], { type: 'later', afterMs: 30_000 }],
    ['tolerated for too long', [evicts], [{ ...forGood, tolerationSeconds: 60 }], { type: 'now' }],
    [
      'the first toleration to end decides',
      [evicts, other],
      [
        { key: 'other', operator: 'Exists', tolerationSeconds: 15 },
        { key: 'lost', operator: 'Exists', tolerationSeconds: 300 },
      ],
      { type: 'later', afterMs: 5_000 },
    ],
    [
      'the toleration listed first is the one used',
      [evicts],
      [{ key: 'lost', operator: 'Exists', tolerationSeconds: 0 }, forGood],
      { type: 'now' },
    ],
    [
      'a taint without a time is tolerated for good',
      [{ key: 'lost', effect: 'NoExecute' }],
      [{ ...forGood, tolerationSeconds: 1 }],
      { type: 'stay' },
    ],
  ];
  for (const [because, taints, tolerations, verdict] of cases) {
    it(because, () => {
      const found = taintVerdict(taints, tolerations, NOW);
      assert.deepEqual({ ...found, ...verdict }, found);
    });
  }
});

describe('taintVerdicts', () => {
  const LOST = { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute', timeAdded: '1970-01-01T00:00:00Z' } as const;
  const MINE = { ...LOST, key: 'mine' };
  const verdict = (taint: Taint, tolerations: readonly Toleration[], options: FailoverOptions) => {
    const annotations = { 'policy.karmada.io/applied-placement': JSON.stringify({ clusterTolerations: tolerations }) };
    const binding = { metadata: { name: 'web', annotations }, spec: { clusters: [{ name: 'm1' }] } };
    const cluster = { spec: { taints: [taint] } } as unknown as Cluster;
    const [found] = taintVerdicts(binding as unknown as AnyBinding, () => cluster, 10_000, options);
    const { type, ...rest } = found?.verdict ?? assert.fail();
    return 'afterMs' in rest ? `${type} ${rest.afterMs}` : type;
  };

  it('wait for a lost cluster as long as is said, where its policy says nothing, and for no other taint', () => {
    const waits = { evictionTimeoutMs: 30_000 };
    assert.equal(verdict(LOST, [], {}), 'now');
    assert.equal(verdict(LOST, [], waits), 'later 20000');
    assert.equal(verdict({ ...LOST, key: 'cluster.karmada.io/unreachable' }, [], waits), 'later 20000');
    assert.equal(verdict(LOST, [], { evictionTimeoutMs: 10_000 }), 'now');
    assert.equal(verdict(MINE, [], waits), 'now');
    const own = { key: LOST.key, operator: 'Exists' } as const;
    assert.equal(verdict(LOST, [{ ...own, tolerationSeconds: 5 }], waits), 'now');
    assert.equal(verdict(LOST, [own], waits), 'stay');
  });
});

describe('taintsByPolicies', () => {
  const cluster = (ready: 'True' | 'False' | undefined, taints: Taint[] = []): Cluster => ({
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'm1' },
    spec: { syncMode: 'Push', taints },
    ...(ready ? { status: { conditions: [{ type: 'Ready', status: ready }] } } : {}),
  });
  const when = (operator: 'In' | 'NotIn', ...statusValues: string[]): MatchCondition => ({
    conditionType: 'Ready',
    operator,
    statusValues,
  });
  const policy = (
    name: string,
    creationTimestamp: string,
    spec: Partial<ClusterTaintPolicy['spec']>,
  ): ClusterTaintPolicy => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name, creationTimestamp },
    spec: { taints: [{ key: 'lost', effect: 'NoExecute' }], ...spec },
  });
  const now = rfc3339(NOW);
  const lost: Taint = { key: 'lost', effect: 'NoExecute', timeAdded: secondsAgo(9) };
  const adds = policy('adds', secondsAgo(2), { addOnConditions: [when('NotIn', 'True')] });
  const removes = policy('removes', secondsAgo(1), { removeOnConditions: [when('In', 'False')] });

  it('adds when all conditions hold, with the time', () =>
    assert.deepEqual(taintsByPolicies(cluster('False'), [adds], now), [
      { key: 'lost', effect: 'NoExecute', timeAdded: now },
    ]));
  it('leaves a taint that is there as it is', () => {
    const seen = cluster('False', [lost]);
    assert.equal(taintsByPolicies(seen, [adds], now), seen.spec.taints);
  });
  it('takes a condition that is missing for one that does not hold', () =>
    assert.deepEqual(taintsByPolicies(cluster(undefined), [adds], now), []));
  it('never acts on an empty list', () =>
    assert.deepEqual(taintsByPolicies(cluster('False'), [policy('idle', now, { addOnConditions: [] })], now), []));
  it('removes by key and effect, whatever the value', () => {
    const taints = [{ ...lost, value: 'x' }, { key: 'lost', effect: 'NoSchedule' } as const];
    assert.deepEqual(taintsByPolicies(cluster('False', taints), [removes], now), taints.slice(1));
  });
  it('acts in the order of creation', () => {
    assert.deepEqual(taintsByPolicies(cluster('False'), [removes, adds], now), []);
    const later = { ...adds, metadata: { ...adds.metadata, creationTimestamp: now } };
    assert.equal(taintsByPolicies(cluster('False'), [later, removes], now).length, 1);
  });
  it('passes by clusters it does not mean', () => {
    const elsewhere = policy('p', now, {
      addOnConditions: [when('In', 'False')],
      targetClusters: { clusterNames: ['m2'] },
    });
    assert.deepEqual(taintsByPolicies(cluster('False'), [elsewhere], now), []);
  });
});

const healthOf = (states: Readonly<Record<string, ResourceHealth>>): AggregatedStatusItem[] =>
  Object.entries(states).map(([clusterName, health]) => ({ clusterName, health }));
const task = (more: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster: 'm1',
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  creationTimestamp: secondsAgo(60),
  replicas: 2,
  ...more,
});

describe('assessTasks', () => {
  const assess = (tasks: GracefulEvictionTask[], more: Partial<AssessInput> = {}) =>
    assessTasks({
      tasks,
      targets: [{ name: 'm2' }],
      aggregated: healthOf({ m1: 'Healthy', m2: 'Unknown' }),
      scheduled: true,
      now: NOW,
      timeoutMs: 600_000,
      ...more,
    });
  const fate = (...args: Parameters<typeof assess>) => {
    const { evicted, lastCopies, returned } = assess(...args);
    if (evicted.length > 0) return 'evicted';
    return lastCopies.length > 0 ? 'kept as the last copy' : returned.length > 0 ? 'returned' : 'kept';
  };
  const nowhere = { targets: [], scheduled: false };
  const old = task({ creationTimestamp: secondsAgo(3_600) });
  const healthy = { aggregated: healthOf({ m2: 'Healthy' }) };
  const cases: [because: string, task: GracefulEvictionTask, more: Partial<AssessInput>, fate: string][] = [
    ['while the new place is not healthy', task(), {}, 'kept'],
    ['when every target is healthy', task(), healthy, 'evicted'],
    ['until the scheduler has answered', task(), { ...healthy, scheduled: false }, 'kept'],
    ['while one target is not', task(), { ...healthy, targets: [{ name: 'm2' }, { name: 'm3' }] }, 'kept'],
    ['when its time is over', old, {}, 'evicted'],
    ['by its own grace period', task({ gracePeriodSeconds: 60 }), {}, 'evicted'],
    ['by no other than its own grace period', { ...old, gracePeriodSeconds: 7_200 }, {}, 'kept'],
    ['for ever when told so', { ...old, suppressDeletion: true }, healthy, 'kept'],
    ['no longer when told so', task({ suppressDeletion: false }), nowhere, 'evicted'],
    ['with nowhere to go, in time', task(), nowhere, 'kept'],
    ['with nowhere to go, beyond its time', old, nowhere, 'kept as the last copy'],
    ['with an empty answer', old, { targets: [], scheduled: true }, 'kept as the last copy'],
    ['with nowhere to go, when told so', old, { ...nowhere, evictLastCopy: true }, 'evicted'],
    ['when some of it is healthy elsewhere', old, { ...healthy, scheduled: false }, 'evicted'],
    ['when what is left elsewhere is not healthy', old, { scheduled: false }, 'kept as the last copy'],
    ['when it was purged directly', { ...old, purgeMode: 'Directly' }, nowhere, 'evicted'],
    ['or immediately, as that was called before', { ...old, purgeMode: 'Immediately' }, nowhere, 'evicted'],
    ['when its cause is over and it went nowhere', task(), { ...nowhere, isOver: () => true }, 'returned'],
    ['when its cause is over and it has a new place', task(), { isOver: () => true }, 'kept'],
  ];
  for (const [because, one, more, expected] of cases) {
    it(`is ${expected} ${because}`, () => assert.equal(fate([one], more), expected));
  }

  it('stamps a new task and looks again when it ends', () => {
    const { creationTimestamp: _none, ...fresh } = task({ gracePeriodSeconds: 5 });
    const { tasks, nextMs } = assess([fresh]);
    assert.deepEqual(tasks, [{ ...fresh, creationTimestamp: rfc3339(NOW) }]);
    assert.equal(nextMs, 5_000);
  });
  it('does not look again for tasks that people hold', () =>
    assert.equal(assess([task({ suppressDeletion: true })]).nextMs, undefined));
  it('gives back what it took', () =>
    assert.deepEqual(assess([task()], { ...nowhere, isOver: () => true }).returned, [{ name: 'm1', replicas: 2 }]));

  it('never leaves a workload without a copy, unless told to', () => {
    const names = ['m1', 'm2', 'm3', 'm4'] as const;
    const health = fc.constantFrom<ResourceHealth>('Healthy', 'Unhealthy', 'Unknown');
    const split = fc.tuple(fc.subarray([...names], { minLength: 1 }), fc.boolean(), fc.array(health, { minLength: 4 }));
    const ages = fc.array(fc.integer({ min: 0, max: 7_200 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(split, ages, fc.boolean(), ([leaving, scheduled, states], age, over) => {
        const tasks = leaving.map((fromCluster, at) =>
          task({ fromCluster, creationTimestamp: secondsAgo(age[at] ?? 0) }),
        );
        const targets = names.filter((name) => !leaving.includes(name)).map((name) => ({ name }));
        const aggregated = names.map((clusterName, at) => ({ clusterName, health: states[at] ?? 'Unknown' }));
        const found = assess(tasks, { targets, aggregated, scheduled, isOver: () => over });
        assert.equal(found.tasks.length + found.evicted.length + found.returned.length, tasks.length);
        assert.ok(found.tasks.length + found.returned.length + targets.length > 0, 'a copy is left');
        const healthyLeft = aggregated.some(
          (item) => item.health === 'Healthy' && !found.evicted.includes(item.clusterName),
        );
        const wasHealthy = aggregated.some((item) => item.health === 'Healthy');
        if (!scheduled && wasHealthy) assert.ok(healthyLeft, 'with nothing placed, a healthy copy is left');
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe('evictCluster', () => {
  const spec: BindingSpec = {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    clusters: [{ name: 'm1', replicas: 2 }, { name: 'm2' }],
  };
  const cause = { reason: 'TaintUntolerated', producer: 'TaintManager' };

  it('remembers where from and how much', () =>
    assert.deepEqual(evictCluster(spec, 'm1', cause), {
      ...spec,
      clusters: [{ name: 'm2' }],
      gracefulEvictionTasks: [{ fromCluster: 'm1', replicas: 2, ...cause }],
    }));
  it('leaves alone what is not there', () => assert.equal(evictCluster(spec, 'm3', cause), spec));
  it('keeps the task there is', () => {
    const again = { ...evictCluster(spec, 'm2', cause), clusters: spec.clusters ?? [] };
    const evicted = evictCluster(again, 'm2', { ...cause, reason: 'ApplicationFailure' });
    assert.deepEqual(evicted.gracefulEvictionTasks, again.gracefulEvictionTasks);
  });
  it('can be undone', () => {
    const evicted = evictCluster(spec, 'm1', cause);
    assert.deepEqual(evicted.gracefulEvictionTasks?.map(evictedTarget), spec.clusters?.slice(0, 1));
  });
});

describe('detectFailures', () => {
  const spec: BindingSpec = {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    clusters: [{ name: 'm1' }, { name: 'm2' }],
    failover: { application: { decisionConditions: { tolerationSeconds: 30 } } },
  };
  const detect = (states: Readonly<Record<string, ResourceHealth>>, before: [string, number][] = [], of = spec) => {
    const { failed, since, nextMs } = detectFailures(of, { aggregatedStatus: healthOf(states) }, new Map(before), NOW);
    return { failed, since: [...since], nextMs };
  };

  it('begins to count when it first sees an unhealthy copy', () =>
    assert.deepEqual(detect({ m1: 'Unhealthy', m2: 'Healthy' }), {
      failed: [],
      since: [['m1', NOW]],
      nextMs: 30_000,
    }));
  it('names copies that were unhealthy for as long as is tolerated', () => {
    const { failed, nextMs } = detect({ m1: 'Unhealthy', m2: 'Unhealthy' }, [
      ['m1', NOW - 30_000],
      ['m2', NOW - 29_000],
    ]);
    assert.deepEqual([failed, nextMs], [['m1'], 1_000]);
  });
  it('forgets copies that recovered or of which nobody knows', () =>
    assert.deepEqual(
      detect({ m1: 'Healthy', m2: 'Unknown' }, [
        ['m1', 0],
        ['m2', 0],
      ]).since,
      [],
    ));
  it('passes by copies on their way out, and by clusters that are no target', () => {
    const leaving = { ...spec, gracefulEvictionTasks: [task()] };
    assert.deepEqual(detect({ m1: 'Unhealthy', m9: 'Unhealthy' }, [['m1', 0]], leaving).failed, []);
  });
  it('acts at once when nothing is tolerated', () => {
    const impatient = { ...spec, failover: { application: { decisionConditions: { tolerationSeconds: 0 } } } };
    assert.deepEqual(detect({ m1: 'Unhealthy' }, [], impatient).failed, ['m1']);
  });

  it('purges as the policy says', () => {
    const decisionConditions = {};
    assert.deepEqual(
      [
        purgeOf({ decisionConditions, purgeMode: 'Gracefully', gracePeriodSeconds: 9 }),
        purgeOf({ decisionConditions, purgeMode: 'Graciously', gracePeriodSeconds: 9 }),
        purgeOf({ decisionConditions, purgeMode: 'Directly' }),
        purgeOf({ decisionConditions, purgeMode: 'Never' }),
      ],
      [
        { purgeMode: 'Gracefully', gracePeriodSeconds: 9 },
        { purgeMode: 'Graciously', gracePeriodSeconds: 9 },
        { purgeMode: 'Directly' },
        { purgeMode: 'Never', suppressDeletion: true },
      ],
    );
  });
});

describe('preservedLabelState', () => {
  const items = [{ clusterName: 'm1', status: { checkpoint: { id: 7 }, jobs: [{ name: 'a' }, { name: 'b' }] } }];
  const rules = [
    { aliasLabelName: 'checkpoint', jsonPath: '{ .checkpoint.id }' },
    { aliasLabelName: 'jobs', jsonPath: '{.jobs[*].name}' },
  ];
  it('reads each rule from the status of the cluster that is left', () =>
    assert.deepEqual(preservedLabelState({ rules }, items, 'm1'), { checkpoint: '7', jobs: 'a b' }));
  it('preserves nothing where nothing is asked for', () =>
    assert.equal(preservedLabelState(undefined, items, 'm1'), undefined));
  it('waits for the status', () =>
    assert.throws(() => preservedLabelState({ rules }, items, 'm2'), /has not yet been collected from Cluster\(m2\)/));
  it('refuses what the status does not have', () =>
    assert.throws(
      () => preservedLabelState({ rules: [{ aliasLabelName: 'x', jsonPath: '{.x}' }] }, items, 'm1'),
      /finds nothing/,
    ));
});

describe('evictionPace', () => {
  it('gives everybody a turn of their own, at the rate asked for', async () => {
    const clock = fakeClock();
    const pace = evictionPace(clock, 0.5);
    assert.deepEqual(
      ['a', 'b', 'c', 'b'].map((key) => pace.wait(key)),
      [0, 2_000, 4_000, 2_000],
    );
    pace.take('a');
    await clock.advance(2_000);
    assert.deepEqual(
      ['b', 'c'].map((key) => pace.wait(key)),
      [0, 2_000],
    );
    pace.take('b');
    assert.equal(pace.wait('b'), 4_000, 'behind those who wait');
  });
  it('all but stops at 0', () => {
    const pace = evictionPace(fakeClock(), 0);
    assert.deepEqual([pace.wait('a'), pace.wait('b')], [0, 1_800_000]);
  });
});
