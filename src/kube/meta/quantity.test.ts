import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isQuantity,
  milliQuantityOf,
  multiplyQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityOf,
  quantityValue,
  subtractQuantities,
} from '#kube/meta/quantity.ts';

describe('parseQuantity', () => {
  const canonical: [written: string | number, stored: string][] = [
    ['0.5', '500m'],
    ['1024Ki', '1Mi'],
    ['1.5Gi', '1536Mi'],
    ['1.1Gi', '1181116006400m'],
    ['2', '2'],
    [2, '2'],
    [0.1, '100m'],
    [1e21, '9223372036854775807'],
    ['0', '0'],
    ['0Mi', '0'],
    ['-0', '0'],
    ['+1', '1'],
    ['.5', '500m'],
    ['5.', '5'],
    ['1000m', '1'],
    ['100000', '100k'],
    ['1500', '1500'],
    ['12e6', '12e6'],
    ['1e1', '10'],
    ['1E3', '1e3'],
    ['1E', '1E'],
    ['1e-3', '1e-3'],
    ['0.1Ki', '102400m'],
    ['512Mi', '512Mi'],
    ['1025Mi', '1025Mi'],
    ['-1.5Gi', '-1536Mi'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['1.0000000001', '1000000001n'],
    ['100Ei', '9223372036854775807'],
    ['1e400000', '9223372036854775807'],
  ];
  for (const [written, stored] of canonical) {
    it(`stores ${JSON.stringify(written)} as ${stored}`, () => assert.equal(canonicalQuantity(written), stored));
  }

  for (const wrong of ['', 'x', '1x', '1 Gi', '1.2.3', '1Ki2', '--1', 'Gi', '.', '1ki', '1e']) {
    it(`refuses ${JSON.stringify(wrong)}`, () => {
      assert.equal(isQuantity(wrong), false);
      assert.throws(() => parseQuantity(wrong), {
        reason: 'BadRequest',
        message: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      });
    });
  }
});

describe('arithmetic', () => {
  it('keeps the family of the left side, or of the right one when the left is zero', () => {
    assert.equal(formatQuantity(addQuantities(parseQuantity('1Gi'), parseQuantity('1G'))), '2073741824');
    assert.equal(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('1Gi'))), '1Gi');
    assert.equal(formatQuantity(subtractQuantities(parseQuantity('2Gi'), parseQuantity('1Gi'))), '1Gi');
    assert.equal(formatQuantity(multiplyQuantity(parseQuantity('500m'), 3)), '1500m');
  });

  it('rounds away from zero when asked for whole or thousandth units', () => {
    assert.equal(quantityValue(parseQuantity('1500m')), 2);
    assert.equal(quantityValue(parseQuantity('-1500m')), -2);
    assert.equal(quantityMilliValue(parseQuantity('0.0001')), 1);
    assert.equal(quantityMilliValue(parseQuantity('2')), 2000);
  });

  it('is made of whole units or thousandths', () => {
    assert.equal(formatQuantity(quantityOf(2n ** 30n, 'binary')), '1Gi');
    assert.equal(formatQuantity(milliQuantityOf(250)), '250m');
  });
});

const written = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
    fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-3', 'E2'),
  )
  .map(([mantissa, suffix]) => `${mantissa}${suffix}`);

describe('quantities', () => {
  it('keep their value when printed, and print the same again', () => {
    fc.assert(
      fc.property(written, (text) => {
        const first = parseQuantity(text);
        const printed = formatQuantity(first);
        assert.equal(compareQuantities(parseQuantity(printed), first), 0);
        assert.equal(canonicalQuantity(printed), printed);
      }),
      { seed: 1, numRuns: 1_000 },
    );
  });

  it('add and subtract without loss', () => {
    fc.assert(
      fc.property(written, written, (left, right) => {
        const [a, b] = [parseQuantity(left), parseQuantity(right)];
        assert.equal(compareQuantities(subtractQuantities(addQuantities(a, b), b), a), 0);
        assert.equal(compareQuantities(addQuantities(a, b), addQuantities(b, a)), 0);
      }),
      { seed: 1, numRuns: 1_000 },
    );
  });
});
