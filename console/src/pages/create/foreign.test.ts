import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isForeign, takesOver, wordsFor } from './foreign.ts';

const wanted = { kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } };
const resource = { kind: 'Deployment', namespace: 'shop', name: 'web' };

describe('what is in a cluster by the same name', () => {
  it('is looked for by kind, namespace and name', () => {
    assert.equal(wordsFor(wanted), 'kind:deployment namespace:shop name:web');
    assert.equal(wordsFor({ kind: 'Namespace', metadata: { name: 'shop' } }), 'kind:namespace name:shop');
  });

  it('is somebody else’s unless the engine has put it there', () => {
    const labels = { 'karmada.io/managed': 'true' };
    assert.equal(isForeign({ cluster: 'a', resource, object: { metadata: {} } }, wanted), true);
    assert.equal(isForeign({ cluster: 'a', resource, object: { metadata: { labels } } }, wanted), false);
    assert.equal(isForeign({ cluster: '', resource, object: {} }, wanted), false);
    assert.equal(isForeign({ cluster: 'a', resource: { ...resource, name: 'web-2' }, object: {} }, wanted), false);
  });

  it('is taken over where the policy says so', () => {
    assert.equal(takesOver({ spec: { conflictResolution: 'Overwrite' } }), true);
    assert.equal(takesOver({ spec: {} }), false);
  });
});
