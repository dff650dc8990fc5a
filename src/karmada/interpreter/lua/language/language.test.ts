import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluate } from '../testing.ts';
import { compile } from './compile.ts';
import { LuaError, LuaSyntaxError } from './lua-error.ts';

type Case = readonly [because: string, script: string, ...results: readonly unknown[]];

function returns(cases: readonly Case[]): void {
  for (const [because, script, ...results] of cases) it(because, () => assert.deepEqual(evaluate(script), results));
}

describe('numbers', () => {
  returns([
    ['are doubles: what is whole has no point', 'return 4 / 2, "a" .. 4 / 2, 2 ^ 2, 7 / 2', 2, 'a2', 4, 3.5],
    ['hold what memory is measured in', 'return 1024 * 1024 * 1024 * 8, 2000000000 + 2000000000', 8_589_934_592, 4e9],
    ['are read from strings where a number is wanted', 'return "10" + 5, "0x10" * 1, 10 .. 20', 15, 16, '1020'],
    ['have a remainder with the sign of the divisor', 'return 7 % 3, -7 % 3, 7 % -3, 5.5 % 2', 1, 2, -2, 1.5],
    ['may be written in hexadecimal and with exponents', 'return 0xff, 1e3, .5, 3.', 255, 1000, 0.5, 3],
    [
      'are written as Go writes them',
      'return 1e15 .. "", 1234567.5 .. "", 0.1 .. "", 1e100 .. ""',
      '1000000000000000',
      '1.2345675e+06',
      '0.1',
      '1e+100',
    ],
  ]);
});

describe('operators', () => {
  returns([
    [
      'bind as tightly as the manual says',
      'return 1 + 2 * 3, -2 ^ 2, 2 ^ 3 ^ 2, 1 .. 2 == "12", not 1 == 2',
      7,
      -4,
      512,
      true,
      false,
    ],
    [
      'and, or give one of their operands',
      'return nil and 1, false or "x", 1 and 2, nil or false',
      undefined,
      'x',
      2,
      false,
    ],
    [
      'compare numbers with numbers and strings with strings',
      'return 1 < 2, "a" < "b", "Z" < "a", 2 >= 3',
      true,
      true,
      true,
      false,
    ],
    ['hold values of different types for different', 'return 1 == "1", nil == false, {} == {}', false, false, false],
    ['know only nil and false for untrue', 'return not nil, not 0, not ""', true, false, false],
    ['count the bytes of strings and the items of lists', 'return #"héllo", #{1, 2, 3}, #{1, nil, 3}', 6, 3, 3],
    [
      'evaluate from left to right',
      'local s = "" local function f(x) s = s .. x return x end local _ = f(2) > f(1) return s',
      '21',
    ],
  ]);
});

describe('statements', () => {
  returns([
    [
      'count up, down and by fractions',
      'local t = {} for i = 3, 1, -1 do t[#t + 1] = i end for i = 1, 2, 0.5 do t[#t + 1] = i end return t',
      [3, 2, 1, 1, 1.5, 2],
    ],
    [
      'loop while and until',
      'local i = 0 while i < 3 do i = i + 1 end repeat local j = i i = i + 1 until j >= 5 return i',
      6,
    ],
    ['leave a loop', 'for i = 1, 10 do if i == 4 then return i end end', 4],
    ['leave only the innermost', 'local n = 0 for _ = 1, 2 do while true do break end n = n + 1 end return n', 2],
    [
      'choose',
      'local function f(x) if x == 1 then return "a" elseif x then return "b" else return "c" end end return f(1), f(2), f()',
      'a',
      'b',
      'c',
    ],
    [
      'jump to go on with the next round',
      'local t = {} for i = 1, 3 do if i == 2 then goto next end t[#t + 1] = i ::next:: end return t',
      [1, 3],
    ],
    ['jump back', 'local i = 1 ::again:: if i < 5 then i = i + 1 goto again end return i', 5],
    [
      'assign several at once, all values first',
      'local a, b = 1, 2 a, b = b, a local i, t = 1, {} i, t[i] = 2, "x" return a, b, i, t',
      2,
      1,
      2,
      ['x'],
    ],
    ['shadow names in blocks', 'local x = 1 do local x = 2 end return x', 1],
    [
      'go through lists until the first hole',
      'local n = 0 for _ in ipairs({1, 2, nil, 4}) do n = n + 1 end return n',
      2,
    ],
    [
      'go through tables, list first, then in order of writing',
      'local s = "" for k in pairs({z = 1, "x", a = 2}) do s = s .. k end return s',
      '1za',
    ],
    [
      'let a table be emptied while it is gone through',
      'local t = {a = 1, b = 2} for k in pairs(t) do t[k] = nil end return next(t)',
      undefined,
    ],
  ]);
});

