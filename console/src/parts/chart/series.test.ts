import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aligned, counted, summed } from './series.ts';

describe('lines of a chart', () => {
  it('share one axis, and say nothing where they have no sample', () => {
    const { times, values } = aligned(
      [
        { label: 'a', samples: [sample(1_200, 1), sample(2_900, 2)] },
        { label: 'b', samples: [sample(2_100, 5)] },
      ],
      1_000,
    );
    assert.deepEqual(times, [1, 2]);
    assert.deepEqual(values, [
      [1, 2],
      [null, 5],
    ]);
  });

  it('take the last of several samples in one slot', () => {
    assert.deepEqual(aligned([{ label: 'a', samples: [sample(1_000, 1), sample(1_500, 7)] }], 1_000).values, [[7]]);
  });
});

describe('what happened over time', () => {
  it('is counted by slot, and nothing is counted as nothing', () => {
    const counts = counted([10, 20, 2_500, 9_999], 0, 4_000, 1_000);
    assert.deepEqual(
      counts.map(({ value }) => value),
      [2, 0, 1, 0],
    );
    assert.deepEqual(
      counts.map(({ at }) => at),
      [0, 1_000, 2_000, 3_000],
    );
  });

  it('is told by its last, least and most', () => {
    assert.deepEqual(summed([sample(0, 3), sample(1, 1), sample(2, 2)]), { last: 2, least: 1, most: 3 });
  });
});

function sample(at: number, value: number) {
  return { at, value };
}
