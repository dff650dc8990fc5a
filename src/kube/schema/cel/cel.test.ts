import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CelValue, celType, compile, kubernetesLibrary } from './index.ts';
import { anyValue } from './schema-type.ts';

const { DYN, INT, STRING, listOf, mapOf } = celType;
const TYPES = { s: STRING, n: INT, l: listOf(STRING), m: mapOf(STRING, INT), d: DYN };
const VALUES: Readonly<Record<string, CelValue>> = {
  s: 'hello',
  n: 5n,
  l: anyValue(['a', 'b', 'c']),
  m: anyValue({ q: 1 }),
  d: anyValue({ a: [1, 'x', 2.5] }),
};

/** The result, or the first line of what is wrong. */
function result(source: string): unknown {
  const program = compile(source, TYPES, kubernetesLibrary());
  if ('problem' in program) return program.problem.split('\n')[0];
  try {
    return program.evaluate(VALUES, { remaining: 100_000 });
  } catch (error) {
    return error instanceof Error ? `error: ${error.message}` : error;
  }
}

/** Expressions that must be true; each was also put to the real library. */
const TRUE = `
1 + 2 * 3 == 7 && -5 / 2 == -2 && -5 % 3 == -2
(1 / 0 == 1) || true
(1 / 0 == 1 && false) == false
s.matches('^h.*o$') && s.contains('ell') && s.size() == 5
size('ä😀') == 2
'b' in l && !('z' in l)
l.all(x, x != '') && l.exists(x, x == 'b') && l.exists_one(x, x == 'c')
l.map(x, x + '!') == ['a!', 'b!', 'c!']
l.filter(x, x > 'a') == ['b', 'c']
l.all(i, v, i < 3 && v != '')
m.all(k, m[k] == 1) && m.q == 1 && has(m.q) && !has(m.z)
m.transformMap(k, v, v + 1) == {'q': 2}
{'a': 1, 'b': 2}.size() == 2
[?m[?'q'], 5] == [1, 5]
m[?'z'].orValue(7) == 7
optional.of(1).optMap(x, x + 1).value() == 2
d.a[0] == 1 && d.a[1] == 'x' && d.a[2] == 2.5
dyn(5) == 5.0 && n < 5.5 && 1u < 2
type(n) == int && type(l) == list && type(d) == map
duration('90m') == duration('1h30m') && string(duration('90s')) == '90s'
timestamp('2024-01-15T14:30:45.123Z').getMonth() == 0
timestamp('2024-01-15T14:30:45Z').getHours('+02:00') == 16
timestamp('2024-01-01T00:00:00Z') + duration('1h') == timestamp('2024-01-01T01:00:00Z')
b'\\xff' == b'\\377' && bytes('a') == b'a'
r'a\\n' == 'a\\\\n' && '''a'b''' == "a'b"
0x10 == 16 && 1e3 == 1000.0 && .5 == 0.5
s.substring(1, 3) == 'el' && s.charAt(1) == 'e' && s.indexOf('l') == 2 && s.lastIndexOf('l') == 3
s.replace('l', 'L', 1) == 'heLlo' && 'a,b,c'.split(',', 2) == ['a', 'b,c'] && ['a', 'b'].join('-') == 'a-b'
'ÄA'.lowerAscii() == 'Äa' && '  x '.trim() == 'x' && s.upperAscii() == 'HELLO'
'%s is %d, %.1f'.format(['a', 5, 1234.56]) == 'a is 5, 1,234.6'
'%s'.format([[1, 2.5, 'a', null]]) == '[1, 2.500000, "a", null]' && '%x'.format([255]) == 'ff'
'a1b2'.find('[0-9]') == '1' && 'a1b2'.findAll('[0-9]') == ['1', '2']
[3, 1, 2].sum() == 6 && [3, 1].min() == 1 && ['a', 'b'].isSorted() && [1, 2].indexOf(2) == 1
[3, 1, 2].sort() == [1, 2, 3] && [1, 1].distinct() == [1] && [[1], [2]].flatten() == [1, 2] && lists.range(2) == [0, 1]
[1, 2, 3].slice(1, 3) == [2, 3] && [1, 2].last().value() == 2 && [1, 2].reverse() == [2, 1]
sets.equivalent([1, 1, 2], [2, 1]) && sets.contains([1, 2], [1]) && !sets.intersects([1], [2])
quantity('1Gi') == quantity('1024Mi') && quantity('50k').add(20).compareTo(quantity('50020')) == 0
quantity('2').asInteger() == 2 && isQuantity('1.3Gi') && !isQuantity('abc') && sign(quantity('-1')) == -1
url('https://u@a.b:80/p?x=1&x=2').getHost() == 'a.b:80' && url('https://a.b:80/').getPort() == '80'
url('https://a.b/p?x=1&x=2').getQuery() == {'x': ['1', '2']} && url('https://[::1]:80/').getHostname() == '::1'
isURL('/a') && !isURL('a b') && url('/a/b').getEscapedPath() == '/a/b'
ip('::1').isLoopback() && ip('10.0.0.1').family() == 4 && isIP('1.2.3.4') && !isIP('1.2.3')
ip.isCanonical('2001:db8::abcd') && string(ip('2001:0db8:0000::1')) == '2001:db8::1'
cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')
cidr('192.168.1.5/24').masked() == cidr('192.168.1.0/24') && cidr('10.0.0.0/8').prefixLength() == 8
format.dns1123Label().validate('ok') == optional.none() && format.dns1123Label().validate('BAD').hasValue()
semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0-a').isLessThan(semver('1.0.0')) && isSemver('1.2.3')
l.all(ip, ip != '')
`;

