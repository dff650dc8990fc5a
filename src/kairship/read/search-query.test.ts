import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseSearch } from './search-query.ts';

const NOTHING = { words: [], kinds: [], clusters: [], namespaces: [], names: [], notNames: [], labels: [] };

describe('A search', () => {
  it('is words, and fields with a colon', () => {
    assert.deepEqual(parseSearch('kind:deployment cluster:eu-1 ns:shop label:app=web,tier!=db nginx'), {
      ...NOTHING,
      kinds: ['deployment'],
      clusters: ['eu-1'],
      namespaces: ['shop'],
      labels: ['app=web,tier!=db'],
      words: ['nginx'],
    });
  });

  it('may have any of several values, and values with spaces', () => {
    assert.deepEqual(parseSearch('kind:pod kind:job name:"a b"'), {
      ...NOTHING,
      kinds: ['pod', 'job'],
      names: ['a b'],
    });
  });

  it('may leave out what has something in its name', () => {
    assert.deepEqual(parseSearch('kind:pod -name:canary -name:kairship. -5'), {
      ...NOTHING,
      kinds: ['pod'],
      notNames: ['canary', 'kairship.'],
      words: ['-5'],
    });
  });

  it('takes an image for one', () => {
    assert.deepEqual(parseSearch('nginx:1.27 web:latest image:redis:7'), {
      ...NOTHING,
      words: ['nginx:1.27', 'web:latest', 'redis:7'],
    });
  });

  it('is refused when it names a field that is none, or is too long', () => {
    assert.throws(() => parseSearch('color:red'), { message: /no field "color"; known are kind, cluster/ });
    assert.throws(() => parseSearch('x'.repeat(501)), { message: /at most 500 characters/ });
    assert.throws(() => parseSearch('x '.repeat(21)), { message: /at most 20 words/ });
  });

  it('never fails in another way', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        try {
          parseSearch(text);
        } catch (error) {
          assert.match((error as Error).message, /^query: /);
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
