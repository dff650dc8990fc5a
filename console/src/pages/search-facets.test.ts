import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { facetOf, hasFacet, toggled } from './search-facets.ts';

const found = [
  { cluster: 'eu', resource: { kind: 'Pod', namespace: 'shop' } },
  { cluster: 'eu', resource: { kind: 'Pod', namespace: 'shop' } },
  { cluster: '', resource: { kind: 'Deployment', namespace: '' } },
];

describe('facets of a search', () => {
  it('count what was found, the most frequent first', () => {
    assert.deepEqual(facetOf('kind', found), [
      { value: 'pod', count: 2 },
      { value: 'deployment', count: 1 },
    ]);
    assert.deepEqual(facetOf('cluster', found), [
      { value: 'eu', count: 2 },
      { value: '-', count: 1 },
    ]);
    assert.deepEqual(facetOf('namespace', found), [{ value: 'shop', count: 2 }]);
  });

  it('narrow a query, replace one another, and go away again', () => {
    const once = toggled('nginx', 'kind', 'pod');
    assert.equal(once, 'nginx kind:pod');
    assert.ok(hasFacet(once, 'kind', 'pod'));
    assert.equal(toggled(once, 'kind', 'service'), 'nginx kind:service');
    assert.equal(toggled(once, 'kind', 'pod'), 'nginx');
  });
});
