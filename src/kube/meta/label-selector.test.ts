import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { formatLabelSelector, formatLabels, parseLabelSelector, selectorOf } from '#kube/meta/label-selector.ts';

describe('parseLabelSelector', () => {
  const labels = { app: 'web', tier: 'front', n: '7' };
  const cases: [text: string, matches: boolean, printed?: string][] = [
    ['', true, ''],
    ['app=web', true],
    ['app==web', true],
    ['app=api', false],
    ['app=', false],
    ['app!=api', true],
    ['zone!=x', true],
    ['app in (api, web)', true, 'app in (api,web)'],
    ['app in (web,web)', true, 'app in (web)'],
    ['app notin (api)', true],
    ['zone notin (a,b)', true],
    ['app notin (web)', false],
    ['app', true],
    ['!app', false],
    ['!zone', true],
    ['n>6', true],
    ['n>7', false],
    ['n<8', true],
    ['app<8', false],
    ['zone<8', false],
    ['tier=front,app', true, 'app,tier=front'],
    [' tier = front , ! zone ', true, 'tier=front,!zone'],
    ['app in ()', false],
    ['app in (,web)', true, 'app in (,web)'],
    ['in in (in)', false],
    ['k8s.io/app=x', false],
  ];
  for (const [text, matches, printed = text] of cases) {
    it(`${JSON.stringify(text)} ${matches ? 'matches' : 'does not match'} and prints as ${JSON.stringify(printed)}`, () => {
      const selector = parseLabelSelector(text);
      assert.equal(selector.matches(labels), matches);
      assert.equal(selector.toString(), printed);
    });
  }

  const name =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const refusals: [text: string, message: string][] = [
    ['i in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['i in', "unable to parse requirement: found '' expected: '('"],
    ['i in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['i in (,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['i=(', "unable to parse requirement: found '(', expected: identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['_a', `unable to parse requirement: <nil>: Invalid value: "_a": ${name}`],
    [
      'a>b',
      `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ];
  for (const [text, message] of refusals) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseLabelSelector(text), { reason: 'BadRequest', message });
    });
  }

  it('names the key of a value that is no label value', () => {
    assert.throws(() => parseLabelSelector('a=b@'), {
      message: /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "b@": a valid label must be/,
    });
  });

  it('reads back what it prints', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
    const term = fc.oneof(
      fc.tuple(word, word).map(([key, value]) => `${key}=${value}`),
      fc.tuple(word, fc.array(word, { minLength: 1 })).map(([key, values]) => `${key} notin (${values.join(',')})`),
      word.map((key) => `!${key}`),
    );
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        const printed = parseLabelSelector(terms.join(',')).toString();
        assert.equal(parseLabelSelector(printed).toString(), printed);
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('selectorOf', () => {
  it('matches nothing when absent and everything when empty', () => {
    assert.equal(selectorOf(undefined).matches({}), false);
    assert.equal(selectorOf({}).matches({ any: 'thing' }), true);
  });

  it('requires every label and every expression', () => {
    const selector = selectorOf({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    });
    assert.equal(selector.matches({ app: 'web', tier: 'a' }), true);
    assert.equal(selector.matches({ app: 'web', tier: 'a', old: '' }), false);
    assert.equal(selector.matches({ app: 'web' }), false);
    assert.equal(selector.toString(), 'app=web,!old,tier in (a,b)');
  });

  it('is not fooled by names every object inherits', () => {
    assert.equal(selectorOf({ matchExpressions: [{ key: 'toString', operator: 'Exists' }] }).matches({}), false);
  });

  it('prints as a table shows it', () => {
    assert.equal(formatLabelSelector(undefined), '<none>');
    assert.equal(formatLabelSelector({ matchLabels: { a: 'b' } }), 'a=b');
    assert.equal(formatLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Near' }] }), '<error>');
    assert.equal(formatLabels({ b: '2', a: '1' }), 'a=1,b=2');
    assert.equal(formatLabels({}), '<none>');
  });
});
