import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Placement, TargetCluster } from '#karmada/apis/index.ts';
import { appliedPlacement } from './applied-placement.ts';
import { type Change, movesOf, type Simulation, simulate } from './simulate.ts';
import { binding, cluster, duplicated, dynamic, estimates, staticWeights } from './testing.ts';

function rehearse(
  change: Change,
  placement: Placement = dynamic,
  room: Record<string, number> = { m1: 9, m2: 9, m3: 9 },
) {
  const running = binding({
    placement,
    clusters: [
      { name: 'm1', replicas: 5 },
      { name: 'm2', replicas: 3 },
    ],
    annotations: { 'policy.karmada.io/applied-placement': appliedPlacement(placement) },
    status: { lastScheduledTime: '2026-01-01T00:00:00Z' },
  });
  const [result] = simulate({
    bindings: [running],
    clusters: ['m1', 'm2', 'm3'].map((name) => cluster(name)),
    now: Date.UTC(2026, 1, 1),
    estimators: [estimates(room)],
    change,
  });
  return result as Simulation;
}

describe('simulate', () => {
  it('moves nothing when nothing changes', () => {
    const { verdict, moves, because, decision } = rehearse({});
    assert.deepEqual(
      [verdict, moves, because, decision],
      ['unchanged', [], 'neither placement nor replicas changed', undefined],
    );
  });

  it('moves what a lost cluster held, and leaves the rest', () => {
    const { verdict, after, moves, because } = rehearse({ lose: ['m1'] });
    assert.equal(verdict, 'moved');
    assert.equal(because, 'replicas went 3 → 8');
    assert.deepEqual(after, [
      { name: 'm2', replicas: 6 },
      { name: 'm3', replicas: 2 },
    ]);
    assert.deepEqual(moves, [
      { from: 'm1', to: 'm2', replicas: 3 },
      { from: 'm1', to: 'm3', replicas: 2 },
    ]);
  });

  it('says when the rest has no room', () => {
    const { verdict, after, moves, decision } = rehearse({ lose: ['m1'] }, dynamic, { m2: 1 });
    assert.equal(verdict, 'stuck');
    assert.deepEqual(after, [{ name: 'm2', replicas: 3 }]);
    assert.deepEqual(moves, [{ from: 'm1', replicas: 5 }]);
    assert.equal(decision?.outcome.type, 'unschedulable');
  });

  it('says when it would run nowhere', () => {
    const { verdict, after } = rehearse({ lose: ['m1', 'm2', 'm3'] });
    assert.equal(verdict, 'nowhere');
    assert.deepEqual(after, []);
  });

  it('knows that a taint does not move what runs', () => {
    const taint = [{ cluster: 'm1', taint: { key: 'a', effect: 'NoSchedule' as const } }];
    assert.equal(rehearse({ taint }).verdict, 'unchanged');
  });

  it('shows another placement, another size, another cluster and a rebalancing', () => {
    const text = ({ after }: Simulation) => after.map(({ name, replicas }) => `${name}:${replicas}`).join(' ');
    assert.equal(text(rehearse({ placement: staticWeights({ m3: 1 }) })), 'm3:8');
    assert.equal(text(rehearse({ replicas: 4 })), 'm1:2 m2:2');
    assert.equal(text(rehearse({ rebalance: true }, dynamic, { m1: 1, m2: 1, m3: 14 })), 'm1:2 m2:1 m3:5');
    assert.equal(text(rehearse({ clusters: [cluster('m4')] }, duplicated)), 'm1:8 m2:8 m3:8 m4:8');
  });
});

describe('movesOf', () => {
  const on = (text: string): TargetCluster[] =>
    text.split(' ').flatMap((each) => {
      const [name = '', replicas] = each.split(':');
      if (name === '') return [];
      return [{ name, ...(replicas === undefined ? {} : { replicas: Number(replicas) }) }];
    });
  const cases: [because: string, before: string, after: string, expected: string[]][] = [
    ['nothing moves', 'a:1 b:2', 'b:2 a:1', []],
    ['from one to another', 'a:5', 'b:5', ['a → b ×5']],
    ['only arrivals', 'a:1', 'a:3 b:1', ['→ a ×2', '→ b ×1']],
    ['only departures', 'a:3 b:1', 'a:1', ['a → ×2', 'b → ×1']],
    ['the largest first', 'a:1 b:9', 'c:8 d:2', ['b → c ×8', 'b → d ×1', 'a → d ×1']],
    ['what has no replicas counts as one', 'a', 'b', ['a → b ×1']],
  ];
  for (const [because, before, after, expected] of cases) {
    it(because, () =>
      assert.deepEqual(
        movesOf(on(before), on(after)).map(
          ({ from, to, replicas }) => `${from ? `${from} ` : ''}→ ${to ? `${to} ` : ''}×${replicas}`,
        ),
        expected,
      ),
    );
  }
});
