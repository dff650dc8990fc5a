import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWhole, PLATFORM, placeFrom, placeWord } from './place.ts';

describe('a place where rights hold', () => {
  for (const word of ['platform', 'folder/europe', 'workspace/payments', 'instance/demo', 'namespace/demo/shop'])
    it(`is read as it is written: ${word}`, () => assert.equal(placeWord(placeFrom(word)), word));

  it('is the platform where it cannot be read', () => assert.deepEqual(placeFrom('moon/1'), PLATFORM));

  it('is whole once it is chosen', () => {
    assert.ok(isWhole(PLATFORM));
    assert.ok(!isWhole({ kind: 'Workspace', id: '', namespace: '' }));
  });
});
