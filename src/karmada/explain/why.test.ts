import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Explanation, schedule } from '#karmada/scheduler/index.ts';
import { binding, cluster, dynamic, estimates } from '#karmada/scheduler/testing.ts';
import { why, whyCluster } from './index.ts';

const maintenance = { key: 'maintenance', value: 'true', effect: 'NoSchedule' } as const;

/** The example of the command line: five clusters, two of them taken. */
function example(): Explanation {
  const prod = { labels: { tier: 'prod' } };
  return schedule({
    binding: binding({
      placement: {
        ...dynamic,
        clusterAffinity: { labelSelector: { matchLabels: { tier: 'prod' } } },
        spreadConstraints: [
          { spreadByField: 'region', minGroups: 1, maxGroups: 2 },
          { spreadByField: 'cluster', minGroups: 2, maxGroups: 2 },
        ],
      },
      clusters: [{ name: 'bj-prod-01', replicas: 6 }],
    }),
    clusters: [
      cluster('bj-prod-01', { ...prod, region: 'bj' }),
      cluster('sh-prod-02', { ...prod, region: 'sh' }),
      cluster('sgp-prod-03', { ...prod, region: 'sgp' }),
      cluster('hk-edge-01', { ...prod, region: 'hk', taints: [maintenance] }),
      cluster('fra-dr-01', { labels: { tier: 'dr' }, taints: [maintenance] }),
    ],
    estimators: [estimates({ 'bj-prod-01': 34, 'sh-prod-02': 34, 'sgp-prod-03': 1 })],
    now: 0,
    because: 'replicas went 6 → 8',
  }).explanation;
}

describe('why', () => {
  it('has a row per cluster: where it runs, where it could, where it could not', () => {
    assert.deepEqual(
      why(example()).rows.map((row) => Object.values(row).slice(0, -1)),
      [
        [
          'bj-prod-01',
          'placed',
          7,
          40,
          'kept: already ran here (ClusterLocality +100); keeps its 6, plus 34/68 of the free capacity × 2 replicas = 1',
        ],
        ['sh-prod-02', 'placed', 1, 34, '34/68 of the free capacity × 2 replicas = 1'],
        ['sgp-prod-03', 'not chosen', 1, 'region limit reached (spread: at most 2)'],
        ['fra-dr-01', 'refused', 'label tier=prod required, cluster has tier=dr'],
        ['hk-edge-01', 'refused', 'taint maintenance=true:NoSchedule is not tolerated'],
      ],
    );
  });

  it('counts the reasons that a row has no place for', () => {
    const rows = why(example()).rows;
    assert.deepEqual(rows.find((row) => row.cluster === 'fra-dr-01')?.moreReasons, [
      'taint maintenance=true:NoSchedule is not tolerated',
      'has no region to spread by',
    ]);
    assert.deepEqual(rows[0]?.moreReasons, []);
  });

  it('sums up', () => {
    const { rows: _, ...rest } = why(example());
    assert.deepEqual(rest, {
      outcome: { type: 'scheduled', message: 'Binding has been scheduled successfully.' },
      placedOn: 2,
      clusters: 5,
      placedReplicas: 8,
      replicas: 8,
      decidedAt: '1970-01-01T00:00:00Z',
      generation: 3,
      because: 'replicas went 6 → 8',
      passedOver: [],
    });
  });

  it('names the affinity groups that were passed over', () => {
    const { explanation } = schedule({
      binding: binding({
        placement: {
          clusterAffinities: [
            { affinityName: 'near', clusterNames: ['gone'] },
            { affinityName: 'far', clusterNames: ['m1'] },
          ],
        },
      }),
      clusters: [cluster('m1')],
      now: 0,
    });
    const { passedOver, affinityName } = why(explanation);
    assert.equal(affinityName, 'far');
    assert.deepEqual(passedOver, [
      {
        affinityName: 'near',
        message: '0/1 clusters are available: 1 cluster(s) did not match the placement cluster affinity constraint.',
      },
    ]);
  });
});

describe('whyCluster', () => {
  it('tells every step for a cluster that was taken', () => {
    const lines = whyCluster(example(), 'sh-prod-02')?.steps.map(({ name, mark, text }) => `${mark} ${name}: ${text}`);
    assert.deepEqual(lines, [
      'pass ClusterAffinity: passed',
      'pass TaintToleration: passed',
      'pass APIEnablement: passed',
      'pass SpreadConstraint: passed',
      'pass ClusterEviction: passed',
      'note ClusterLocality: score 0',
      'note ClusterAffinity: score 0',
      'note told: 34 more: told so',
      'note select: region: 2 of 3, at most 2: bj (1 clusters, score 8100), sh (1 clusters, score 8000)',
      "note assign: divided among 2 clusters by Webster's method",
    ]);
  });

  it('stops at the filters for one that was refused', () => {
    const marks = whyCluster(example(), 'fra-dr-01')?.steps.map(({ name, mark }) => `${mark} ${name}`);
    assert.deepEqual(marks, [
      'refuse ClusterAffinity',
      'refuse TaintToleration',
      'pass APIEnablement',
      'refuse SpreadConstraint',
      'pass ClusterEviction',
    ]);
  });

  it('knows nothing of a cluster that was not there', () => assert.equal(whyCluster(example(), 'none'), undefined));
});
