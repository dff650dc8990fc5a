import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Cluster, Placement, ResourceBinding, SpreadConstraint } from '#karmada/apis/index.ts';
import { parseAllDocuments } from 'yaml';
import type { Decision, SchedulerOptions } from './decision.ts';
import { schedule, targetClustersText } from './index.ts';
import {
  aggregated,
  type BindingGiven,
  binding,
  type ClusterGiven,
  cluster,
  divided,
  duplicated,
  dynamic,
  estimates,
  staticWeights,
} from './testing.ts';

interface Given {
  /** Three plain clusters m1, m2, m3 when absent. */
  readonly clusters?: Readonly<Record<string, ClusterGiven>>;
  readonly binding?: BindingGiven;
  /** Free capacity by cluster; plenty when absent. */
  readonly room?: Readonly<Record<string, number>>;
  readonly options?: SchedulerOptions;
}

const THREE = { m1: {}, m2: {}, m3: {} };

function decide({ clusters = THREE, room, options, ...given }: Given): Decision {
  const names = Object.keys(clusters);
  return schedule({
    binding: binding(given.binding),
    clusters: Object.entries(clusters).map(([name, each]) => cluster(name, each)),
    now: 0,
    estimators: [estimates(room ?? Object.fromEntries(names.map((name) => [name, 100])))],
    ...(options ? { options } : {}),
  });
}

/** `{m1:4, m2:2}` when scheduled, `type: message` otherwise. */
function result(given: Given): string {
  const { outcome, clusters } = decide(given);
  return outcome.type === 'scheduled' ? targetClustersText(clusters ?? []) : `${outcome.type}: ${outcome.message}`;
}

type Case = [because: string, given: Given, expected: string];

function table(cases: readonly Case[]): void {
  for (const [because, given, expected] of cases) it(because, () => assert.equal(result(given), expected));
}

/** Where it runs: `on('m1:5 m2:3')`. */
function on(text: string): BindingGiven {
  const clusters = text.split(' ').map((each) => {
    const [name = '', replicas = '0'] = each.split(':');
    return { name, replicas: Number(replicas) };
  });
  return { clusters };
}

