import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { narrowedQuery } from './narrowed-query.ts';

const I = 'kairship_instance="demo"';
const cases: readonly (readonly [query: string, narrowed: string])[] = [
  ['up', `up{${I}}`],
  ['up{job="a"}', `up{${I},job="a"}`],
  ['{__name__=~".+"}', `{${I},__name__=~".+"}`],
  ['sum by (pod) (rate(http_total[5m]))', `sum by (pod) (rate(http_total{${I}}[5m]))`],
  ['sum(a) without (b) / on(c) group_left(d) e', `sum(a{${I}}) without (b) / on(c) group_left(d) e{${I}}`],
  ['a offset 5m > bool 1e3', `a{${I}} offset 5m > bool 1e3`],
  ['label_replace(up, "x", "$1", "y", "z{")', `label_replace(up{${I}}, "x", "$1", "y", "z{")`],
  ['a # }{\n {b="}"}', `a # }{\n {${I},b="}"}`],
  ['a or b unless c', `a{${I}} or b{${I}} unless c{${I}}`],
  ['{"quoted.name"}', `{${I},"quoted.name"}`],
];

describe('a query', () => {
  for (const [query, narrowed] of cases)
    it(`sees one instance only: ${JSON.stringify(query)}`, () => assert.equal(narrowedQuery(query, 'demo'), narrowed));

  it('cannot be given another instance', () => {
    assert.equal(
      narrowedQuery('up{kairship_instance="other"}', 'demo'),
      `up{${I},kairship_instance="other"}`,
      'both must hold, so nothing is found',
    );
  });
});
