import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fnv32a } from '#karmada/names/index.ts';
import { type Party, webster } from './webster.ts';

function seats(count: number, votes: Readonly<Record<string, number>>, uid?: string): Record<string, number> {
  const parties = Object.entries(votes).map(([name, each]) => ({ name, votes: each }));
  return Object.fromEntries(webster(count, parties, uid).seats);
}

/** Uids whose hash is even and odd. */
const uidWith = (parity: number) =>
  Array.from({ length: 20 }, (_, n) => `uid-${n}`).find((uid) => fnv32a(uid) % 2 === parity) ?? '';

describe("Webster's method", () => {
  const parliament = { A: 100_000, B: 80_000, C: 30_000, D: 20_000 };
  const rounds: number[][] = [
    [1, 0, 0, 0],
    [1, 1, 0, 0],
    [2, 1, 0, 0],
    [2, 1, 1, 0],
    [2, 2, 1, 0],
    [2, 2, 1, 1],
    [3, 2, 1, 1],
    [3, 3, 1, 1],
  ];
  for (const [index, expected] of rounds.entries()) {
    it(`gives ${index + 1} seats as the textbook does`, () =>
      assert.deepEqual(Object.values(seats(index + 1, parliament)), expected));
  }

  const cases: [because: string, count: number, votes: Record<string, number>, expected: Record<string, number>][] = [
    ['weights 2:1 share 6 as 4 and 2', 6, { m1: 2, m2: 1 }, { m1: 4, m2: 2 }],
    ['weights 20:12:6 share 12', 12, { m1: 20, m2: 12, m3: 6 }, { m1: 6, m2: 4, m3: 2 }],
    ['no seat, nothing for anybody', 0, { m1: 1, m2: 2 }, { m1: 0, m2: 0 }],
    ['no party', 3, {}, {}],
    ['no votes, no seats', 3, { m1: 0, m2: 0 }, { m1: 0, m2: 0 }],
    ['a party without votes gets none while others have some', 2, { m1: 5, m2: 0 }, { m1: 2, m2: 0 }],
    ['of equal quotients the one with fewer seats wins', 2, { m1: 3, m2: 1 }, { m1: 1, m2: 1 }],
  ];
  for (const [because, count, votes, expected] of cases) {
    it(because, () => assert.deepEqual(seats(count, votes), expected));
  }

  it('breaks ties by the first name, or by the last when the hash of the uid is odd', () => {
    const votes = { m1: 1, m2: 1, m3: 1 };
    assert.deepEqual(seats(1, votes), { m1: 1, m2: 0, m3: 0 });
    assert.deepEqual(seats(1, votes, uidWith(0)), { m1: 1, m2: 0, m3: 0 });
    assert.deepEqual(seats(1, votes, uidWith(1)), { m1: 0, m2: 0, m3: 1 });
  });

  it('says how the last seat was decided', () => {
    const party = (name: string, votes: number) => ({ name, votes });
    assert.deepEqual(webster(1, [party('b', 1), party('a', 1)]).tie, {
      winner: 'a',
      losers: ['b'],
      rule: 'the first name first',
    });
    assert.equal(webster(2, [party('a', 3), party('b', 1)]).tie?.rule, 'the fewest replicas first');
    assert.equal(webster(2, [party('a', 1), party('b', 1)]).tie, undefined);
  });

  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 12 });
  const electorate = names.chain((list) =>
    fc.tuple(...list.map((name) => fc.record({ name: fc.constant(name), votes: fc.integer({ min: 1, max: 1000 }) }))),
  );
  const check = (property: (parties: Party[], count: number, uid: string) => void) =>
    fc.assert(fc.property(electorate, fc.nat(60), fc.uuid(), property), { seed: 1, numRuns: 300 });
  const total = (division: ReturnType<typeof webster>) => [...division.seats.values()].reduce((sum, n) => sum + n, 0);

  it('gives out every seat', () =>
    check((parties, count, uid) => assert.equal(total(webster(count, parties, uid)), count)));

  it('never gives more to fewer votes', () =>
    check((parties, count, uid) => {
      const result = webster(count, parties, uid).seats;
      for (const a of parties) {
        for (const b of parties) {
          if (a.votes > b.votes) assert.ok((result.get(a.name) ?? 0) >= (result.get(b.name) ?? 0));
        }
      }
    }));

  it('takes nothing away when there is one seat more', () =>
    check((parties, count, uid) => {
      const more = webster(count + 1, parties, uid).seats;
      for (const [name, had] of webster(count, parties, uid).seats) assert.ok((more.get(name) ?? 0) >= had);
    }));

  it('does not depend on the order of parties', () =>
    check((parties, count, uid) =>
      assert.deepEqual(webster(count, parties.toReversed(), uid).seats, webster(count, parties, uid).seats),
    ));
});
