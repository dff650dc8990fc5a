/** A custom resource with a bit of everything: defaults, lists by key, rules, columns, status and scale. */
const NAMES = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] };

const SPEC = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', format: 'int64', minimum: 1, maximum: 100 },
    colour: { type: 'string', enum: ['red', 'green', 'blue'], default: 'red' },
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 20 },
    replicas: { type: 'integer', format: 'int32', minimum: 0 },
    ratio: { type: 'number' },
    port: { 'x-kubernetes-int-or-string': true },
    until: { type: 'string', format: 'date-time' },
    labels: { type: 'object', maxProperties: 5, additionalProperties: { type: 'string', maxLength: 63 } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    tags: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 40 }, 'x-kubernetes-list-type': 'set' },
    parts: {
      type: 'array',
      maxItems: 10,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string', maxLength: 40 }, count: { type: 'integer', default: 1 } },
      },
    },
    fallback: { type: 'boolean', nullable: true },
  },
  'x-kubernetes-validations': [
    { rule: '!has(self.replicas) || self.replicas <= self.size', message: 'no more replicas than its size' },
    { rule: "self.colour != 'blue' || has(self.name)" },
  ],
};

const STATUS = {
  type: 'object',
  properties: {
    replicas: { type: 'integer', format: 'int32' },
    selector: { type: 'string' },
    phase: { type: 'string' },
  },
};

export const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: NAMES,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC, status: STATUS } } },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
        additionalPrinterColumns: [
          { name: 'Colour', type: 'string', jsonPath: '.spec.colour' },
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
};

export const WIDGET = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  least: { spec: { size: 3, parts: [{ id: 'a' }], tags: ['x'] } },
};
