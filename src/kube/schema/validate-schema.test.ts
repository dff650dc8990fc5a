import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { schemaOfCrd } from './crd-schema.ts';
import type { Schema } from './schema.ts';
import { applySchemaDefaults } from './schema-defaults.ts';
import { gizmo } from './testing.ts';
import { dropUnknownFields, unknownFields } from './unknown-fields.ts';
import { validateSchema } from './validate-schema.ts';

const { schema, problems } = schemaOfCrd(gizmo, { hasStatus: true });
const UNCHECKED =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function told(schema: Schema, value: unknown, old?: unknown): string[] {
  return validateSchema(schema, value, old).map(({ field, message }) => `${field}: ${message}`);
}

function resource(spec: unknown): Record<string, unknown> {
  return { apiVersion: 'x.io/v1', kind: 'Gizmo', metadata: { name: 'z' }, spec };
}

describe('a recorded custom resource', () => {
  it('has a schema without problems', () => assert.deepEqual(problems, []));

  it('is pruned and filled with defaults', () => {
    const draft = {
      ...resource({ unknown: 1, list: [{ k: 'a' }], any: { x: { y: 1 } }, am: { q: '1' }, ios: 5, nul: null }),
      extra: 1,
    };
    assert.deepEqual(unknownFields(schema, draft), ['extra', 'spec.unknown']);
    dropUnknownFields(schema, draft);
    applySchemaDefaults(schema, draft);
    assert.deepEqual(
      draft,
      resource({
        list: [{ k: 'a', v: 'dv' }],
        any: { x: { y: 1 } },
        am: { q: '1' },
        ios: 5,
        nul: null,
        color: 'red',
        replicas: 1,
      }),
    );
    assert.deepEqual(told(schema, draft), []);
  });

  it('is refused with all that is wrong', () => {
    const wrong = {
      color: 'green',
      replicas: 9,
      name: 'TOOLONG1',
      set: ['a', 'a'],
      list: [{ k: 'a' }, { k: 'a' }],
      ios: 1.5,
      am: { q: 1 },
      nul: 5,
    };
    assert.deepEqual(told(schema, resource(wrong)), [
      'spec.color: Unsupported value: "green": supported values: "red", "blue"',
      'spec.replicas: Invalid value: 9: spec.replicas in body should be less than or equal to 5',
      'spec.name: Too long: may not be more than 5 bytes',
      'spec.ios: Invalid value: "number": spec.ios in body must be of type integer,string: "number"',
      'spec.am.q: Invalid value: "integer": spec.am.q in body must be of type string: "integer"',
      'spec.nul: Invalid value: "integer": spec.nul in body must be of type string: "integer"',
      'spec.set[1]: Duplicate value: "a"',
      'spec.list[1]: Duplicate value: {"k":"a"}',
      UNCHECKED,
    ]);
  });

  it('is refused without what is required, or with something else in its place', () => {
    assert.deepEqual(told(schema, { metadata: { name: 'z' } }), ['spec: Required value', UNCHECKED]);
    assert.deepEqual(told(schema, resource('str')), [
      'spec: Invalid value: "string": spec in body must be of type object: "string"',
      UNCHECKED,
    ]);
    assert.equal(validateSchema(schema, resource('str'))[0]?.reason, 'FieldValueTypeInvalid');
  });

  it('may keep on update what was wrong before, but not add to it', () => {
    const old = resource({ color: 'green', list: [{ k: 'a', v: 1 }], set: ['a', 'a'] });
    const untouched = resource({
      color: 'green',
      list: [
        { k: 'b', v: 'x' },
        { k: 'a', v: 1 },
      ],
      set: ['a', 'a'],
    });
    assert.deepEqual(told(schema, untouched, old), []);
    assert.deepEqual(told(schema, resource({ color: 'pink', list: [] }), old).slice(0, 1), [
      'spec.color: Unsupported value: "pink": supported values: "red", "blue"',
    ]);
  });
});

