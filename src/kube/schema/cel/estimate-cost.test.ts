/** Estimates beside a real server, rule by rule: e2e/real/rule-cost.test.ts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JSONSchemaProps } from '#gen/kube/types.ts';
import { schemaOfCrd } from '../crd-schema.ts';

const text: JSONSchemaProps = { type: 'string' };
const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

function told(rule: string, list: JSONSchemaProps, unchanged = false): string[] {
  const root = { type: 'object', properties: { list }, 'x-kubernetes-validations': [{ rule }] };
  return schemaOfCrd(root, { at: 'S', unchanged }).problems.map(({ field, message }) => `${field}: ${message}`);
}

describe('a rule that can cost too much', () => {
  it('is refused with how far it is beyond the limit', () => {
    assert.deepEqual(told(`self.list.all(x, x.contains('a'))`, { type: 'array', items: { ...text, maxLength: 20 } }), [
      `S.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 1.258290x ${ADVICE}`,
    ]);
  });

  it('is told again with the sum of all, when that is too much', () => {
    assert.deepEqual(told('self.list.all(x, self.list.all(y, x != y))', { type: 'array', items: text }), [
      `S.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${ADVICE}`,
      'S.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      `S: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${ADVICE}`,
    ]);
  });

  it('is accepted as soon as the schema limits what it is about', () => {
    const list = { type: 'array', maxItems: 50, items: { ...text, maxLength: 50 } };
    assert.deepEqual(told('self.list.all(x, self.list.all(y, x != y))', list), []);
  });

  it('is accepted in a schema that has not changed, but not all of them together', () => {
    const list = { type: 'array', items: { ...text, maxLength: 20 } };
    assert.deepEqual(told(`self.list.all(x, x.contains('a'))`, list, true), []);
    const [rule, all, ...others] = told(
      'self.list.all(x, self.list.all(y, x != y))',
      { type: 'array', items: text },
      true,
    );
    assert.match(rule ?? '', /contributed to estimated rule cost total/);
    assert.match(all ?? '', /^S: Forbidden: x-kubernetes-validations estimated rule cost total/);
    assert.deepEqual(others, []);
  });

  it('counts as often as what it is about can occur', () => {
    const item = { ...text, maxLength: 10, 'x-kubernetes-validations': [{ rule: `self.matches('^a+b+c+$')` }] };
    const list = (maxItems?: number) => ({ type: 'array', items: item, ...(maxItems ? { maxItems } : {}) });
    assert.deepEqual(told('true', list(100)), []);
    assert.match(
      told('true', list())[0] ?? '',
      /^S\.properties\[list\]\.items\.x-kubernetes-validations\[0\]\.rule: Forb/,
    );
  });
});
