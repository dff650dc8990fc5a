import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { differences } from './differences.ts';

describe('what lives otherwise than it was sent', () => {
  const cases: readonly [because: string, sent: unknown, live: unknown, paths: readonly string[]][] = [
    ['nothing, when all that was sent is there', { spec: { replicas: 2 } }, { spec: { replicas: 2 } }, []],
    ['a value that somebody changed', { spec: { replicas: 2 } }, { spec: { replicas: 5 } }, ['spec.replicas']],
    ['a value that somebody took away', { spec: { paused: true } }, { spec: {} }, ['spec.paused']],
    ['nothing of what was never sent', { spec: {} }, { spec: { nodeName: 'n' }, status: { ready: 1 } }, []],
    ['nothing of what servers keep', { metadata: { generation: 1 } }, { metadata: { generation: 4 } }, []],
    [
      'nothing of what kubectl remembers',
      { metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } } },
      { metadata: {} },
      [],
    ],
    ['nothing of what is empty and left out', { spec: { resources: {} } }, { spec: {} }, []],
    [
      'a place in a list',
      { c: [{ image: 'a' }, { image: 'b' }] },
      { c: [{ image: 'a' }, { image: 'x' }] },
      ['c[1].image'],
    ],
    ['a list as a whole, when it is longer or shorter', { c: ['a'] }, { c: ['a', 'b'] }, ['c']],
  ];
  for (const [because, sent, live, paths] of cases) {
    it(because, () => {
      assert.deepEqual(
        differences(sent, live).map(({ path }) => path),
        paths,
      );
    });
  }
});
