import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { labelWords, placesIn, requirementOf, withPlaces } from './targets.ts';

describe('clusters by label', () => {
  it('are written in words and kept as requirements', () => {
    const words = ['tier=prod', 'region in eu,us', 'zone not in a', 'gpu', '!edge'];
    const selector = requirementOf(words);
    assert.deepEqual(selector, {
      matchLabels: { tier: 'prod' },
      matchExpressions: [
        { key: 'region', operator: 'In', values: ['eu', 'us'] },
        { key: 'zone', operator: 'NotIn', values: ['a'] },
        { key: 'gpu', operator: 'Exists' },
        { key: 'edge', operator: 'DoesNotExist' },
      ],
    });
    assert.deepEqual(labelWords(selector), words);
  });

  it('without a word are not asked for', () => {
    assert.equal(requirementOf([]), undefined);
    assert.deepEqual(labelWords(undefined), []);
  });
});

describe('clusters by place', () => {
  it('are any of the places, and what else is said stays', () => {
    const other = { key: 'provider', operator: 'NotIn', values: ['x'] };
    const expressions = withPlaces([other], 'region', ['eu', 'us']);
    assert.deepEqual(placesIn(expressions, 'region'), ['eu', 'us']);
    assert.deepEqual(withPlaces(expressions, 'region', []), [other]);
  });
});
