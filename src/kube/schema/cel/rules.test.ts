import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JSONSchemaProps } from '#gen/kube/types.ts';
import { schemaOfCrd } from '../crd-schema.ts';
import { gizmo } from '../testing.ts';
import { validateSchema } from '../validate-schema.ts';
import { validateRules } from './rules.ts';

const string: JSONSchemaProps = { type: 'string' };

/** What a rule at the root of an object says of it. */
function told(rule: string, properties: Record<string, JSONSchemaProps>, value: object, old?: object): string[] {
  const { schema } = schemaOfCrd({ type: 'object', properties, 'x-kubernetes-validations': [{ rule }] });
  return validateRules(schema, value, old).map(({ field, message }) => `${field}: ${message}`);
}

describe('rules of a recorded custom resource', () => {
  const { schema } = schemaOfCrd(gizmo);
  const resource = (spec: object) => ({ apiVersion: 'x.io/v1', kind: 'Gizmo', metadata: { name: 'z' }, spec });

  it('fail with the message, the reason and the field the rule gives', () => {
    assert.deepEqual(validateSchema(schema, resource({ color: 'red', name: 'bad' })), [
      { reason: 'FieldValueForbidden', field: 'spec.name', message: 'Forbidden: name was bad' },
    ]);
  });

  it('about a change are asked only where there was something before', () => {
    const change = (old: object, now: object) => validateSchema(schema, resource(now), resource(old));
    assert.deepEqual(change({ color: 'red', imm: 'x' }, { color: 'red', imm: 'y' }), [
      { reason: 'FieldValueInvalid', field: 'spec.imm', message: 'Invalid value: "y": imm is immutable' },
    ]);
    assert.deepEqual(change({ color: 'red' }, { color: 'red', imm: 'y' }), []);
    assert.deepEqual(validateSchema(schema, resource({ color: 'red', imm: 'y' })), []);
  });
});

