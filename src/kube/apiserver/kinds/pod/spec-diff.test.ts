import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { specDiff } from './spec-diff.ts';

describe('specDiff', () => {
  it('shows a change with the lines around it', () => {
    const before = { a: 1, b: 2, c: 3, nodeName: 'x', d: 4, e: 5, f: 6, g: 7 };
    const expected = [
      '@@ -1,7 +1,7 @@',
      '  "a": 1,',
      '  "b": 2,',
      '  "c": 3,',
      '- "nodeName": "x",',
      '+ "nodeName": "y",',
      '  "d": 4,',
      '  "e": 5,',
      '  "f": 6,',
      '',
    ];
    assert.equal(specDiff(before, { ...before, nodeName: 'y' }), expected.join('\n'));
  });

  it('shows changes that are far apart each on their own', () => {
    const lines = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, at]));
    const diff = specDiff(lines, { ...lines, k0: 'x', k19: 'y' });
    assert.equal(diff.match(/^@@/gm)?.length, 2);
  });

  it('is empty when nothing changed', () => assert.equal(specDiff({ a: 1 }, { a: 1 }), ''));

  it('shows what was added', () => {
    assert.equal(specDiff({ a: 1 }, { a: 1, b: 2 }), '@@ -1,1 +1,2 @@\n- "a": 1\n+ "a": 1,\n+ "b": 2\n');
  });
});
