import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IndexReader } from '#kpanda/index/store/index-store.ts';
import { search } from './search.ts';

interface Asked {
  readonly kinds: readonly number[];
  readonly clusters: readonly string[];
}

/** What the index is asked for, when people ask this. */
async function asked(query: string): Promise<Asked | undefined> {
  let found: Asked | undefined;
  const kind = (id: number, group: string, name: string, resource: string) => ({
    id,
    group,
    version: 'v1',
    kind: name,
    resource,
    singular: name.toLowerCase(),
    shortNames: [],
  });
  const index = {
    kinds: () =>
      Promise.resolve([kind(1, '', 'Service', 'services'), kind(2, 'serving.example.io', 'Service', 'services')]),
    page: (given: Asked) => {
      found = given;
      return Promise.resolve({ objects: [] });
    },
    count: () => Promise.resolve(0),
    freshness: () => Promise.resolve({ streams: [] }),
  };
  await search(index as unknown as IndexReader)({
    query,
    instances: ['demo'],
    membersOf: () => Promise.resolve(['eu-1', 'us-1']),
    reach: { all: true, instances: [], namespaces: [] },
    page: 1,
    pageSize: 10,
    order: [],
  });
  return found;
}

describe('searching', () => {
  it('looks everywhere unless clusters are named', async () => {
    assert.equal((await asked('kind:service'))?.clusters.length, 3);
    assert.deepEqual((await asked('kind:service cluster:eu-1'))?.clusters, ['eu-1']);
  });

  it('finds what is in the instance itself by a dash', async () => {
    const [only, ...others] = (await asked('kind:service cluster:-'))?.clusters ?? [];
    assert.match(only ?? '', /demo/);
    assert.deepEqual(others, []);
  });

  it('tells kinds of one name apart by their group', async () => {
    assert.deepEqual((await asked('kind:service'))?.kinds, [1, 2]);
    assert.deepEqual((await asked('kind:services.serving.example.io'))?.kinds, [2]);
  });
});
