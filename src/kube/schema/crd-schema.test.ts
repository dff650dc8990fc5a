import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JSONSchemaProps } from '#gen/kube/types.ts';
import { schemaOfCrd } from './crd-schema.ts';

function told(root: JSONSchemaProps, hasStatus = false): string[] {
  return schemaOfCrd(root, { at: 'S', hasStatus }).problems.map(({ field, message }) => `${field}: ${message}`);
}
function field(inner: JSONSchemaProps): JSONSchemaProps {
  return { type: 'object', properties: { a: inner } };
}
const string: JSONSchemaProps = { type: 'string' };

describe('schemaOfCrd', () => {
  it('refuses what is not structural, as a real server does', () => {
    const { problems } = schemaOfCrd({ properties: { a: {} } });
    assert.deepEqual(problems, [
      {
        reason: 'FieldValueRequired',
        field: 'spec.validation.openAPIV3Schema.properties[a].type',
        message: 'Required value: must not be empty for specified object fields',
      },
      {
        reason: 'FieldValueRequired',
        field: 'spec.validation.openAPIV3Schema.type',
        message: 'Required value: must not be empty at the root',
      },
    ]);
  });

  const cases: [because: string, root: JSONSchemaProps, expected: string[]][] = [
    [
      'an int-or-string may spell out its types',
      field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
      [],
    ],
    [
      'an int-or-string may do so inside allOf',
      field({
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }],
      }),
      [],
    ],
    [
      'untyped items',
      field({ type: 'array', items: {} }),
      ['S.properties[a].items.type: Required value: must not be empty for specified array items'],
    ],
    ['arrays without items', field({ type: 'array' }), ['S.properties[a].items: Required value: must be specified']],
    [
      'types inside of logic',
      field({ type: 'string', anyOf: [{ type: 'string' }] }),
      ['S.properties[a].anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    // As the real server, which looks at the logic of the root only.
    [
      'fields only the logic of a field knows',
      field({ type: 'object', not: { properties: { b: { minimum: 1 } } } }),
      [],
    ],
    [
      'fields only the logic of the root knows',
      { type: 'object', not: { properties: { b: { minimum: 1 } } } },
      ['S.properties[b]: Required value: because it is defined in S.not.properties[b]'],
    ],
    [
      'a root that is a list',
      { type: 'array', items: string },
      ['S.type: Invalid value: "array": must be object at the root'],
    ],
    [
      'a map at the root',
      { type: 'object', additionalProperties: string },
      ['S.additionalProperties: Forbidden: must not be used at the root'],
    ],
    [
      'metadata beyond names',
      { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      [
        'S.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [
      'restricted names',
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
      },
      [],
    ],
    [
      'patterns Go cannot compile',
      field({ type: 'string', pattern: 'a(?!b)' }),
      [
        `S.properties[a].pattern: Invalid value: "a(?!b)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?!\``,
      ],
    ],
    [
      'maps with properties',
      field({ type: 'object', properties: { b: string }, additionalProperties: string }),
      ['S.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      'unknown types',
      field({ type: 'text' }),
      [
        'S.properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ],
    ['references', field({ ...string, $ref: '#/x' }), ['S.properties[a].$ref: Forbidden: $ref is not supported']],
    [
      'unique items',
      field({ type: 'array', items: string, uniqueItems: true }),
      [
        'S.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ],
    ],
    [
      'list maps without keys',
      field({ type: 'array', items: field(string), 'x-kubernetes-list-type': 'map' }),
      [
        'S.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
      ],
    ],
    [
      'keys that may be absent',
      field({
        type: 'array',
        items: field(string),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      }),
      [
        'S.properties[a].items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ],
    ],
    [
      'keys that are no properties',
      field({
        type: 'array',
        items: field(string),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['z'],
      }),
      [
        'S.properties[a].x-kubernetes-list-map-keys: Invalid value: ["z"]: entries must all be names of item properties',
      ],
    ],
    [
      'sets of objects that are not atomic',
      field({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' }),
      [
        'S.properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ],
    [
      'list types of other things',
      field({ ...string, 'x-kubernetes-list-type': 'set' }),
      ['S.properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified'],
    ],
    [
      'defaults that are invalid',
      field({ type: 'integer', default: 'x' }),
      ['S.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      'defaults with unknown fields',
      field({ type: 'object', default: { z: 1 } }),
      ['S.properties[a].default: Invalid value: {"z":1}: must not have unknown fields'],
    ],
    [
      'defaults in the metadata',
      { type: 'object', properties: { kind: { type: 'string', default: 'x' } } },
      ['S.properties[kind].default: Forbidden: must not be set in top-level kind'],
    ],
    [
      'nullable roots',
      { type: 'object', nullable: true },
      ['S.nullable: Forbidden: nullable cannot be true at the root'],
    ],
    [
      'empty rules',
      field({ ...string, 'x-kubernetes-validations': [{ rule: ' ' }] }),
      ['S.properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified'],
    ],
    [
      'rules with strange reasons',
      field({ ...string, 'x-kubernetes-validations': [{ rule: 'true', reason: 'Because' }] }),
      [
        'S.properties[a].x-kubernetes-validations[0].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
    [
      'rules that point nowhere',
      field({ type: 'object', 'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.nowhere' }] }),
      ['S.properties[a].x-kubernetes-validations[0].fieldPath: Invalid value: ".nowhere": must be a valid path'],
    ],
  ];
  for (const [because, root, expected] of cases) it(because, () => assert.deepEqual(told(root), expected));

  it('narrows the root when there is a status subresource', () => {
    assert.deepEqual(told({ type: 'object', default: {} }, true).length, 1);
    assert.deepEqual(told({ type: 'object', description: 'd', required: ['a'] }, true), []);
  });

  it('adds what every object has', () => {
    const { schema } = schemaOfCrd(field(string));
    assert.deepEqual(Object.keys(schema.properties ?? {}).sort(), ['a', 'apiVersion', 'kind', 'metadata']);
    assert.equal(schema.properties?.['metadata']?.properties?.['labels']?.type, 'object');
  });
});