describe('validateSchema', () => {
  const cases: [because: string, schema: Schema, value: unknown, expected: string[]][] = [
    [
      'null is no value',
      { type: 'string' },
      null,
      ['x: Invalid value: "null": x in body must be of type string: "null"'],
    ],
    ['null is fine where it is allowed', { type: 'string', nullable: true }, null, []],
    ['a whole number is a number', { type: 'number' }, 5, []],
    [
      'a fraction is no integer',
      { type: 'integer' },
      1.5,
      ['x: Invalid value: "number": x in body must be of type integer: "number"'],
    ],
    ['lengths count characters, not bytes', { type: 'string', maxLength: 2, minLength: 2 }, 'ä😀', []],
    [
      'a short text',
      { type: 'string', minLength: 2 },
      'a',
      ['x: Invalid value: "a": x in body should be at least 2 chars long'],
    ],
    ['a pattern', { type: 'string', pattern: '^a+$' }, 'b', [`x: Invalid value: "b": x in body should match '^a+$'`]],
    [
      'exclusive bounds',
      { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
      1,
      ['x: Invalid value: 1: x in body should be greater than 1'],
    ],
    ['a multiple', { type: 'number', multipleOf: 0.1 }, 0.3, []],
    [
      'no multiple',
      { type: 'integer', multipleOf: 3 },
      4,
      ['x: Invalid value: 4: x in body should be a multiple of 3'],
    ],
    [
      'few items',
      { type: 'array', minItems: 1, items: {} },
      [],
      ['x: Invalid value: 0: x in body should have at least 1 items'],
    ],
    ['many items', { type: 'array', maxItems: 1, items: {} }, [1, 2], ['x: Too many: 2: must have at most 1 item']],
    [
      'few properties',
      { type: 'object', minProperties: 1 },
      {},
      ['x: Invalid value: 0: x in body should have at least 1 properties'],
    ],
    [
      'items by position',
      { type: 'array', items: { type: 'string' } },
      ['a', 1],
      ['x[1]: Invalid value: "integer": x[1] in body must be of type string: "integer"'],
    ],
    ['enums of numbers', { type: 'integer', enum: [1, 2] }, 3, ['x: Unsupported value: 3: supported values: "1", "2"']],
    [
      'formats',
      { type: 'string', format: 'ipv4' },
      'nope',
      ['x: Invalid value: "nope": x in body must be of type ipv4: "nope"'],
    ],
    [
      'formats of a wrong type',
      { type: 'string', format: 'ipv4' },
      5,
      ['x: Invalid value: "int64": x in body must be of type ipv4: "int64"'],
    ],
    ['unknown formats are not checked', { type: 'string', format: 'whatever' }, 'x', []],
    [
      'anyOf',
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      ['<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)', 'x.a: Required value'],
    ],
    [
      'anyOf tells the alternative that fits best',
      { anyOf: [{ type: 'string' }, { properties: { k: { type: 'string' } }, required: ['z'] }] },
      { k: 'v' },
      ['<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)', 'x.z: Required value'],
    ],
    [
      'oneOf finds none',
      { oneOf: [{ required: ['a'] }] },
      {},
      [
        '<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found none valid',
        'x.a: Required value',
      ],
    ],
    [
      'oneOf finds two',
      { oneOf: [{}, {}] },
      {},
      ['<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'allOf',
      { allOf: [{ minimum: 2 }, { maximum: 5 }] },
      1,
      [
        'x: Invalid value: 1: x in body should be greater than or equal to 2',
        '<nil>: Invalid value: "": "x" must validate all the schemas (allOf)',
      ],
    ],
    ['not', { not: { minimum: 2 } }, 3, ['<nil>: Invalid value: "": "x" must not validate the schema (not)']],
    [
      'forbidden properties',
      { type: 'object', additionalProperties: false },
      { a: 1 },
      ['x: Invalid value: "a": x.a in body is a forbidden property'],
    ],
    [
      'a field named like a method is absent',
      { type: 'object', required: ['toString'] },
      {},
      ['x.toString: Required value'],
    ],
    [
      'list maps of something else',
      { type: 'array', listType: 'map', listMapKeys: ['k'], items: {} },
      ['a'],
      ['x[0]: Invalid value: "a": must be an object for an array of list-type map'],
    ],
    [
      'list maps with two keys',
      { type: 'array', listType: 'map', listMapKeys: ['a', 'b'], items: {} },
      [
        { a: 1, b: 1 },
        { b: 1, a: 1, c: 2 },
      ],
      ['x[1]: Duplicate value: {"a":1,"b":1}'],
    ],
    [
      'sets in maps',
      { type: 'object', additionalProperties: { type: 'array', listType: 'set', items: {} } },
      { k: [1, 1, 1] },
      ['x[k][1]: Duplicate value: 1'],
    ],
    [
      'embedded resources say what they are',
      { type: 'object', embeddedResource: true },
      { kind: '' },
      ['x.apiVersion: Required value', 'x.kind: Invalid value: "": must not be empty'],
    ],
  ];
  for (const [because, inner, value, expected] of cases) {
    it(because, () => assert.deepEqual(told({ type: 'object', properties: { x: inner } }, { x: value }), expected));
  }

  const formats: [format: string, good: string[], bad: string[]][] = [
    ['date-time', ['2026-01-01T00:00:00Z', '2026-01-01t23:59:59.5+02:00'], ['2026-01-01', '2026-13-01T00:00:00Z', '']],
    ['date', ['2024-02-29'], ['2023-02-29', '2023-2-1']],
    ['ipv4', ['10.0.0.1', '010.0.0.1'], ['10.0.0', '256.0.0.1']],
    ['ipv6', ['::1', '2001:db8::'], ['10.0.0.1', ':::']],
    ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/']],
    ['uuid', ['0b9738342-9051-49be-bff4-53545b7c248'.slice(1).padEnd(36, '6')], ['x']],
    ['hostname', ['a.example.com', 'localhost'], ['-a', 'a..b']],
    ['email', ['a@b.c', 'A <a@b.c>'], ['a', '@b']],
    ['uri', ['https://x/y', '/path'], ['no scheme', 'relative']],
    ['byte', ['aGk=', 'aGVsbG8h'], ['a', 'a===']],
    ['duration', ['1h30m', '5 days', '22 ns'], ['5', 'soon']],
    ['mac', ['00:11:22:33:44:55', '0011.2233.4455'], ['00:11']],
    ['k8s-short-name', ['a-b'], ['A', '-a', 'a.b']],
    ['k8s-long-name', ['a.b'], ['a..b']],
    ['creditcard', ['4111 1111 1111 1111'], ['4111 1111 1111 1112']],
    ['isbn', ['0321751043', '978-0321751041'], ['0321751044']],
    ['hexcolor', ['#fff', 'AABBCC'], ['#ff']],
    ['rgbcolor', ['rgb(1,2,255)'], ['rgb(1,2,256)']],
    ['ssn', ['123-45-6789'], ['123']],
    ['password', ['anything'], []],
  ];
  for (const [format, good, bad] of formats) {
    it(`format ${format}`, () => {
      const text = (value: string) => told({ properties: { x: { type: 'string', format } } }, { x: value });
      for (const value of good) assert.deepEqual(text(value), [], value);
      for (const value of bad) assert.equal(text(value).length, 1, value);
    });
  }
});

describe('applySchemaDefaults', () => {
  it('treats null as absent where it is not allowed, and copies its defaults', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        a: { type: 'string', default: 'd' },
        b: { type: 'string', default: 'd', nullable: true },
        c: { type: 'string' },
        o: {
          type: 'object',
          default: {},
          properties: { x: { type: 'array', default: [1], items: { type: 'integer' } } },
        },
        m: { type: 'object', additionalProperties: { type: 'string', default: 'm' } },
        l: {
          type: 'array',
          items: { type: 'object', default: { k: 'v' }, properties: { z: { type: 'integer', default: 0 } } },
        },
      },
    };
    const fill = () => {
      const draft: Record<string, unknown> = { a: null, b: null, c: null, m: { k: null }, l: [null, {}] };
      applySchemaDefaults(schema, draft);
      return draft;
    };
    const filled = { a: 'd', b: null, m: { k: 'm' }, l: [{ k: 'v', z: 0 }, { z: 0 }], o: { x: [1] } };
    const first = fill();
    assert.deepEqual(first, filled);
    Object.assign(first['o'] as object, { x: 'changed' });
    assert.deepEqual(fill(), filled);
  });
});
