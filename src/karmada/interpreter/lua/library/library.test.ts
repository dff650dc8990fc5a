import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluate } from '../testing.ts';

type Case = readonly [because: string, expressions: string, ...results: readonly unknown[]];

function gives(cases: readonly Case[]): void {
  for (const [because, expressions, ...results] of cases) {
    it(because, () => assert.deepEqual(evaluate(`return ${expressions}`), results));
  }
}

function fails(cases: readonly (readonly [because: string, expression: string, message: RegExp])[]): void {
  for (const [because, expression, message] of cases)
    it(because, () => assert.throws(() => evaluate(`return ${expression}`), { message }));
}

describe('basic functions', () => {
  gives([
    [
      'tell types',
      'type(1), type("a"), type(nil), type({}), type(print), type(true)',
      'number',
      'string',
      'nil',
      'table',
      'function',
      'boolean',
    ],
    [
      'write values',
      'tostring(1.5), tostring(2.0), tostring(nil), tostring(true), tostring({})',
      '1.5',
      '2',
      'nil',
      'true',
      'table: 0x00000001',
    ],
    [
      'read numbers',
      'tonumber("10"), tonumber(" 5 "), tonumber("0x1F"), tonumber("1.5"), tonumber("z", 36), tonumber("11", 2)',
      10,
      5,
      31,
      1.5,
      35,
      3,
    ],
    [
      'read nothing else',
      'tonumber("x"), tonumber(""), tonumber("9", 8), tonumber({}), tonumber("99999999999999999999")',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ],
    ['read exponents only behind a point, as gopher-lua', 'tonumber("1e3"), tonumber("1.0e3")', undefined, 1000],
    ['pick arguments', 'select("#", 1, nil), select(2, "a", "b"), select(-1, "a", "b")', 2, 'b', 'b'],
    ['spread lists', 'unpack({1, nil, 3})', 1, undefined, 3],
    ['spread parts of lists', 'unpack({1, 2, 3}, 2, 3)', 2, 3],
    ['find the next entry', 'next({}), next({7}), next({7, 8}, 1), (next({a = 1, b = 2}, "a"))', undefined, 1, 2, 'b'],
    ['pass on what holds', 'assert(1, "no")', 1, 'no'],
    ['find themselves in the table of globals', '_G.print == print, _VERSION', true, 'Lua 5.1'],
    [
      'find modules',
      'require("string") == string, package.loaded.math == math, type(require("kube"))',
      true,
      true,
      'table',
    ],
  ]);
  fails([
    ['fail when an assertion does', 'assert(nil, "no")', /^no$/],
    ['fail without arguments', 'tostring()', /bad argument #1 to tostring \(value expected\)/],
    ['fail with arguments of the wrong type', 'ipairs(nil)', /bad argument #1 to ipairs \(table expected, got nil\)/],
    ['load no files', 'require("socket")', /module socket not found/],
  ]);

  for (const name of [
    'load',
    'loadstring',
    'dofile',
    'loadfile',
    'setmetatable',
    'getmetatable',
    'rawset',
    'setfenv',
    'collectgarbage',
  ]) {
    it(`refuse ${name}`, () =>
      assert.throws(() => evaluate(`${name}("x")`), {
        message: `call function ${name} is not supported in karmada customized resourceinterpreter.`,
      }));
  }

  it('print to whoever listens', () => {
    const lines: string[] = [];
    evaluate('print("a", 1, nil, {1} ~= nil)', {}, { print: (line) => lines.push(line) });
    assert.deepEqual(lines, ['a\t1\tnil\ttrue']);
  });

  it('reach nothing outside', () =>
    assert.deepEqual(
      evaluate('return io, debug, coroutine, os.exit, os.getenv, os.remove, os.execute'),
      Array.from({ length: 7 }, () => undefined),
    ));
});

describe('table', () => {
  gives([
    [
      'joins',
      'table.concat({1, "b", 2.5}, ","), table.concat({}), table.concat({1, 2, 3}, "-", 2), table.concat({1, 2, 3}, "-", 2, 2)',
      '1,b,2.5',
      '',
      '2-3',
      '2',
    ],
    ['measures', 'table.getn({1, 2}), table.maxn({1, 2, nil, 4})', 2, 4],
  ]);
  const cases: [because: string, script: string, ...results: readonly unknown[]][] = [
    [
      'inserts at the end and in between',
      'local t = {1, 3} table.insert(t, 4) table.insert(t, 2, 2) return t',
      [1, 2, 3, 4],
    ],
    [
      'removes from the end and in between',
      'local t = {1, 2, 3} return table.remove(t), table.remove(t, 1), t, table.remove({})',
      3,
      1,
      [2],
      undefined,
    ],
    [
      'sorts',
      'local t = {3, 1, 2} table.sort(t) local u = {"b", "C", "a"} table.sort(u) return t, u',
      [1, 2, 3],
      ['C', 'a', 'b'],
    ],
    [
      'sorts by a function',
      'local t = {{n = 1}, {n = 2}} table.sort(t, function(a, b) return a.n > b.n end) return t[1].n',
      2,
    ],
    [
      'sorts somehow when the function contradicts itself',
      'local t = {3, 1, 2} table.sort(t, function() return true end) return #t',
      3,
    ],
  ];
  for (const [because, script, ...results] of cases) it(because, () => assert.deepEqual(evaluate(script), results));
  fails([
    ['joins no tables', 'table.concat({1, {}})', /invalid value \(table\) at index 2 in table for concat/],
    ['sorts nothing that cannot be compared', 'table.sort({1, "a"})', /attempt to compare/],
  ]);
});

describe('math', () => {
  gives([
    ['rounds', 'math.floor(3.7), math.floor(-3.7), math.ceil(3.2), math.abs(-4)', 3, -4, 4, 4],
    ['chooses', 'math.max(1, 5, 3), math.min(2, 0, 9)', 5, 0],
    [
      'has what Lua 5.1 had',
      'math.pow(2, 10), math.mod(7, 3), math.fmod(-7, 3), math.log10(1000), math.ldexp(0.5, 4)',
      1024,
      1,
      -1,
      3,
      8,
    ],
    ['takes apart', 'math.modf(3.75)', 3, 0.75],
    ['takes apart in twos', 'math.frexp(8)', 0.5, 4],
    ['guesses between bounds', 'math.random(1, 4), math.random(4), math.random()', 3, 3, 0.5],
    ['knows constants', 'math.huge > 1e308, math.pi > 3.14', true, true],
  ]);
  fails([
    ['wants numbers', 'math.floor("x")', /bad argument #1 to floor \(number expected, got string\)/],
    ['wants at least one', 'math.max()', /wrong number of arguments/],
  ]);
});

describe('os', () => {
  gives([
    ['tells the time', 'os.time(), os.time({year = 2024, month = 3, day = 14})', 1_767_366_245, 1_710_417_600],
    [
      'writes it',
      'os.date("!%Y-%m-%dT%H:%M:%SZ"), os.date("!%F %X", 0), os.date("%c", 0), os.date("!%I %p %A %%")',
      '2026-01-02T15:04:05Z',
      '1970-01-01 00:00:00',
      '01 Jan 70 00:00 UTC',
      '03 PM Friday %',
    ],
    ['takes it apart', 'os.date("*t", 0).year, os.date("!*t", 0).month, os.date("*t").hour', 1970, 1, 15],
  ]);
});