describe('a rule', () => {
  it('that cannot be compiled is refused with the CRD, as a real server does', () => {
    const rule = { rule: 'self.zz == 1' };
    const { problems } = schemaOfCrd({ type: 'object', properties: { a: string }, 'x-kubernetes-validations': [rule] });
    assert.deepEqual(problems, [
      {
        reason: 'FieldValueInvalid',
        field: 'spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule',
        message:
          'Invalid value: {"Rule":"self.zz == 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"",' +
          `"OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field 'zz'\n | self.zz == 1\n | ....^`,
      },
    ]);
  });

  it('must be about a change that can be told, and say so when it need not be', () => {
    const rules = (rule: object, listType?: string): string[] => {
      const items = { ...string, 'x-kubernetes-validations': [rule as { rule: string }] };
      const list = { type: 'array', maxItems: 10, items, ...(listType ? { 'x-kubernetes-list-type': listType } : {}) };
      const { problems } = schemaOfCrd({ type: 'object', properties: { l: list } }, { at: 'S' });
      return problems.map(({ field, message }) => `${field}: ${message}`);
    };
    assert.deepEqual(rules({ rule: 'self == oldSelf' }), [
      'S.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within S.properties[l]',
    ]);
    assert.deepEqual(rules({ rule: `self != ''`, optionalOldSelf: true }), [
      'S.properties[l].items.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
    ]);
  });

  it('that is not true fails with its own text when it has no message', () => {
    assert.deepEqual(told(`self.a == 'x'`, { a: string }, { a: 'y' }), [
      `<nil>: Invalid value: failed rule: self.a == 'x'`,
    ]);
  });

  it('that goes wrong says how', () => {
    assert.deepEqual(told(`self.a == 'x'`, { a: string }, {}), [
      `<nil>: Invalid value: "object": no such key: a evaluating rule: self.a == 'x'`,
    ]);
    const ios = { 'x-kubernetes-int-or-string': true };
    assert.deepEqual(told('self.ios < 5', { ios }, { ios: '5%' }), [
      `<nil>: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.ios < 5`,
    ]);
  });

  it('falls back to its message when its message expression fails', () => {
    const rule = { rule: 'false', message: 'plain', messageExpression: 'self.b' };
    const { schema } = schemaOfCrd({
      type: 'object',
      properties: { b: string },
      'x-kubernetes-validations': [rule],
    });
    assert.equal(validateRules(schema, {})[0]?.message, 'Invalid value: plain');
    assert.equal(validateRules(schema, { b: 'made' })[0]?.message, 'Invalid value: made');
  });

  it('with an optional oldSelf is asked on creation too', () => {
    const rule = { rule: `oldSelf.hasValue() || self == 'first'`, optionalOldSelf: true };
    const a = { ...string, 'x-kubernetes-validations': [rule] };
    const { schema } = schemaOfCrd({ type: 'object', properties: { a } });
    assert.deepEqual(validateRules(schema, { a: 'first' }), []);
    assert.equal(validateRules(schema, { a: 'other' }).length, 1);
    assert.deepEqual(validateRules(schema, { a: 'other' }, { a: 'first' }), []);
  });

  it('about items of a map list sees the old item of the same key', () => {
    const rule = { rule: 'self.v >= oldSelf.v' };
    const items = {
      type: 'object',
      required: ['k'],
      properties: { k: string, v: { type: 'integer' } },
      'x-kubernetes-validations': [rule],
    };
    const l = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items };
    const { schema } = schemaOfCrd({ type: 'object', properties: { l } });
    const old = {
      l: [
        { k: 'a', v: 5 },
        { k: 'b', v: 1 },
      ],
    };
    assert.deepEqual(
      validateRules(
        schema,
        {
          l: [
            { k: 'b', v: 1 },
            { k: 'c', v: 0 },
          ],
        },
        old,
      ),
      [],
    );
    assert.equal(
      validateRules(
        schema,
        {
          l: [
            { k: 'b', v: 2 },
            { k: 'a', v: 4 },
          ],
        },
        old,
      )[0]?.field,
      'l[1]',
    );
  });

  it('that failed before is let pass while what it is about stays as it was', () => {
    const a = { ...string, 'x-kubernetes-validations': [{ rule: `self == 'good'` }] };
    const { schema } = schemaOfCrd({ type: 'object', properties: { a, b: string } });
    assert.deepEqual(validateRules(schema, { a: 'bad', b: '2' }, { a: 'bad', b: '1' }), []);
    assert.equal(validateRules(schema, { a: 'worse' }, { a: 'bad' }).length, 1);
  });

  it('sees names of the metadata, fields with strange names, and no others', () => {
    const properties = { 'my-field': string, namespace: string };
    const value = { metadata: { name: 'n', labels: {} }, 'my-field': 'm', namespace: 's' };
    assert.deepEqual(told(`self.metadata.name == 'n' && self.my__dash__field == 'm'`, properties, value), []);
    assert.deepEqual(told(`self.__namespace__ == 's'`, properties, value), []);
    const { problems } = schemaOfCrd({
      type: 'object',
      'x-kubernetes-validations': [{ rule: 'has(self.metadata.labels)' }],
    });
    assert.match(problems[0]?.message ?? '', /undefined field 'labels'/);
  });

  it('treats a null field as absent', () => {
    const a = { ...string, nullable: true };
    assert.deepEqual(told('!has(self.a)', { a }, { a: null }), []);
  });

  it('compares sets and map lists whatever their order', () => {
    const set = { type: 'array', items: string, 'x-kubernetes-list-type': 'set' };
    assert.deepEqual(told('self.l == oldSelf.l', { l: set }, { l: ['a', 'b'] }, { l: ['b', 'a'] }), []);
    const plain = { type: 'array', items: string };
    assert.equal(told('self.l == oldSelf.l', { l: plain }, { l: ['a', 'b'] }, { l: ['b', 'a'] }).length, 1);
  });

  it('that would take too long is stopped, and no other is asked', () => {
    const l = { type: 'array', items: { type: 'integer' } };
    const { schema } = schemaOfCrd({
      type: 'object',
      properties: { l },
      'x-kubernetes-validations': [
        { rule: 'self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0)))' },
        { rule: 'false' },
      ],
    });
    const value = { l: Array.from({ length: 1000 }, (_, index) => index) };
    assert.deepEqual(
      validateRules(schema, value).map(({ message }) => message.slice(0, 120)),
      [
        `Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0)))`.slice(
          0,
          120,
        ),
      ],
    );
  });
});
