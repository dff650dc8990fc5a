import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftOf, jsonEqual } from './json.ts';

describe('jsonEqual', () => {
  const cases: [a: string, b: string, equal: boolean][] = [
    ['{"a":[1,{"b":null}]}', '{"a":[1,{"b":null}]}', true],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['[1,2]', '[2,1]', false],
    ['{"a":1}', '{}', false],
    ['{}', '{"toString":"x"}', false],
    ['{}', '{"constructor":{}}', false],
    ['{}', '{"__proto__":{}}', false],
    ['{"__proto__":{}}', '{"__proto__":{}}', true],
    ['{}', '[]', false],
    ['null', '{}', false],
  ];
  for (const [a, b, equal] of cases) {
    it(`holds ${a} and ${b} for ${equal ? 'equal' : 'different'}`, () => {
      assert.equal(jsonEqual(JSON.parse(a), JSON.parse(b)), equal);
      assert.equal(jsonEqual(JSON.parse(b), JSON.parse(a)), equal);
    });
  }

  it('takes an undefined member for an absent one', () => assert.ok(jsonEqual({ a: undefined }, {})));
});

describe('draftOf', () => {
  it('copies every own member, whatever it is called', () => {
    const text = '{"__proto__":{"a":[1]},"constructor":{"b":2}}';
    const draft = draftOf(JSON.parse(text));
    assert.equal(JSON.stringify(draft), text);
    assert.equal('a' in draft, false);
  });
});
