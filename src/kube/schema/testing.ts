/** Schemas for tests: the custom resource whose dialogue with a real kube-apiserver v1.35.8 has been recorded. */
import type { JSONSchemaProps } from '#gen/kube/types.ts';

export const gizmo: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['color'],
      properties: {
        color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
        replicas: { type: 'integer', format: 'int32', minimum: 0, maximum: 5, default: 1 },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: {
            type: 'object',
            required: ['k'],
            properties: { k: { type: 'string' }, v: { type: 'string', default: 'dv' } },
          },
        },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        ios: { 'x-kubernetes-int-or-string': true },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        emb: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        nul: { type: 'string', nullable: true },
        name: { type: 'string', maxLength: 5, pattern: '^[a-z]+$' },
        imm: {
          type: 'string',
          'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'imm is immutable' }],
        },
        am: { type: 'object', additionalProperties: { type: 'string' } },
      },
      'x-kubernetes-validations': [
        {
          rule: "!has(self.name) || self.name != 'bad'",
          messageExpression: "'name was ' + self.name",
          reason: 'FieldValueForbidden',
          fieldPath: '.name',
        },
      ],
    },
    status: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        selector: { type: 'string' },
        conditions: {
          type: 'array',
          items: { type: 'object', properties: { type: { type: 'string' }, status: { type: 'string' } } },
        },
      },
    },
  },
};
