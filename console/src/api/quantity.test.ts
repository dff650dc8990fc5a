import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quantity, readable, scaled } from './quantity.ts';

describe('quantities', () => {
  it('are numbers whatever their unit', () => {
    assert.deepEqual(
      ['1100m', '72', '2Ki', '1.5Gi', undefined].map((text) => quantity(text)),
      [1.1, 72, 2048, 1.5 * 2 ** 30, 0],
    );
  });

  it('are read without thousandths, and in the largest unit that fits', () => {
    assert.deepEqual(
      ['1100m', '2304Mi', '900Gi', '990'].map((text) => readable(text)),
      ['1.1', '2.3 Gi', '900 Gi', '990'],
    );
  });

  it('have shares in units that are read', () => {
    assert.equal(scaled('96Gi', 0.02), '1966Mi');
    assert.equal(scaled('24', 0.015), '0.36');
  });
});
