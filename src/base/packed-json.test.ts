import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { packJson, unpackJson } from './packed-json.ts';

describe('packed JSON', () => {
  it('is unpacked as it was', () => {
    const values = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(values, (value) => assert.deepEqual(unpackJson(packJson(value)), value)),
      { seed: 1, numRuns: 200 },
    );
  });

  it('may be longer than a piece', () => {
    const value = Array.from({ length: 5_000 }, (_, n) => ({ n, text: `${n * 7919}` }));
    const packed = packJson(value);
    assert.ok(packed.length < JSON.stringify(value).length / 2);
    assert.deepEqual(unpackJson(packed), value);
  });
});
