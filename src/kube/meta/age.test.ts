import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ageOf, humanDuration, shortHumanDuration } from '#kube/meta/age.ts';

const s = 1_000;
const m = 60 * s;
const h = 60 * m;
const d = 24 * h;

describe('humanDuration', () => {
  const cases: [ms: number, long: string, short: string][] = [
    [-3 * s, '<invalid>', '<invalid>'],
    [-1 * s, '0s', '0s'],
    [0, '0s', '0s'],
    [6.9 * s, '6s', '6s'],
    [119 * s, '119s', '1m'],
    [2 * m, '2m', '2m'],
    [2 * m + 5 * s, '2m5s', '2m'],
    [10 * m + 5 * s, '10m', '10m'],
    [179 * m, '179m', '2h'],
    [3 * h, '3h', '3h'],
    [5 * h + 7 * m, '5h7m', '5h'],
    [47 * h, '47h', '1d'],
    [5 * d + 3 * h, '5d3h', '5d'],
    [7 * d, '7d', '7d'],
    [318 * d + 5 * h, '318d', '318d'],
    [729 * d, '729d', '1y'],
    [730 * d, '2y', '2y'],
    [800 * d, '2y70d', '2y'],
    [9 * 365 * d + 5 * d, '9y', '9y'],
  ];
  for (const [ms, long, short] of cases) {
    it(`writes ${ms / s} seconds as ${long}, or shortly ${short}`, () => {
      assert.equal(humanDuration(ms), long);
      assert.equal(shortHumanDuration(ms), short);
    });
  }
});

describe('ageOf', () => {
  it('counts from a timestamp and does not guess without one', () => {
    assert.equal(ageOf('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:06.900Z')), '6s');
    assert.equal(ageOf(undefined, 0), '<unknown>');
    assert.equal(ageOf(null, 0), '<unknown>');
  });
});
