import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { goRegExp, goRegExpProblem } from './go-regexp.ts';

describe('goRegExp', () => {
  const cases: [pattern: string, matches: string[], not: string[]][] = [
    ['^[a-z]([-a-z0-9]*[a-z0-9])?$', ['a', 'a-b'], ['A', 'a-']],
    ['(?i)^abc$', ['ABC'], ['abd']],
    ['a(?i)b', ['aB'], ['AB']],
    ['a(?i:b)c', ['aBc'], ['aBC']],
    ['^a.b$', ['a b', 'a\rb'], ['a\nb']],
    ['(?s)^a.b$', ['a\nb'], []],
    ['\\Aab\\z', ['ab'], ['ab\n', 'xab']],
    ['(?P<year>\\d{4})', ['2026'], ['26']],
    ['^[[:alpha:]_]+$', ['a_B'], ['1']],
    ['^[^[:space:]]+$', ['ab'], ['a b']],
    ['^\\pL+$', ['äb'], ['1']],
    ['^\\p{Greek}+$', ['αβ'], ['ab']],
    ['^\\-\\_\\@$', ['-_@'], ['-']],
    ['^\\x{1F600}$', ['😀'], ['x']],
    ['^.$', ['😀'], ['ab']],
    ['^\\Qa.b\\E$', ['a.b'], ['axb']],
    ['^{a}$', ['{a}'], ['a']],
    ['^a{2,3}$', ['aa'], ['a']],
    ['^[]a]$', [']', 'a'], ['b']],
    ['^[a\\]b]$', [']'], ['c']],
    ['^\\s$', [' ', '\t'], ['\u00a0', '\v']],
    ['/', ['a/b'], ['ab']],
  ];
  for (const [pattern, good, bad] of cases) {
    it(pattern, () => {
      for (const text of good) assert.ok(goRegExp(pattern).test(text), text);
      for (const text of bad) assert.ok(!goRegExp(pattern).test(text), text);
    });
  }

  it('refuses what Go does not have', () => {
    assert.equal(goRegExpProblem('a(?=b)'), 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`');
    assert.equal(goRegExpProblem('(a)\\1'), 'error parsing regexp: invalid escape sequence: `\\1`');
    assert.equal(goRegExpProblem('a(b'), 'error parsing regexp: missing closing ): `a(b`');
    assert.equal(goRegExpProblem('[a'), 'error parsing regexp: missing closing ]: `[a`');
    assert.equal(goRegExpProblem('*a'), 'error parsing regexp: missing argument to repetition operator: `*`');
    assert.equal(goRegExpProblem('\\y'), 'error parsing regexp: invalid escape sequence: `\\y`');
    assert.equal(goRegExpProblem('a+'), undefined);
  });
});
