import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { presentOnly } from './present.ts';

describe('presentOnly', () => {
  it('takes nulls away at any depth and leaves the original alone', () => {
    const given = { a: null, b: { c: null, d: 1 }, e: [{ f: null }, 2] };
    assert.deepEqual(presentOnly(given), { b: { d: 1 }, e: [{}, 2] });
    assert.equal(given.b.c, null);
  });

  it('shares what has no nulls', () => {
    const given = { a: { b: [1, { c: 'x' }] }, d: { e: null } };
    assert.equal(presentOnly(given).a, given.a);
    assert.equal(presentOnly(given.a), given.a);
  });
});