describe('what is no workload', () => {
  const configMap = { replicas: 0, resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', namespace: 'default' } };
  table([
    ['goes to every feasible cluster', { binding: configMap }, '{m1:0, m2:0, m3:0}'],
    [
      'goes to as many as a spread constraint allows',
      { binding: { ...configMap, placement: spread({ cluster: [1, 2] }) } },
      '{m1:0, m2:0}',
    ],
    [
      'stays where it is when the limit falls',
      { binding: { ...configMap, ...on('m3'), placement: spread({ cluster: [1, 1] }) } },
      '{m3:0}',
    ],
    [
      'a workload of no replicas and no requests goes everywhere, too',
      { binding: { replicas: 0, placement: divided() } },
      '{m1:0, m2:0, m3:0}',
    ],
    [
      'one with several components goes to all selected',
      { binding: { components: [component('a'), component('b')] } },
      '{m1:0, m2:0, m3:0}',
    ],
  ]);
  it('is listed without replicas', () =>
    assert.deepEqual(decide({ binding: configMap }).clusters?.[0], { name: 'm1' }));
});

function component(name: string) {
  return { name, replicas: 1 };
}

/** Constraints as `{field: [min, max]}`. */
function spread(constraints: Readonly<Record<string, readonly [min: number, max: number]>>): Placement {
  const spreadConstraints = Object.entries(constraints).map(([field, [minGroups, maxGroups]]): SpreadConstraint => {
    const by = field.startsWith('label:')
      ? { spreadByLabel: field.slice('label:'.length) }
      : { spreadByField: field as NonNullable<SpreadConstraint['spreadByField']> };
    return { ...by, minGroups, ...(maxGroups === 0 ? {} : { maxGroups }) };
  });
  return { spreadConstraints };
}

describe('Duplicated', () => {
  table([
    ['gives every cluster all replicas', { binding: { placement: duplicated } }, '{m1:8, m2:8, m3:8}'],
    ['is what an absent strategy means', {}, '{m1:8, m2:8, m3:8}'],
    [
      'does not look at capacity',
      { binding: { placement: duplicated }, room: { m1: 1, m2: 0, m3: 0 } },
      '{m1:8, m2:8, m3:8}',
    ],
    [
      'takes the preferred within a limit',
      { binding: spreading(duplicated, { cluster: [1, 2] }), room: { m1: 1, m2: 9, m3: 5 } },
      '{m2:8, m3:8}',
    ],
  ]);
});

function spreading(placement: Placement, constraints: Parameters<typeof spread>[0]): BindingGiven {
  return { placement: { ...placement, ...spread(constraints) } };
}

describe('static weights', () => {
  table([
    ['divide by weight', { binding: { placement: staticWeights({ m1: 2, m2: 1 }), replicas: 6 } }, '{m1:4, m2:2}'],
    ['are equal when none are given', { binding: { placement: divided(), replicas: 6 } }, '{m1:2, m2:2, m3:2}'],
    [
      'are equal when none matches',
      { binding: { placement: staticWeights({ other: 5 }), replicas: 3 } },
      '{m1:1, m2:1, m3:1}',
    ],
    ['leave out clusters without one', { binding: { placement: staticWeights({ m2: 1 }), replicas: 3 } }, '{m2:3}'],
    [
      'do not care for capacity or history',
      { binding: { placement: staticWeights({ m1: 1, m2: 1 }), ...on('m1:8') }, room: {} },
      '{m1:4, m2:4}',
    ],
    [
      'do not care for spread constraints',
      { binding: { placement: { ...divided(), ...spread({ cluster: [1, 1] }) } } },
      '{m1:3, m2:3, m3:2}',
    ],
    [
      'drop a cluster whose share is none',
      { binding: { placement: staticWeights({ m1: 100, m2: 1 }), replicas: 2 } },
      '{m1:2}',
    ],
  ]);

  it('of several rules the greatest weight counts', () => {
    const staticWeightList = [
      { targetCluster: {}, weight: 1 },
      { targetCluster: { clusterNames: ['m1'] }, weight: 2 },
    ];
    const placement = divided({ weightPreference: { staticWeightList } });
    assert.equal(result({ binding: { placement, replicas: 4 } }), '{m1:2, m2:1, m3:1}');
  });

  it('keep empty clusters when asked to', () => {
    const given = {
      binding: { placement: staticWeights({ m1: 1 }), replicas: 2 },
      options: { emptyWorkloadPropagation: true },
    };
    assert.equal(result(given), '{m1:2, m2:0, m3:0}');
  });
});

describe('dynamic weight', () => {
  const room = { m1: 18, m2: 12, m3: 6 };
  const scale = (replicas: number, from = '') => ({ placement: dynamic, replicas, ...(from === '' ? {} : on(from)) });
  table([
    ['divides by free capacity', { binding: scale(12), room }, '{m1:6, m2:4, m3:2}'],
    [
      'scaling up divides only what is new',
      { binding: scale(14, 'm1:12'), room: { m1: 0, m2: 10, m3: 10 } },
      '{m1:12, m2:1, m3:1}',
    ],
    [
      'scaling up keeps a cluster that has no room left',
      { binding: scale(13, 'm3:12'), room: { m1: 9, m2: 0, m3: 0 } },
      '{m1:1, m2:0, m3:12}'.replace(', m2:0', ''),
    ],
    ['scaling down divides by what each had', { binding: scale(6, 'm1:6 m2:4 m3:2'), room: {} }, '{m1:3, m2:2, m3:1}'],
    ['nothing moves when the sum is right', { binding: scale(8, 'm2:7 m1:1'), room: { m3: 100 } }, '{m2:7, m1:1}'],
    [
      'too little room',
      { binding: scale(40), room },
      'unschedulable: failed to assign replicas: failed to scale up: Clusters available replicas 36 are not enough to schedule.',
    ],
    [
      'replicas of a cluster that is refused now move',
      { clusters: { m1: {}, m2: {} }, binding: scale(8, 'm1:4 gone:4'), room: { m1: 1, m2: 9 } },
      '{m1:4, m2:4}',
    ],
  ]);

  const fresh = {
    rescheduleTriggeredAt: '2026-01-02T00:00:00Z',
    status: { lastScheduledTime: '2026-01-01T00:00:00Z' },
  };
  it('a rebalancing divides everything by what each could hold', () =>
    assert.equal(
      result({ binding: { ...scale(8, 'm1:8'), ...fresh }, room: { m1: 2, m2: 10, m3: 0 } }),
      '{m1:4, m2:4}',
    ));
});

describe('Aggregated', () => {
  const scale = (replicas: number, from = '') => ({
    placement: aggregated,
    replicas,
    ...(from === '' ? {} : on(from)),
  });
  table([
    ['uses the largest cluster alone', { binding: scale(12), room: { m1: 6, m2: 12, m3: 6 } }, '{m2:12}'],
    ['uses as few as hold all', { binding: scale(12), room: { m1: 6, m2: 6, m3: 6 } }, '{m1:6, m2:6}'],
    ['fills the clusters in use first', { binding: scale(12, 'm3:8'), room: { m1: 50, m2: 50, m3: 4 } }, '{m3:12}'],
    [
      'goes on to others when those are full',
      { binding: scale(12, 'm3:8'), room: { m1: 9, m2: 50, m3: 1 } },
      '{m2:4, m3:8}',
    ],
    ['scaling down keeps the clusters with most', { binding: scale(5, 'm1:3 m2:6') }, '{m2:5}'],
  ]);
});

describe('spreading by cluster', () => {
  table([
    [
      'too few clusters',
      { binding: spreading(dynamic, { cluster: [4, 5] }) },
      'error: failed to select clusters: the number of feasible clusters is less than spreadConstraint.MinGroups',
    ],
    [
      'the roomiest are preferred',
      { binding: spreading(dynamic, { cluster: [1, 2] }), room: { m1: 1, m2: 9, m3: 8 } },
      '{m2:4, m3:4}',
    ],
    [
      'the one in use is preferred to roomier ones',
      { binding: { ...spreading(dynamic, { cluster: [1, 1] }), ...on('m1:8') }, room: { m1: 1, m2: 9 } },
      '{m1:8}',
    ],
    [
      'but is given up when it cannot hold all',
      { binding: { ...spreading(dynamic, { cluster: [1, 1] }), replicas: 20, ...on('m1:8') }, room: { m1: 1, m2: 30 } },
      '{m2:20}',
    ],
    [
      'nothing holds all',
      { binding: spreading(dynamic, { cluster: [1, 2] }), room: { m1: 3, m2: 3, m3: 3 } },
      'error: failed to select clusters: no enough resource when selecting 2 clusters',
    ],
    [
      'without a maximum nothing is selected, as in Karmada',
      { binding: spreading(duplicated, { cluster: [1, 0] }) },
      'error: failed to assign replicas: no clusters available to schedule',
    ],
  ]);
});

describe('spreading by region', () => {
  const clusters = { a1: { region: 'a' }, a2: { region: 'a' }, b1: { region: 'b' }, c1: { region: 'c' } };
  const room = { a1: 5, a2: 4, b1: 9, c1: 2 };
  table([
    [
      'one cluster of each region first',
      { clusters, room, binding: spreading(duplicated, { region: [2, 2], cluster: [2, 2] }) },
      '{b1:8, a1:8}',
    ],
    [
      'then the preferred of the rest',
      { clusters, room, binding: spreading(duplicated, { region: [2, 2], cluster: [2, 3] }) },
      '{b1:8, a1:8, a2:8}',
    ],
    [
      'regions that hold more win',
      { clusters, room, binding: spreading(dynamic, { region: [2, 2], cluster: [2, 4] }) },
      '{a1:2, a2:2, b1:4}',
    ],
    [
      'too few regions',
      { clusters, room, binding: spreading(dynamic, { region: [4, 4], cluster: [1, 4] }) },
      'error: failed to select clusters: the number of feasible region is less than spreadConstraint.MinGroups',
    ],
    [
      'too few clusters in any choice',
      { clusters, room, binding: spreading(dynamic, { region: [1, 1], cluster: [3, 4] }) },
      'error: failed to select clusters: the number of clusters is less than the cluster spreadConstraint.MinGroups',
    ],
    [
      'a cluster without a region is refused',
      {
        clusters: { ...clusters, x: {} },
        room: { ...room, x: 99 },
        binding: spreading(duplicated, { region: [3, 3], cluster: [3, 9] }),
      },
      '{b1:8, a1:8, c1:8, a2:8}',
    ],
  ]);
});

describe('spreading by zone, provider and label, which Karmada cannot', () => {
  const clusters = {
    a1: { provider: 'aws', zones: ['z1', 'z2'], labels: { ring: 'canary' } },
    a2: { provider: 'aws', zones: ['z3'], labels: { ring: 'prod' } },
    g1: { provider: 'gcp', zones: ['z4'], labels: { ring: 'prod' } },
    n1: { provider: 'nil', zones: ['z5'] },
  };
  const room = { a1: 9, a2: 8, g1: 7, n1: 1 };
  const strict = { strictSpread: true };
  table([
    [
      'by provider',
      { clusters, room, binding: spreading(duplicated, { provider: [2, 2], cluster: [2, 2] }) },
      '{a1:8, g1:8}',
    ],
    [
      'by provider without a limit',
      { clusters, room, binding: spreading(dynamic, { provider: [3, 0], cluster: [3, 3] }) },
      '{a1:4, g1:3, n1:1}',
    ],
    ['by zone', { clusters, room, binding: spreading(duplicated, { zone: [3, 3], cluster: [1, 9] }) }, '{a1:8, a2:8}'],
    ['by label', { clusters, room, binding: spreading(duplicated, { 'label:ring': [2, 2] }) }, '{a1:8, a2:8, g1:8}'],
    [
      'by provider and label at once',
      { clusters, room, binding: spreading(duplicated, { provider: [2, 2], 'label:ring': [2, 2], cluster: [2, 2] }) },
      '{a1:8, g1:8}',
    ],
    [
      'too few zones',
      { clusters, room, binding: spreading(duplicated, { zone: [6, 9], cluster: [1, 9] }) },
      'error: failed to select clusters: the number of feasible zone is less than spreadConstraint.MinGroups',
    ],
    [
      'too few labels',
      { clusters, room, binding: spreading(duplicated, { 'label:ring': [3, 3] }) },
      'error: failed to select clusters: the number of feasible label ring is less than spreadConstraint.MinGroups',
    ],
    [
      'strictly, zones alone are refused as Karmada refuses them',
      { clusters, room, options: strict, binding: spreading(duplicated, { zone: [1, 2] }) },
      'error: failed to select clusters: just support cluster and region spread constraint',
    ],
    [
      'strictly, zones beside clusters are not looked at',
      { clusters, room, options: strict, binding: spreading(duplicated, { zone: [5, 5], cluster: [1, 1] }) },
      '{a1:8}',
    ],
  ]);
});

describe('when nothing fits', () => {
  const tainted = { taints: [{ key: 'edge', value: 'true', effect: 'NoSchedule' as const }] };
  const none = { placement: { clusterAffinity: { clusterNames: ['other'] } } };
  table([
    [
      'the message counts reasons',
      {
        clusters: { m1: tainted, m2: {}, m3: {} },
        binding: { placement: { clusterAffinity: { clusterNames: ['m1'] } } },
      },
      'noClusterFit: 0/3 clusters are available: 1 cluster(s) had untolerated taint {edge=true:NoSchedule}, 2 cluster(s) did not match the placement cluster affinity constraint.',
    ],
    [
      'there may be no cluster at all',
      { clusters: {} },
      'noClusterFit: 0/0 clusters are available: no cluster exists.',
    ],
    [
      'deleting clusters are counted but not blamed',
      { clusters: { m1: { deleting: true } } },
      'noClusterFit: 0/1 clusters are available: no cluster exists.',
    ],
  ]);
  it('the answer is no cluster, so that what runs is taken away', () =>
    assert.deepEqual(decide({ binding: { ...none, ...on('m1:8') } }).clusters, []));
  it('for want of room what runs is left alone', () =>
    assert.equal(decide({ binding: { placement: dynamic, replicas: 99 }, room: {} }).clusters, undefined));
});

describe('affinity groups', () => {
  const clusterAffinities = [
    { affinityName: 'first', clusterNames: ['m1'] },
    { affinityName: 'second', clusterNames: ['m2'] },
    { affinityName: 'third', clusterNames: ['m3'] },
  ];
  const placement = { ...dynamic, clusterAffinities };
  const using = (name: string) => ({ schedulerObservingAffinityName: name });

  it('the first that takes it is used', () => {
    const decision = decide({ binding: { placement }, room: { m1: 1, m2: 9, m3: 9 } });
    assert.equal(targetClustersText(decision.clusters ?? []), '{m2:8}');
    assert.equal(decision.affinityName, 'second');
    assert.deepEqual(
      decision.explanation.attempts.map(({ affinityName, outcome }) => [affinityName, outcome.type]),
      [
        ['first', 'unschedulable'],
        ['second', 'scheduled'],
      ],
    );
  });

  it('nothing goes back to an earlier group by itself', () =>
    assert.equal(decide({ binding: { placement, status: using('second') } }).affinityName, 'second'));

  it('a rebalancing starts over', () => {
    const status = { ...using('second'), lastScheduledTime: '2026-01-01T00:00:00Z' };
    const rescheduled = { placement, status, rescheduleTriggeredAt: '2026-01-02T00:00:00Z' };
    assert.equal(decide({ binding: rescheduled }).affinityName, 'first');
  });

  it('a group that is no longer there counts as none', () =>
    assert.equal(decide({ binding: { placement, status: using('gone') } }).affinityName, 'first'));

  it('when all fail, the first failure is told', () => {
    const decision = decide({ binding: { placement }, clusters: { m2: {} }, room: {} });
    assert.equal(decision.outcome.type, 'noClusterFit');
    assert.equal(decision.affinityName, undefined);
    assert.deepEqual(decision.clusters, []);
  });
});

describe('overflow tiers', () => {
  const clusterAffinities = [
    {
      affinityName: 'own',
      clusterNames: ['m1'],
      overflowAffinities: [
        { affinityName: 'rented', clusterNames: ['m2'] },
        { affinityName: 'dear', clusterNames: ['m3'] },
      ],
    },
  ];
  const overflowing = (replicas: number, from = '') => ({
    placement: { ...dynamic, clusterAffinities },
    replicas,
    ...(from === '' ? {} : on(from)),
  });
  const room = { m1: 5, m2: 3, m3: 9 };
  table([
    ['the first tier takes what it can', { binding: overflowing(4), room }, '{m1:4}'],
    ['the rest flows over, tier by tier', { binding: overflowing(10), room }, '{m1:5, m2:3, m3:2}'],
    ['it flows back when it shrinks', { binding: overflowing(4, 'm1:5 m2:3'), room: { m3: 9 } }, '{m1:4}'],
    [
      'all tiers together are too small',
      { binding: overflowing(20), room },
      'unschedulable: failed to assign replicas: Clusters available replicas are not enough to schedule.',
    ],
  ]);
});

describe('the explanation', () => {
  it('has a verdict of every plugin for every cluster, also after a refusal', () => {
    const bad = { taints: [{ key: 'a', effect: 'NoSchedule' as const }], status: { apiEnablements: [] } };
    const { explanation } = decide({
      clusters: { m1: {}, m2: bad },
      binding: { placement: { clusterAffinity: { clusterNames: ['m1'] } } },
    });
    const m2 = explanation.attempts[0]?.clusters[1];
    assert.deepEqual(
      m2?.filters.map(({ plugin, pass }) => [plugin, pass]),
      [
        ['ClusterAffinity', false],
        ['TaintToleration', false],
        ['APIEnablement', false],
        ['SpreadConstraint', true],
        ['ClusterEviction', true],
      ],
    );
    assert.equal(m2?.verdict, 'refused');
    assert.equal(m2?.reason, 'not among the clusters named');
    assert.equal(m2?.capacity, undefined);
  });

  it('shows the arithmetic, the capacity and who estimated it', () => {
    const { explanation } = decide({
      clusters: { 'bj-prod-01': {}, 'sh-prod-02': {} },
      room: { 'bj-prod-01': 40, 'sh-prod-02': 24 },
      binding: { placement: dynamic },
    });
    const [bj, sh] = explanation.attempts[0]?.clusters ?? [];
    assert.equal(sh?.reason, '24/64 of the free capacity × 8 replicas = 3');
    assert.equal(bj?.arithmetic, '40/64 of the free capacity × 8 replicas = 5');
    assert.deepEqual(bj?.capacity, {
      allocatable: 40,
      available: 40,
      estimates: [{ estimator: 'told', replicas: 40, detail: 'told so' }],
    });
  });

  const reasons: [because: string, given: Given, name: string, expected: string][] = [
    [
      'kept and shared',
      { binding: { placement: staticWeights({ m1: 2, m2: 1 }), replicas: 6, ...on('m1:2') } },
      'm1',
      'placed: kept: already ran here (ClusterLocality +100); 2/3 of the weight × 6 replicas = 4',
    ],
    [
      'rounded',
      { binding: { placement: staticWeights({ m1: 2, m2: 1 }), replicas: 8 } },
      'm1',
      'placed: 2/3 of the weight × 8 replicas = 5.33, so 5',
    ],
    [
      'kept and grown',
      { binding: { placement: dynamic, replicas: 10, ...on('m1:8') }, room: { m1: 1, m2: 1 } },
      'm1',
      'placed: kept: already ran here (ClusterLocality +100); keeps its 8, plus 1/2 of the free capacity × 2 replicas = 1',
    ],
    [
      'over the limit',
      { binding: spreading(duplicated, { cluster: [1, 2] }) },
      'm3',
      'notChosen: spread: at most 2 clusters',
    ],
    [
      'in a region too many',
      {
        clusters: { a: { region: 'a' }, b: { region: 'b' } },
        binding: spreading(duplicated, { region: [1, 1], cluster: [1, 2] }),
      },
      'b',
      'notChosen: region limit reached (spread: at most 1)',
    ],
    [
      'without a weight',
      { binding: { placement: staticWeights({ m1: 1 }) } },
      'm2',
      'notChosen: matches no entry of the static weights',
    ],
    [
      'with a share of none',
      { binding: { placement: staticWeights({ m1: 99, m2: 1 }), replicas: 2 } },
      'm2',
      'notChosen: 1/100 of the weight × 2 replicas = 0.02, so 0',
    ],
    [
      'not needed',
      { binding: { placement: aggregated }, room: { m1: 9, m2: 1 } },
      'm2',
      'notChosen: not needed: m1 holds all (Aggregated)',
    ],
    [
      'no room anywhere',
      { binding: { placement: dynamic, replicas: 5 }, room: { m1: 1 } },
      'm1',
      'notChosen: would do, but failed to assign replicas: failed to scale up: Clusters available replicas 1 are not enough to schedule.',
    ],
    ['deleting', { clusters: { m1: { deleting: true }, m2: {} } }, 'm1', 'refused: the cluster is being deleted'],
  ];
  for (const [because, given, name, expected] of reasons) {
    it(`says in one sentence why: ${because}`, () => {
      const found = decide(given)
        .explanation.attempts.at(-1)
        ?.clusters.find((each) => each.name === name);
      assert.equal(`${found?.verdict}: ${found?.reason}`, expected);
    });
  }

  it('tells the steps of selection and assignment, ties among them', () => {
    const { explanation } = decide({ binding: { placement: divided(), replicas: 1 } });
    assert.deepEqual(explanation.attempts[0]?.assignment, [
      "divided among 3 clusters by Webster's method",
      'tie for the last replica: m1 before m2, m3 (the first name first)',
    ]);
    const region = decide({
      clusters: { a: { region: 'a' }, b: { region: 'b' } },
      room: { a: 5, b: 50 },
      binding: spreading(dynamic, { region: [1, 1], cluster: [1, 2] }),
    });
    assert.deepEqual(region.explanation.attempts[0]?.selection, [
      'region: 1 of 2, at most 1: b (1 clusters, score 8000)',
    ]);
  });

  it('says what it is about', () => {
    const decision = schedule({
      binding: binding({ placement: dynamic }),
      clusters: [],
      now: 0,
      because: 'not scheduled before',
    });
    const { attempts, ...about } = decision.explanation;
    assert.equal(attempts.length, 1);
    assert.deepEqual(about, {
      binding: 'default/app-deployment',
      generation: 3,
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'app' },
      decidedAt: '1970-01-01T00:00:00Z',
      because: 'not scheduled before',
      replicas: 8,
      strategy: 'DynamicWeight',
      mode: 'Steady',
    });
  });
});

describe('the same input as the real thing', () => {
  it('gives the same answer and the same annotation', () => {
    const text = readFileSync(`${import.meta.dirname}/../../../e2e/fixtures/karmada-objects.yaml`, 'utf8');
    const objects = parseAllDocuments(text).map((document) => document.toJS() as { kind: string } | null);
    const real = objects.find((each) => each?.kind === 'ResourceBinding') as unknown as ResourceBinding;
    const m1 = objects.find((each) => each?.kind === 'Cluster') as unknown as Cluster;
    const m2 = { ...m1, metadata: { ...m1.metadata, name: 'm2' } };
    const { clusters: _, ...unscheduled } = real.spec;
    const decision = schedule({ binding: { ...real, spec: unscheduled }, clusters: [m2, m1], now: 0 });
    assert.deepEqual(decision.clusters, real.spec.clusters);
    assert.equal(decision.appliedPlacement, real.metadata.annotations?.['policy.karmada.io/applied-placement']);
  });
});
