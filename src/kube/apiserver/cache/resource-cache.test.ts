import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { entryOf } from './entry.ts';
import { type ResourceCache, resourceCache } from './resource-cache.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };

function put(cache: ResourceCache, revision: number, key: string, size = 1): void {
  cache.apply(revision, key, entryOf(key, revision, object), size);
}

function shown(
  entries: Iterable<{ readonly key: string; readonly revision: number }> | undefined,
): string[] | undefined {
  return entries && [...entries].map(({ key, revision }) => `${key}@${revision}`);
}

describe('The cache of a resource', () => {
  it('shows every moment its history covers as it was', () => {
    const step = fc.record({ key: fc.constantFrom('a/x', 'a/y', 'a-b/x', 'b/x', 'c'), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (steps, historyEvents) => {
        const cache = resourceCache(0, { historyEvents, historyBytes: 1_000_000 });
        const model = new Map<string, number>();
        const moments = [new Map(model)];
        for (const [index, { key, remove }] of steps.entries()) {
          const revision = index + 1;
          if (remove) cache.apply(revision, key, undefined, 1);
          else put(cache, revision, key);
          if (remove) model.delete(key);
          else model.set(key, revision);
          moments.push(new Map(model));
        }
        for (const [revision, moment] of moments.entries()) {
          const expected = [...moment].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, at]) => `${key}@${at}`);
          const found = shown(cache.snapshot(revision));
          if (revision >= cache.oldest()) assert.deepEqual(found, expected);
          else assert.equal(found, undefined);
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('tells the changes since a revision, each once and in order', () => {
    const cache = resourceCache(10);
    put(cache, 11, 'a');
    put(cache, 12, 'b');
    cache.apply(13, 'a', undefined, 1);
    assert.deepEqual(
      cache.since(11)?.map(({ revision, key }) => `${key}@${revision}`),
      ['b@12', 'a@13'],
    );
    assert.equal(cache.since(9), undefined);
  });

  it('forgets the oldest changes when there are too many or they are too large', () => {
    const many = resourceCache(0, { historyEvents: 3, historyBytes: 1_000 });
    for (let revision = 1; revision <= 5; revision++) put(many, revision, `k${revision}`);
    assert.equal(many.oldest(), 2);
    const large = resourceCache(0, { historyEvents: 100, historyBytes: 25 });
    for (let revision = 1; revision <= 5; revision++) put(large, revision, `k${revision}`, 10);
    assert.equal(large.oldest(), 3);
  });

  it('gives the last state of a deleted object the revision of its end', () => {
    const cache = resourceCache(0);
    put(cache, 1, 'a');
    const event = cache.apply(2, 'a', undefined, 1);
    assert.equal(event?.last()?.object.metadata.resourceVersion, '2');
    assert.equal(event?.last(), event?.last());
  });
});
