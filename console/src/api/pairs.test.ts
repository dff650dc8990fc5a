import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { curl, mapOf, pairsOf } from './pairs.ts';

describe('pairs', () => {
  it('come back as they were, also with = in a value', () => {
    const labels = { tier: 'prod', query: 'a=b', empty: '' };
    assert.deepEqual(mapOf(pairsOf(labels)), labels);
  });

  it('may be a key alone', () => assert.deepEqual(mapOf(['gpu']), { gpu: '' }));

  it('of nothing are none', () => assert.deepEqual(pairsOf(undefined), []));
});

describe('a request from a terminal', () => {
  it('has its method, its address and its body', () => {
    assert.equal(
      curl('PUT', '/apis/x', { a: 1 }),
      `curl -X PUT /apis/x -H "authorization: Bearer $TOKEN" -d '{"a":1}'`,
    );
  });
});
