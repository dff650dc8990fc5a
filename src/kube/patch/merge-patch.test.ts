import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { applyMergePatch, createMergePatch } from './merge-patch.ts';

describe('applyMergePatch', () => {
  // The examples of RFC 7386, appendix A, with an object as patch.
  const cases: [document: string, patch: string, result: string][] = [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{"a":1}', '{"a":[{"b":null},null]}', '{"a":[{},null]}'],
    ['{}', '{"__proto__":{"polluted":true}}', '{"__proto__":{"polluted":true}}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":null}}', '{"__proto__":{}}'],
  ];
  for (const [document, patch, result] of cases) {
    it(`turns ${document} with ${patch} into ${result}`, () => {
      assert.equal(JSON.stringify(applyMergePatch(JSON.parse(document), JSON.parse(patch))), result);
      assert.equal('polluted' in {}, false);
    });
  }

  it('refuses a patch that is no object', () => {
    const message = 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}';
    assert.throws(() => applyMergePatch({}, [1]), { reason: 'BadRequest', message });
    assert.throws(() => applyMergePatch({}, null), { reason: 'BadRequest', message: 'Invalid JSON Patch' });
  });
});

describe('createMergePatch', () => {
  const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString');
  const tree = fc.letrec((tie) => ({
    object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      fc.constantFrom(1, 2, 'x', false),
      fc.array(tie('value'), { maxLength: 2 }),
      tie('object'),
    ),
  })).object;

  it('makes the patch that leads from one document to the other, and changes neither', () => {
    fc.assert(
      fc.property(tree, tree, (from, to) => {
        const before = JSON.stringify([from, to]);
        assert.deepEqual(applyMergePatch(from, createMergePatch(from, to)), to);
        assert.equal(JSON.stringify([from, to]), before);
      }),
      { seed: 1, numRuns: 1_000 },
    );
  });

  it('is empty for equal documents', () => {
    fc.assert(
      fc.property(tree, (document) => {
        assert.deepEqual(createMergePatch(document, structuredClone(document)), {});
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('mentions only what changed', () => {
    assert.deepEqual(createMergePatch({ a: { x: 1, y: [1] }, b: 1 }, { a: { x: 2, y: [1] } }), {
      a: { x: 2 },
      b: null,
    });
  });
});
