import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Group, type GroupLimits, selectGroups } from './select-groups.ts';

/** `R1:2:80` is a group of 2 clusters and weight 80. */
function groups(text: string): Group[] {
  return text.split(' ').flatMap((each) => {
    const [name = '', size = '', weight = ''] = each.split(':');
    return name === '' ? [] : [{ name, size: Number(size), weight: Number(weight) }];
  });
}

describe('selectGroups', () => {
  const cases: [because: string, given: string, limits: GroupLimits, expected: string][] = [
    ['no groups, no choice', '', { min: 2, max: 3, clusters: 1 }, ''],
    ['too few groups', 'R1:1:80', { min: 2, max: 3, clusters: 1 }, ''],
    ['too few clusters', 'R1:1:80 R2:2:30', { min: 2, max: 3, clusters: 4 }, ''],
    ['one group is enough', 'R1:1:80', { min: 1, max: 3, clusters: 1 }, 'R1'],
    [
      'only one combination has the clusters',
      'R1:1:80 R3:1:80 R2:1:60 R5:2:60 R4:5:50 R6:3:50',
      { min: 1, max: 3, clusters: 10 },
      'R5 R4 R6',
    ],
    [
      'a shorter path that begins the best is preferred',
      'R1:1:80 R2:4:40 R3:1:30 R4:3:30 R5:3:20 R6:5:10',
      { min: 2, max: 6, clusters: 5 },
      'R1 R2',
    ],
    [
      'the heaviest wins',
      'R1:1:60 R2:1:50 R3:1:40 R4:3:30 R5:3:20 R6:3:10',
      { min: 1, max: 3, clusters: 6 },
      'R1 R4 R5',
    ],
    [
      'of equal weight and size the one found first',
      'R1:1:60 R2:2:50 R3:3:40 R4:4:30',
      { min: 1, max: 2, clusters: 5 },
      'R1 R4',
    ],
    ['of equal weight the larger', 'R4:1:60 R3:3:50 R1:3:40 R2:4:30', { min: 1, max: 2, clusters: 5 }, 'R3 R1'],
    ['all are needed to reach the minimum', 'R1:1:10 R2:1:20', { min: 2, max: 2, clusters: 1 }, 'R2 R1'],
    ['a maximum of none chooses none', 'R1:1:10', { min: 0, max: 0, clusters: 1 }, ''],
  ];
  for (const [because, given, limits, expected] of cases) {
    it(because, () =>
      assert.equal(
        selectGroups(groups(given), limits)
          .map(({ name }) => name)
          .join(' '),
        expected,
      ),
    );
  }

  const someGroups = fc.uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-f]$/),
      size: fc.integer({ min: 1, max: 4 }),
      weight: fc.nat(20),
    }),
    { selector: ({ name }) => name, maxLength: 6 },
  );

  it('stays within the limits whenever it chooses, whatever order the groups come in', () => {
    const limits = fc.record({ min: fc.integer({ min: 1, max: 3 }), more: fc.nat(3), clusters: fc.nat(6) });
    fc.assert(
      fc.property(someGroups, limits, (given, { min, more, clusters }) => {
        const bounds = { min, max: min + more, clusters };
        const chosen = selectGroups(given, bounds);
        assert.deepEqual(selectGroups(given.toReversed(), bounds), chosen);
        if (chosen.length === 0) return;
        assert.ok(chosen.length >= min && chosen.length <= min + more);
        assert.ok(chosen.reduce((sum, { size }) => sum + size, 0) >= clusters);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