describe('functions', () => {
  returns([
    [
      'take and give any number of values',
      'local function f(...) return select("#", ...), ... end return f(nil, 2)',
      2,
      undefined,
      2,
    ],
    [
      'give one value in parentheses and in the middle',
      'local function f() return 1, 2 end return f(), (f()), f()',
      1,
      1,
      1,
      2,
    ],
    [
      'spread into lists at their end',
      'local function f() return 1, 2 end return {f(), f()}, {f(), 10}',
      [1, 1, 2],
      [1, 10],
    ],
    ['call themselves', 'local function f(n) return n == 0 and 0 or n + f(n - 1) end return f(20)', 210],
    [
      'share the variables around them',
      'local n = 0 local function inc() n = n + 1 return n end inc() return inc(), n',
      2,
      2,
    ],
    [
      'get variables of their own in each round',
      'local f = {} for i = 1, 3 do f[i] = function() i = i + 1 return i end end return f[1](), f[1](), f[2]()',
      2,
      3,
      3,
    ],
    [
      'reach through several functions',
      'local x = 1 local function a() return function() x = x + 1 return x end end return a()(), x',
      2,
      2,
    ],
    [
      'may belong to tables',
      'local t = {n = 1} function t:add(k) self.n = self.n + k return self end return t:add(2):add(3).n',
      6,
    ],
    ['take a string or table without parentheses', 'local function f(x) return x end return f"s", f{1}[1]', 's', 1],
  ]);
});

describe('strings', () => {
  returns([
    ['may contain anything escaped', String.raw`return "\65\066\n\t\\\"", 'it\'s'`, 'AB\n\t\\"', "it's"],
    ['may be long', 'return [[\na\nb]], [==[x]]y]==]', 'a\nb', 'x]]y'],
    ['go on after an escaped line break', 'return "a\\\nb"', 'a\nb'],
    [
      'have the functions of their library',
      'local s = "abc" return s:upper(), ("x"):len(), s.len',
      'ABC',
      1,
      evaluate('return string.len')[0],
    ],
  ]);
});

describe('what is no Lua', () => {
  const cases: [script: string, line: number, message: string][] = [
    ['return 1 +', 1, "unexpected symbol near 'end of script'"],
    ['if x then\n\nreturn 1', 3, "'end' expected (to close 'if' at line 1) near 'end of script'"],
    ['x = {\n1,\n2', 3, "'}' expected (to close '{' at line 1) near 'end of script'"],
    ['local s = "abc\n"', 1, 'unfinished string'],
    ['--[[ comment', 1, 'unfinished long comment'],
    ['x = 1\ny y', 2, "unexpected symbol near 'y'"],
    ['f() = 1', 1, "unexpected symbol near '='"],
    ['"abc"', 1, "unexpected symbol near 'abc'"],
    ['return 1 // 2', 1, "unexpected symbol near '/'"],
    ['return 0x', 1, "malformed number near '0x'"],
    ['return 3x', 1, "unexpected symbol near 'x'"],
    ['return "\\300"', 1, 'escape sequence too large'],
    ['\nbreak', 2, 'no loop to break'],
    ['goto nowhere', 1, "no visible label 'nowhere'"],
    ['goto inside do ::inside:: end', 1, "no visible label 'inside'"],
    ['::a:: ::a::', 1, "label 'a' already defined"],
    ['function f() return ... end', 1, "cannot use '...' outside a vararg function"],
    ['return @', 1, "unexpected symbol near '@'"],
    [`return ${'('.repeat(1_000)}1${')'.repeat(1_000)}`, 1, 'the script is nested too deeply'],
    [`return 1${' + 1'.repeat(100_000)}`, 1, 'the script is nested too deeply'],
  ];
  for (const [script, line, message] of cases) {
    it(`is refused: ${script.slice(0, 40)}`, () =>
      assert.throws(
        () => compile(script),
        (error) => error instanceof LuaSyntaxError && error.line === line && error.message === message,
      ));
  }
});

describe('what goes wrong', () => {
  const cases: [script: string, line: number, message: string][] = [
    ['local obj = {}\nreturn obj.spec.replicas', 2, "attempt to index a nil value (field 'spec')"],
    ['local obj\nobj.x = 1', 2, "attempt to index a nil value (local 'obj')"],
    ['return thing.x', 1, "attempt to index a nil value (global 'thing')"],
    ['\n\nnothing()', 3, "attempt to call a nil value (global 'nothing')"],
    ['local t = {}\nt:go()', 2, "attempt to call a nil value (method 'go')"],
    ['return 1 + nil', 1, 'attempt to perform arithmetic on a nil value'],
    ['local a = {}\nreturn a.n * 2', 2, "attempt to perform arithmetic on a nil value (field 'n')"],
    ['local function f()\n  return x .. "y"\nend\nreturn f()', 2, "attempt to concatenate a nil value (global 'x')"],
    ['return {} < {}', 1, 'attempt to compare table with table'],
    ['return 1 < "2"', 1, 'attempt to compare number with string'],
    ['return #5', 1, 'attempt to get length of a number value'],
    ['local t = {} t[nil] = 1', 1, 'table index is nil'],
    ['local t = {} t[0 / 0] = 1', 1, 'table index is NaN'],
    ['for i = "x", 2 do end', 1, "'for' initial value must be a number"],
    ['for _ in 5 do end', 1, 'attempt to call a value that is no iterator'],
    ['local function f() return f() + 1 end\nreturn f()', 1, 'stack overflow'],
    ['local function check()\n  error("wrong", 2)\nend\n\ncheck()', 5, 'wrong'],
    ['error("plain")', 1, 'plain'],
  ];
  for (const [script, line, message] of cases) {
    it(`is told with its line: ${message}`, () =>
      assert.throws(
        () => evaluate(script),
        (error) => error instanceof LuaError && error.line === line && error.message === message,
      ));
  }
});