describe('expressions that are true', () => {
  for (const source of TRUE.trim().split('\n')) it(source, () => assert.equal(result(source), true));
});

describe('expressions that go wrong', () => {
  const cases: [source: string, expected: string][] = [
    ['s.zz', `ERROR: <input>:1:2: type 'string' does not support field selection`],
    ['unknown', `ERROR: <input>:1:1: undeclared reference to 'unknown' (in container '')`],
    ['s.foo()', `ERROR: <input>:1:6: undeclared reference to 'foo' (in container '')`],
    ['s + 1', `ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(string, int)'`],
    ['s.startsWith(1)', `ERROR: <input>:1:13: found no matching overload for 'startsWith' applied to 'string.(int)'`],
    ['n == 1.0', `ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(int, double)'`],
    ['s && true', `ERROR: <input>:1:1: expected type 'bool' but found 'string'`],
    ['[1, "a"]', `ERROR: <input>:1:5: expected type 'int' but found 'string'`],
    ['true ? 1 : "a"', `ERROR: <input>:1:6: found no matching overload for '_?_:_' applied to '(bool, int, string)'`],
    [
      'n.all(x, true)',
      `ERROR: <input>:1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)`,
    ],
    ['l.all(1, true)', 'ERROR: <input>:1:7: argument must be a simple name'],
    ['has(s)', 'ERROR: <input>:1:5: invalid argument to has() macro'],
    ['s.matches("(")', 'ERROR: <input>:1:11: invalid matches argument'],
    ['int("x")', `type conversion error from 'string' to 'int'`],
    ['(1 + 2', `ERROR: <input>:1:7: Syntax error: missing ')' at '<EOF>'`],
    ['1 2', `ERROR: <input>:1:3: Syntax error: extraneous input '2' expecting <EOF>`],
    ['s = "x"', `ERROR: <input>:1:3: Syntax error: token recognition error at: '= '`],
    ['for', 'ERROR: <input>:1:1: reserved identifier: for'],
    ['l[5]', 'error: index out of bounds: 5'],
    ['m["z"]', 'error: no such key: z'],
    ['1 / 0', 'error: division by zero'],
    ['9223372036854775807 + 1', 'error: integer overflow'],
    ['d + 1', 'error: no such overload'],
    [
      'lists.range(1000).all(x, lists.range(1000).all(y, x >= 0))',
      'error: operation cancelled: actual cost limit exceeded',
    ],
    ['('.repeat(300), 'ERROR: <input>:1:251: expression recursion limit exceeded: 250'],
  ];
  for (const [source, expected] of cases) {
    it(source.slice(0, 60), () => assert.equal(result(source), expected));
  }

  it('are marked in their own line, wide characters by wide dots', () => {
    const program = compile('s == \n "ä" + zz', TYPES, kubernetesLibrary());
    assert.equal(
      'problem' in program ? program.problem : '',
      `ERROR: <input>:2:8: undeclared reference to 'zz' (in container '')\n |  "ä" + zz\n | ..．....^`,
    );
  });
});
