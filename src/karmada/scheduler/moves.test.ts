import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TargetCluster } from '#karmada/apis/index.ts';
import { movesOf } from './moves.ts';

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
