import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { evaluate } from '../testing.ts';

type Case = readonly [expressions: string, ...results: readonly unknown[]];

function gives(cases: readonly Case[]): void {
  for (const [expressions, ...results] of cases)
    it(expressions, () => assert.deepEqual(evaluate(`return ${expressions}`), results));
}

describe('string', () => {
  gives([
    [
      '("hello"):sub(2, 3), ("hello"):sub(-3), ("hello"):sub(0), ("hello"):sub(10), ("hello"):sub(2, -2)',
      'el',
      'llo',
      'hello',
      '',
      'ell',
    ],
    ['("hi"):byte(), ("hi"):byte(-1), string.char(72, 105)', 104, 105, 'Hi'],
    ['("abc"):upper(), ("ABC"):lower(), ("abc"):reverse(), ("abc"):len()', 'ABC', 'abc', 'cba', 3],
    ['("hello"):find("l"), (("hello"):find("xyz")), ("a.b"):find(".", 1, true)', 3, undefined, 2, 2],
  ]);

  it('refuses what Karmada refuses', () => {
    for (const name of ['gsub', 'rep', 'dump']) {
      assert.throws(() => evaluate(`string.${name}("x", 1)`), {
        message: new RegExp(`string\\.${name} is not supported by Karmada`),
      });
    }
  });

  it('refuses arguments of more than a million bytes', () => {
    const long = 'local s = "0123456789" for i = 1, 17 do s = s .. s end';
    assert.throws(() => evaluate(`${long} return s:upper()`), { message: /string length 1310720 exceeds the maximum/ });
  });
});

describe('a pattern', () => {
  gives([
    ['("key=val"):match("(%w+)=(%w+)")', 'key', 'val'],
    ['("  trim "):match("^%s*(.-)%s*$")', 'trim'],
    ['("abc"):match("()b()")', 2, 3],
    ['("f(a(b)c)d"):match("%b()")', '(a(b)c)'],
    ['("abcabc"):match("(abc)%1")', 'abc'],
    [
      '("a-b]c"):match("[%w-]+"), ("a]b"):match("[]]"), ("abc"):match("[^b]+"), ("x5"):match("[0-9a-f]")',
      'a-b',
      ']',
      'a',
      '5',
    ],
    ['("aaab"):match("a-b"), ("aab"):match("a*"), ("b"):match("a?b"), ("aab"):match("a+")', 'aaab', 'aa', 'b', 'aa'],
    ['("a$b"):match("a$b"), ("abc"):match("c$"), ("x^y"):match("x^y")', 'a$b', 'c', 'x^y'],
    ['("hello"):find("(l)(l)")', 3, 4, 'l', 'l'],
    ['("v1.22.3"):match("^v(%d+)%.(%d+)")', '1', '22'],
    ['("a,b"):find(",", -1), ("abc"):match("b", 2), select("#", ("x"):match("y"))', undefined, 'b', 0],
  ]);

  const broken: [pattern: string, message: RegExp][] = [
    ['[a', /missing ']'/],
    ['(a', /unfinished capture/],
    ['a)', /invalid pattern capture/],
    ['%', /ends with '%'/],
    ['%1', /invalid capture index/],
    ['%bx', /missing arguments to '%b'/],
  ];
  for (const [pattern, message] of broken) {
    it(`that is broken says so: ${pattern}`, () =>
      assert.throws(() => evaluate(`return ("x"):match("${pattern}")`), { message }));
  }

  it('goes through all its matches', () => {
    assert.deepEqual(evaluate('local t = {} for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do t[k] = v end return t'), [
      { a: '1', b: '2' },
    ]);
    assert.deepEqual(evaluate('local n = 0 for _ in ("abc"):gmatch("") do n = n + 1 end return n'), [4]);
  });

  it('of plain letters finds what indexOf finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (text, wanted) => {
        const [found] = evaluate(`return (("${text}"):find("${wanted}"))`);
        const at = text.indexOf(wanted);
        assert.equal(found, at < 0 ? undefined : at + 1);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('matches as the same regular expression does', () => {
    const piece = fc.tuple(fc.constantFrom('a', 'b', '.', '[ab]', '[^a]'), fc.constantFrom('', '*', '+', '?', '-'));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10 });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), text, (pieces, subject) => {
        const lua = pieces.map((parts) => parts.join('')).join('');
        const regExp = new RegExp(pieces.map(([what, how]) => what + (how === '-' ? '*?' : how)).join(''), 's');
        assert.equal(evaluate(`return (("${subject}"):match("${lua}"))`)[0], regExp.exec(subject)?.[0]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('string.format', () => {
  gives([
    ['string.format("%d %5d|%-5d|%05d|%+d", 42, 42, 42, 42, 42)', '42    42|42   |00042|+42'],
    ['string.format("%d %d %d", 3.7, -3.7, "10")', '3 -3 10'],
    ['string.format("%s %s %s|%5s|%-5s|%.2s", nil, true, 1.5, "a", "b", "cde")', 'nil true 1.5|    a|b    |cd'],
    ['string.format("%f %.2f %.0f %.0f %.1f", 1.5, 3.14159, 2.5, 3.5, 0.25)', '1.500000 3.14 2 4 0.2'],
    ['string.format("%g %g %g %.3g", 1e20, 100000, 0.0001, 1234.5)', '1e+20 100000 0.0001 1.23e+03'],
    ['string.format("%e %.1E", 12345.678, 0.00012)', '1.234568e+04 1.2E-04'],
    ['string.format("%x %X %o %c%c %%", 255, 255, 8, 72, 105)', 'ff FF 10 Hi %'],
    ['string.format("%q", "a\\"b")', '"a\\"b"'],
    ['string.format("%08.3f|%6.2f", 3.14159, -2.5)', '0003.142| -2.50'],
  ]);

  it('says what is missing or wrong', () => {
    assert.throws(() => evaluate('string.format("%d")'), { message: /bad argument #2 to format \(no value\)/ });
    assert.throws(() => evaluate('string.format("%d", {})'), { message: /number expected, got table/ });
    assert.throws(() => evaluate('string.format("%y", 1)'), { message: /invalid option '%y'/ });
  });

  it('rounds to the nearest, and ties to the even digit', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 6 }), (value, digits) => {
        const [text] = evaluate(`return string.format("%.${digits}f", ${value.toFixed(20)})`);
        const exact = Number(value.toFixed(20));
        assert.ok(
          Math.abs(Number(text) - exact) <= 0.5 * 10 ** -digits * (1 + 1e-9),
          `${exact} became ${String(text)}`,
        );
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});
