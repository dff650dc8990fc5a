import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { MAX_DEPTH } from './json-scanner.ts';
import { parseJson } from './parse-json.ts';

function refusal(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return assert.fail('not refused');
}

describe('parseJson', () => {
  const malformed: [text: string, message: string][] = [
    ['', 'unexpected end of JSON input'],
    ['{"apiVersion":"v1",', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['{"a":nil}', "invalid character 'i' in literal null (expecting 'u')"],
    ['{}x', "invalid character 'x' after top-level value"],
    ['{"a":01}', "invalid character '1' after object key:value pair"],
    ['{"a":-}', "invalid character '}' in numeric literal"],
    ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['{"a":1e}', "invalid character '}' in exponent of numeric literal"],
    ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
    ['{"a":"\\u12g4"}', "invalid character 'g' in \\u hexadecimal character escape"],
    ['{"a":"\n"}', "invalid character '\\n' in string literal"],
    ['apiVersion: v1', "invalid character 'a' looking for beginning of value"],
    ["'", "invalid character '\\'' looking for beginning of value"],
    ['ä', "invalid character 'Ã' looking for beginning of value"],
  ];
  for (const [text, message] of malformed) {
    it(`says of ${JSON.stringify(text)} what Go says`, () => assert.equal(refusal(text), message));
  }

  it('reads bytes as well as text', () => {
    assert.deepEqual(parseJson(Buffer.from('{"a":"ä"}')).value, { a: 'ä' });
  });

  it('tells the paths of keys given twice, each once, when asked', () => {
    const text = '{"data":{"a":"1","a":"2","a":"3"},"list":[{"x":1},{"y": {"z":1,"z":1}}],"data":{}}';
    assert.deepEqual(parseJson(text, { duplicates: true }).duplicates, ['data.a', 'list[1].y.z', 'data']);
    assert.deepEqual(parseJson(text).duplicates, []);
  });

  it('is not misled by strings that look like keys, nor by spaces before the colon', () => {
    const find = (text: string) => parseJson(text, { duplicates: true }).duplicates;
    assert.deepEqual(find(String.raw`{"a":"\":\":","b":":"}`), []);
    assert.deepEqual(find('{"a" :1,"b":1,"b":2}'), ['b']);
    assert.deepEqual(find(String.raw`{"a":1,"\u0061":2}`), ['a']);
  });

  it('refuses what is nested deeper than the limit, in whatever brackets', () => {
    const nest = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
    assert.ok(parseJson(nest('[', ']', MAX_DEPTH)));
    assert.equal(refusal(nest('[', ']', MAX_DEPTH + 1)), 'exceeded max depth');
    assert.equal(refusal(nest('{"a":', '}', 200_000)), 'exceeded max depth');
    assert.equal(refusal('['.repeat(1_000_000)), 'exceeded max depth');
    assert.ok(parseJson(`[${'{},'.repeat(5 * MAX_DEPTH)}1]`), 'wide is not deep');
  });

  it('refuses a key that would reach into prototypes, however it is spelled', () => {
    assert.equal(refusal('{"data":{"__proto__":{"x":1}}}'), 'the key "__proto__" is not supported');
    assert.equal(refusal(String.raw`{"\u005f_proto__":1}`), 'the key "__proto__" is not supported');
    assert.deepEqual(parseJson('{"a":"__proto__"}').value, { a: '__proto__' });
  });

  it('finds no duplicates in what JSON.stringify wrote, and reads it back', () => {
    const property = fc.property(fc.json({ noUnicodeString: false }), (text) => {
      if (text.includes('__proto__')) return;
      const { value, duplicates } = parseJson(text, { duplicates: true });
      assert.deepEqual(duplicates, []);
      assert.deepEqual(value, JSON.parse(text));
    });
    fc.assert(property, { seed: 1, numRuns: 300 });
  });

  it('has words for every text that JSON.parse refuses', () => {
    const property = fc.property(fc.json(), fc.nat(), fc.constantFrom('', '}', ',', 'x', '"', ' '), (text, at, put) => {
      const broken = text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1);
      try {
        JSON.parse(broken);
      } catch {
        assert.match(refusal(broken), /^(invalid character '.+' |unexpected end of JSON input)/);
      }
    });
    fc.assert(property, { seed: 1, numRuns: 500 });
  });
});

it('refuses an integer that a number would change, and takes those that it holds', () => {
  assert.equal(
    refusal('{"spec":{"size":9007199254740993}}'),
    'the integer 9007199254740993 of "size" cannot be kept exactly: it is beyond 2^53',
  );
  assert.match(refusal('[-9223372036854775807]'), /of "0" cannot be kept exactly/);
  for (const text of ['{"a":9007199254740992}', '{"a":"9007199254740993"}', '{"a":0.12345678901234567}']) {
    assert.deepEqual(parseJson(text).value, JSON.parse(text));
  }
});
