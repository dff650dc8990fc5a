import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Placement, TargetCluster } from '#karmada/apis/index.ts';
import { schedule, sumOfReplicas } from './index.ts';
import { aggregated, binding, cluster, divided, duplicated, dynamic, estimates } from './testing.ts';

const NAMES = ['m1', 'm2', 'm3', 'm4', 'm5'];
const rooms = fc
  .tuple(...NAMES.map(() => fc.nat(30)))
  .map((each) => Object.fromEntries(NAMES.map((name, n) => [name, each[n] ?? 0])));
const replicas = fc.integer({ min: 1, max: 60 });
const byCapacity = fc.constantFrom(dynamic, aggregated);
const anyStrategy = fc.constantFrom(dynamic, aggregated, duplicated, divided(), {});

interface World {
  readonly placement: Placement;
  readonly room: Readonly<Record<string, number>>;
  readonly replicas: number;
  readonly clusters?: readonly TargetCluster[];
  readonly uid?: string;
  readonly names?: readonly string[];
}

function decide({ placement, room, replicas, clusters, uid, names = NAMES }: World) {
  return schedule({
    binding: binding({
      placement,
      replicas,
      resource: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'default',
        name: 'app',
        ...(uid ? { uid } : {}),
      },
      ...(clusters ? { clusters } : {}),
    }),
    clusters: names.map((name) => cluster(name)),
    now: 0,
    estimators: [estimates(room)],
  });
}

function check<T extends unknown[]>(
  property: (...values: T) => void,
  ...arbitraries: { [I in keyof T]: fc.Arbitrary<T[I]> }
) {
  fc.assert(
    fc.property(fc.tuple(...arbitraries), (values) => property(...(values as T))),
    { seed: 1, numRuns: 100 },
  );
}

describe('every decision', () => {
  it('of a divided workload gives out exactly its replicas, or none', () =>
    check(
      (placement, room, count) => {
        const { outcome, clusters } = decide({ placement, room, replicas: count });
        if (outcome.type === 'scheduled') assert.equal(sumOfReplicas(clusters), count);
        else assert.ok(Object.values(room).reduce((sum, each) => sum + each, 0) < count);
      },
      byCapacity,
      rooms,
      replicas,
    ));

  it('by capacity never puts more on a cluster than it said it could take', () =>
    check(
      (placement, room, count) => {
        for (const { name, replicas: got = 0 } of decide({ placement, room, replicas: count }).clusters ?? []) {
          assert.ok(got <= (room[name] ?? 0));
        }
      },
      byCapacity,
      rooms,
      replicas,
    ));

  it('does not depend on the order of clusters', () =>
    check(
      (placement, room, count, uid, names) => {
        const sorted = decide({ placement, room, replicas: count, uid });
        assert.deepEqual(decide({ placement, room, replicas: count, uid, names }), sorted);
      },
      anyStrategy,
      rooms,
      replicas,
      fc.uuid(),
      fc.shuffledSubarray(NAMES, { minLength: NAMES.length }),
    ));

  it('is explained: one verdict per cluster, and the replicas in it are those decided', () =>
    check(
      (placement, room, count) => {
        const { clusters = [], explanation } = decide({ placement, room, replicas: count });
        const explained = explanation.attempts.at(-1)?.clusters ?? [];
        assert.deepEqual(
          explained.map(({ name }) => name),
          NAMES,
        );
        for (const each of explained) {
          assert.notEqual(each.reason, '');
          assert.equal(each.replicas, clusters.find(({ name }) => name === each.name)?.replicas ?? 0);
        }
      },
      anyStrategy,
      rooms,
      replicas,
    ));
});

describe('scaling by capacity', () => {
  const scaled = (placement: Placement, room: World['room'], from: number, to: number) => {
    const before = decide({ placement, room, replicas: from });
    if (before.outcome.type !== 'scheduled' || !before.clusters) return undefined;
    const left = Object.fromEntries(
      NAMES.map((name) => [
        name,
        (room[name] ?? 0) - (before.clusters?.find((each) => each.name === name)?.replicas ?? 0),
      ]),
    );
    const after = decide({ placement, room: left, replicas: to, clusters: before.clusters });
    return after.clusters && { before: before.clusters, after: after.clusters };
  };
  const got = (clusters: readonly TargetCluster[], name: string) =>
    clusters.find((each) => each.name === name)?.replicas ?? 0;

  it('up takes nothing from anybody', () =>
    check(
      (placement, room, from, more) => {
        const result = scaled(placement, room, from, from + more);
        for (const name of result ? NAMES : [])
          assert.ok(got(result?.after ?? [], name) >= got(result?.before ?? [], name));
      },
      byCapacity,
      rooms,
      replicas,
      fc.integer({ min: 1, max: 20 }),
    ));

  it('down gives nothing to anybody', () =>
    check(
      (placement, room, to, fewer) => {
        const result = scaled(placement, room, to + fewer, to);
        for (const name of result ? NAMES : [])
          assert.ok(got(result?.after ?? [], name) <= got(result?.before ?? [], name));
      },
      byCapacity,
      rooms,
      replicas,
      fc.integer({ min: 1, max: 20 }),
    ));

  it('not at all moves nothing', () =>
    check(
      (placement, room, count) => {
        const result = scaled(placement, room, count, count);
        if (result) assert.deepEqual(result.after, result.before);
      },
      byCapacity,
      rooms,
      replicas,
    ));
});
