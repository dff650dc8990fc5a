import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluate } from '../testing.ts';
import { LuaLimitError } from './lua-error.ts';

/** A clock on which each look takes a millisecond. */
function ticking() {
  let now = 0;
  return { now: () => now++ };
}

function stops(script: string, limit: LuaLimitError['limit'], line?: number): void {
  assert.throws(
    () => evaluate(script, { timeMs: 50 }, ticking()),
    (error) => error instanceof LuaLimitError && error.limit === limit && (line === undefined || error.line === line),
  );
}

describe('the time of a script', () => {
  const cases: [because: string, script: string, line: number][] = [
    ['ends a loop', 'local x\nwhile true do\nend', 2],
    ['ends a loop that jumps', '::top:: goto top', 1],
    ['ends a loop of nothing but numbers', 'for i = 1, math.huge do end', 1],
    ['ends a loop that catches errors', 'while true do pcall(function() while true do end end) end', 1],
    ['ends functions that call each other', 'local function f(n) if n > 0 then f(n - 1) f(n - 1) end end\nf(40)', 1],
    ['ends a pattern that tries everything', 'return ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"):find("a*a*a*a*a*a*a*a*b")', 1],
    ['ends sorting that never gets done', 'local t = {} for i = 1, 5e4 do t[i] = i % 7 end\ntable.sort(t)', 2],
  ];
  for (const [because, script, line] of cases) it(because, () => stops(script, 'time', line));

  it('is enough for what ends', () =>
    assert.deepEqual(
      evaluate('local n = 0 for i = 1, 1e4 do n = n + i end return n', { timeMs: 50 }, ticking()),
      [50_005_000],
    ));
});

describe('the memory of a script', () => {
  const cases: [because: string, script: string][] = [
    ['ends a string that doubles', 'local s = "x" while true do s = s .. s end'],
    [
      'ends strings that are kept',
      'local t, s = {}, ("xxxxxxxxxx"):upper() for i = 1, 1e6 do t[i] = s:lower() .. i end',
    ],
    ['ends a list without end', 'local t = {} while true do t[#t + 1] = 1 end'],
    ['ends tables without end', 'local t while true do t = {t} end'],
    ['ends a list made in one go', 'local t = {} t[6e7] = 1'],
    ['ends a table without end', 'local t, i = {}, 0 while true do i = i + 1 t["k" .. i] = i end'],
    ['ends functions without end', 'local f while true do local g = f f = function() return g end end'],
    ['ends values without end', 'return unpack({}, 1, 1e9)'],
    [
      'ends text without end',
      'local t = {} for i = 1, 1e5 do t[i] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" end return table.concat(t)',
    ],
    ['cannot be caught', 'while true do pcall(function() local t = {} while true do t[#t + 1] = {} end end) end'],
  ];
  for (const [because, script] of cases) {
    it(because, () =>
      assert.throws(
        () => evaluate(script, { memoryBytes: 4 * 2 ** 20 }),
        (error) => error instanceof LuaLimitError && error.limit === 'memory',
      ),
    );
  }
});

describe('errors a script catches', () => {
  it('are what was thrown, with the place in front of text', () => {
    assert.deepEqual(evaluate('return pcall(error, {code = 7})'), [false, { code: 7 }]);
    assert.deepEqual(evaluate('return pcall(function()\n error("no") end)'), [false, '<string>:2: no']);
    assert.deepEqual(evaluate('return pcall(error, "no", 0)'), [false, 'no']);
    assert.deepEqual(evaluate('return pcall(function() return 1, 2 end)'), [true, 1, 2]);
  });

  it('go through a handler', () =>
    assert.deepEqual(evaluate('return xpcall(function() error("no", 0) end, function(m) return m .. "!" end)'), [
      false,
      'no!',
    ]));

  it('leave the stack as it was', () => {
    const deep = 'local function f() return 1 + f() end';
    assert.deepEqual(evaluate(`${deep} for _ = 1, 5 do pcall(f) end return select(2, pcall(f))`), [
      '<string>:1: stack overflow',
    ]);
  });
});
