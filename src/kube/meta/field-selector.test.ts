import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchFields, parseFieldSelector, type SelectableFields } from '#kube/meta/field-selector.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n' }, phase: 'a,b=c\\d' };
const offered: SelectableFields = { 'status.phase': (object) => String(object['phase']) };

describe('parseFieldSelector', () => {
  it('sorts its terms and prints them with escapes', () => {
    const text = 'status.phase!=a\\,b\\=c\\\\d,metadata.name==p,';
    assert.equal(parseFieldSelector(text).toString(), 'metadata.name=p,status.phase!=a\\,b\\=c\\\\d');
  });

  const refusals: [text: string, message: string][] = [
    ['zzz', "invalid selector: 'zzz'; can't understand 'zzz'"],
    ['a=b,zzz', "invalid selector: 'a=b,zzz'; can't understand 'zzz'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=b\\c', 'invalid field selector: invalid escape sequence: \\c'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ];
  for (const [text, message] of refusals) {
    it(`refuses ${text}`, () => {
      assert.throws(() => parseFieldSelector(text), { reason: 'BadRequest', message });
    });
  }
});

describe('matchFields', () => {
  const cases: [text: string, matches: boolean][] = [
    ['', true],
    ['metadata.name=p', true],
    ['metadata.name!=p', false],
    ['metadata.namespace=n,metadata.name=p', true],
    ['status.phase=a\\,b\\=c\\\\d', true],
    ['status.phase=', false],
  ];
  for (const [text, matches] of cases) {
    it(`${text || 'the empty selector'} ${matches ? 'matches' : 'does not match'}`, () => {
      assert.equal(matchFields(parseFieldSelector(text), offered)(pod), matches);
    });
  }

  it('says which fields exist when a kind offers none of its own', () => {
    assert.throws(() => matchFields(parseFieldSelector('data.a=1'), {}), {
      reason: 'BadRequest',
      message: '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
  });

  it('refuses what a kind with fields of its own does not offer', () => {
    const message = 'field label not supported: spec.x';
    assert.throws(() => matchFields(parseFieldSelector('spec.x=1'), offered), { message });
    assert.throws(() => matchFields(parseFieldSelector('spec.x=1'), {}, true), { message });
  });
});
