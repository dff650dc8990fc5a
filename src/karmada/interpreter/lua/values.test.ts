import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isObject } from '#base/json.ts';
import * as fc from 'fast-check';
import { DEFAULT_LIMITS, LuaLimitError, Run } from './language/index.ts';
import { globals } from './library/globals.ts';
import { runScript } from './run-script.ts';
import { STILL } from './testing.ts';
import { type Encoded, fromJson, restoreEmpty, toJson, withoutEmpty } from './values.ts';

const newRun = () => new Run(globals(), DEFAULT_LIMITS, STILL);

/** Through a script that returns what it is given. */
function through(value: unknown): Encoded {
  return runScript({ source: 'function f(x) return x end', functionName: 'f', args: [value], results: 1 })[0];
}

describe('an object that went through a script', () => {
  it('is the same, whatever is empty in it', () => {
    const value = {
      spec: {
        replicas: 2,
        ratio: 0.5,
        paused: false,
        args: ['a', 'b'],
        volumes: [{ name: 'v', emptyDir: {} }],
        finalizers: [],
      },
      metadata: { labels: {}, annotations: { 'a.b/c': 'é 日本' } },
    };
    assert.deepEqual(restoreEmpty(through(value), [value]), value);
  });

  it('has lost what is null, as nothing else can be in Lua', () =>
    assert.deepEqual(through({ a: null, b: [1, null, 2], c: 1 }), { b: [1, 2], c: 1 }));

  it('keeps members with odd names', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":"x","":{"b":2}}');
    assert.equal(JSON.stringify(through(value)), JSON.stringify(value));
  });

  it('is the same for any object without nulls', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }).filter(isObject), (value) => {
        const given = withoutNulls(value);
        // Empty lists and objects in one place of a list cannot be told apart: all its items share a path.
        if (hasMixedEmpties(given)) return;
        assert.deepEqual(restoreEmpty(through(given), [given]), Object.keys(given as object).length === 0 ? [] : given);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isObject(value)) return Object.is(value, -0) ? 0 : value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

function hasMixedEmpties(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.includes('[]') && text.includes('{}');
}

describe('what a script returns', () => {
  const cases: [because: string, script: string, wanted: unknown][] = [
    ['whole numbers without a point', 'return {n = 4 / 2}', { n: 2 }],
    ['lists and objects', 'return {1, {a = "b"}}', [1, { a: 'b' }]],
    ['text of any language', 'return "日" .. "本"', '日本'],
  ];
  for (const [because, script, wanted] of cases) {
    it(`may be ${because}`, () =>
      assert.deepEqual(runScript({ source: `function f() ${script} end`, functionName: 'f', args: [], results: 1 }), [
        wanted,
      ]));
  }

  const refusals: [because: string, script: string, message: RegExp][] = [
    ['a table with keys of both sorts', 'return {1, a = 2}', /mixed or invalid key types/],
    ['a table with other keys', 'return {[true] = 1}', /mixed or invalid key types/],
    ['a list with holes', 'return {1, nil, 3}', /sparse array/],
    ['a table in itself', 'local t = {} t.t = t return t', /recursively nested tables/],
    ['a table twice, as in Karmada', 'local t = {1} return {t, t}', /recursively nested tables/],
    ['a function', 'return {f = print}', /cannot encode function to JSON/],
    ['infinity', 'return 1 / 0', /unsupported value: Infinity/],
  ];
  for (const [because, script, message] of refusals) {
    it(`may not be ${because}`, () =>
      assert.throws(
        () => runScript({ source: `function f() ${script} end`, functionName: 'f', args: [], results: 1 }),
        { message },
      ));
  }

  it('may not be larger than any object', () => {
    const source = 'function f() local t = {} for i = 1, 1000 do t[i] = "0123456789" end return t end';
    const limits = { ...DEFAULT_LIMITS, outputBytes: 5_000 };
    assert.throws(
      () => runScript({ source, functionName: 'f', args: [], results: 1 }, limits),
      (error) => error instanceof LuaLimitError && error.limit === 'output',
    );
  });
});

describe('what comes back empty', () => {
  const cases: [because: string, returned: Encoded, references: readonly unknown[], wanted: Encoded][] = [
    ['is an object where it was one', { a: [] }, [{ a: {} }], { a: {} }],
    ['is a list where it was one', { a: [] }, [{ a: [] }], { a: [] }],
    ['is what any of the objects has', { a: [], b: [] }, [{ a: {} }, { b: [] }], { a: {}, b: [] }],
    ['is left out where nobody had it', { a: [], b: 1 }, [{ b: 1 }], { b: 1 }],
    [
      'is told apart inside lists',
      { c: [{ d: [], e: [] }] },
      [{ c: [{ d: {} }, { e: [] }] }],
      { c: [{ d: {}, e: [] }] },
    ],
    ['leaves the object around it', { a: { b: [] } }, [{}], { a: {} }],
  ];
  for (const [because, returned, references, wanted] of cases) {
    it(because, () => assert.deepEqual(restoreEmpty(returned, references), wanted));
  }

  it('is left out everywhere without anything to compare with', () =>
    assert.deepEqual(withoutEmpty({ a: [], b: { c: [], d: [1, []] } }), { b: { d: [1] } }));

  it('is a list until it has been compared', () => assert.deepEqual(toJson(fromJson({}), newRun()), []));
});
