import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { yamlText } from './yaml-text.ts';

describe('YAML text', () => {
  it('reads as Go writes it', () => {
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', labels: {}, finalizers: ['x/y', 'z'] },
      data: { size: '3', empty: '', yes: 'no', text: 'two\nlines\n', hint: 'a: b' },
      list: [{ a: 1, b: [true, null] }, [], [[1]]],
    };
    const expected = [
      'apiVersion: v1',
      'data:',
      '  empty: ""',
      `  hint: 'a: b'`,
      '  size: "3"',
      '  text: |',
      '    two',
      '    lines',
      '  "yes": "no"',
      'kind: ConfigMap',
      'list:',
      '- a: 1',
      '  b:',
      '  - true',
      '  - null',
      '- []',
      '- - - 1',
      'metadata:',
      '  finalizers:',
      '  - x/y',
      '  - z',
      '  labels: {}',
      '  name: a',
      '',
    ];
    assert.equal(yamlText(object), expected.join('\n'));
    assert.equal(yamlText('a'), 'a\n');
    assert.equal(yamlText([]), '[]\n');
    const long = { a: { ['k'.repeat(2_000)]: [{ b: 'c' }] } };
    assert.deepEqual(parse(yamlText(long)), long);
  });

  it('says the same as what it is made of', () => {
    const hard = fc.constantFrom(
      '1',
      '0x1F',
      '1_000',
      '012',
      '1e3',
      '.5',
      '12:30',
      '2026-01-01',
      '~',
      'Yes',
      'on',
      '=',
      '<<',
    );
    const odd = fc.constantFrom(
      '- a',
      '#',
      'a #b',
      'a:',
      '? b',
      '%',
      '@',
      '`',
      "'",
      '"',
      '|',
      '>',
      '&a',
      '*a',
      '!t',
      '---',
      ' a',
      'a ',
      '\n',
      'a\n',
      'a\n\n',
      'a\n b\n',
      ' a\nb',
      '\t',
      'é\u2028',
      '\ud83d\ude00',
      '\x7f',
      '{',
      ']',
      ',',
      'a,b',
    );
    const word = fc.oneof(hard, odd, fc.string(), fc.string({ unit: 'grapheme' }));
    const key = word.filter((name) => name !== '__proto__');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, word, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('map')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    }));
    const same = fc.property(value, (given) =>
      assert.deepEqual(parse(yamlText(given), { version: '1.1', logLevel: 'error' }), given),
    );
    fc.assert(same, { seed: 1, numRuns: 2_000 });
  });
});
