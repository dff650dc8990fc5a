import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EXAMPLE_ITEMS, needs, OPERATIONS, readList } from './interpreter-text.ts';

it('a list of statuses is read, and nothing else', () => {
  assert.deepEqual(
    readList(EXAMPLE_ITEMS)?.map(({ clusterName }) => clusterName),
    ['frankfurt', 'singapore'],
  );
  assert.deepEqual(['a: 1', '- 1', ': :'].map(readList), [undefined, undefined, undefined]);
});

it('only some questions need more than an object', () => {
  const asking = OPERATIONS.filter((operation) => Object.values(needs(operation)).some(Boolean));
  assert.deepEqual(asking, ['ReviseReplica', 'AggregateStatus', 'Retain']);
});
