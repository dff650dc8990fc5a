import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Entry, entryOf } from './entry.ts';
import { inNamespace, sortedEntries } from './sorted-entries.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
const entry = (key: string, revision = 1) => entryOf(key, revision, object);
const keysOf = (entries: readonly Entry[]) => entries.map(({ key }) => key);

describe('Sorted entries', () => {
  it('are what was put and not removed, in the order of their keys, however many there are', () => {
    const step = fc.record({ number: fc.nat(3_000), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2_000, maxLength: 4_000 }), (steps) => {
        const sorted = sortedEntries();
        const model = new Map<string, Entry>();
        for (const [revision, { number, remove }] of steps.entries()) {
          const one = entry(`ns-${number % 7}/${number}`, revision);
          // Far more are put than removed, so that blocks become many.
          if (remove && number % 4 === 0) {
            sorted.remove(one.key);
            model.delete(one.key);
          } else {
            sorted.put(one);
            model.set(one.key, one);
          }
        }
        const expected = [...model.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
        assert.deepEqual(sorted.all(), expected);
      }),
      { seed: 1, numRuns: 10 },
    );
  });

  it('can all be taken away, and come again', () => {
    const sorted = sortedEntries();
    const keys = Array.from({ length: 2_000 }, (_, i) => String(i).padStart(4, '0'));
    for (const key of keys) sorted.put(entry(key));
    for (const key of keys.toReversed()) sorted.remove(key);
    assert.deepEqual(sorted.all(), []);
    for (const key of keys.toReversed()) sorted.put(entry(key));
    assert.deepEqual(keysOf(sorted.all()), keys);
  });

  it('do not change for those who asked for them before', () => {
    const sorted = sortedEntries();
    sorted.put(entry('a'));
    const before = sorted.all();
    sorted.put(entry('b'));
    sorted.put(entry('a', 2));
    assert.deepEqual(
      before.map(({ revision }) => revision),
      [1],
    );
    assert.deepEqual(
      sorted.all().map(({ revision }) => revision),
      [2, 1],
    );
    assert.equal(sorted.all(), sorted.all());
  });

  it('of a namespace are together, whatever other namespaces are called', () => {
    const sorted = sortedEntries();
    for (const key of ['a/x', 'a-b/x', 'a.b/x', 'a/y', 'ab/x']) sorted.put(entry(key));
    assert.deepEqual(keysOf(inNamespace(sorted.all(), 'a')), ['a/x', 'a/y']);
  });
});
