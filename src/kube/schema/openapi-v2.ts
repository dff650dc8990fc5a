/**
 * OpenAPI v2, for kubectl before 1.29: one document for everything served, made from the v3 documents.
 *
 * Old clients ask for it in protobuf (gnostic's messages) and look at two things: whether PATCH takes `fieldValidation`,
 * and how lists are merged. What v2 cannot say (alternatives, nullability) is left out.
 */
import { isObject } from '#base/json.ts';
import type { OpenApiNode } from './openapi-component.ts';
import type { OpenApiDocument } from './openapi-v3.ts';
import { encodeMessage, type ProtobufField } from './protobuf-writer.ts';

export interface OpenApiV2Document {
  readonly swagger: '2.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, OpenApiNode>>;
  readonly definitions: Readonly<Record<string, OpenApiNode>>;
}

export function renderOpenApiV2(documents: readonly OpenApiDocument[], version: string): OpenApiV2Document {
  const paths: Record<string, OpenApiNode> = {};
  const definitions: Record<string, OpenApiNode> = {};
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths)) paths[path] = pathItem(item);
    const { schemas } = document.components;
    if (!isObject(schemas)) continue;
    for (const [name, schema] of Object.entries(schemas)) {
      if (isObject(schema)) definitions[name] = merged(definitions[name], definition(schema));
    }
  }
  return { swagger: '2.0', info: { title: 'Kubernetes', version }, paths, definitions };
}

const KIND = 'x-kubernetes-group-version-kind';

/** A type that several group versions describe carries the kinds of all of them. */
function merged(known: OpenApiNode | undefined, found: OpenApiNode): OpenApiNode {
  const kinds = [known?.[KIND], found[KIND]].filter((one) => Array.isArray(one)).flat();
  const unique = [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()];
  return unique.length > 0 ? { ...found, [KIND]: unique } : found;
}

/** What v2 has in a schema, and spells as v3 does. */
const KEPT = new Set([
  'type',
  'format',
  'description',
  'required',
  'enum',
  'minimum',
  'maximum',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
]);

function definition(schema: OpenApiNode): OpenApiNode {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (KEPT.has(key) || key.startsWith('x-')) result[key] = value;
  }
  const { $ref, allOf, oneOf, properties, items, additionalProperties } = schema;
  if (typeof $ref === 'string') result['$ref'] = reference($ref);
  // v2 puts what v3 says beside a wrapped reference beside the reference itself.
  const wrapped: unknown = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  if (isObject(wrapped) && typeof wrapped['$ref'] === 'string') result['$ref'] = reference(wrapped['$ref']);
  // A quantity and its like: texts, for a reader who knows no alternatives.
  if (Array.isArray(oneOf) && schema['type'] === undefined) result['type'] = 'string';
  if (isObject(properties)) result['properties'] = mapNodes(properties, definition);
  if (isObject(items)) result['items'] = definition(items);
  if (isObject(additionalProperties)) result['additionalProperties'] = definition(additionalProperties);
  return result;
}

function reference(ref: string): string {
  return ref.replace('#/components/schemas/', '#/definitions/');
}

function mapNodes(nodes: Record<string, unknown>, change: (node: OpenApiNode) => OpenApiNode) {
  return Object.fromEntries(Object.entries(nodes).map(([key, node]) => [key, isObject(node) ? change(node) : node]));
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

function pathItem(item: OpenApiNode): OpenApiNode {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    return isObject(operation) ? [[method, operationNode(operation)] as const] : [];
  });
  return { ...Object.fromEntries(operations), parameters: parametersOf(item) };
}

function operationNode(operation: OpenApiNode): OpenApiNode {
  const { requestBody } = operation;
  const content = isObject(requestBody) && isObject(requestBody['content']) ? Object.keys(requestBody['content']) : [];
  const extensions = Object.entries(operation).filter(([key]) => key.startsWith('x-'));
  return {
    consumes: content.length > 0 ? content : ['*/*'],
    produces: ['application/json', 'application/yaml'],
    parameters: parametersOf(operation),
    responses: { 200: { description: 'OK' } },
    ...Object.fromEntries(extensions),
  };
}

function parametersOf({ parameters }: OpenApiNode): OpenApiNode[] {
  if (!Array.isArray(parameters)) return [];
  return parameters.filter(isObject).map(({ schema, ...rest }) => ({ ...rest, ...(isObject(schema) ? schema : {}) }));
}

/** The document in gnostic's protobuf messages (openapiv2.Document). */
export function encodeOpenApiV2({ swagger, info, paths, definitions }: OpenApiV2Document): Buffer {
  return encodeMessage([
    [1, swagger],
    [
      2,
      [
        [1, info.title],
        [2, info.version],
      ],
    ],
    [
      8,
      Object.entries(paths).map(
        ([name, item]) =>
          [
            2,
            [
              [1, name],
              [2, pathFields(item)],
            ],
          ] as const,
      ),
    ],
    [9, namedSchemas(definitions)],
  ]);
}

const METHOD_NUMBERS = { get: 2, put: 3, post: 4, delete: 5, patch: 8 } as const;

function pathFields(item: OpenApiNode): ProtobufField[] {
  const operations = METHODS.map((method): ProtobufField => {
    const operation = item[method];
    return [METHOD_NUMBERS[method], isObject(operation) ? operationFields(operation) : undefined];
  });
  return [...operations, ...parameterFields(item, 9)];
}

function operationFields(operation: OpenApiNode): ProtobufField[] {
  return [
    ...texts(6, operation['produces']),
    ...texts(7, operation['consumes']),
    ...parameterFields(operation, 8),
    [
      9,
      [
        [
          1,
          [
            [1, '200'],
            [2, [[1, [[1, 'OK']]]]],
          ],
        ],
      ],
    ],
    ...extensionFields(operation, 13),
  ];
}

/** A parameter is wrapped three times: an item, a parameter that is no body, and one of the query or the path. */
function parameterFields({ parameters }: OpenApiNode, number: number): ProtobufField[] {
  if (!Array.isArray(parameters)) return [];
  return parameters.filter(isObject).map((parameter) => {
    const { in: place, name, type, required, uniqueItems } = parameter;
    const isPath = place === 'path';
    const fields: ProtobufField[] = [
      [1, required === true || undefined],
      [2, text(place)],
      [4, text(name)],
      [isPath ? 5 : 6, text(type)],
      [isPath ? 19 : 20, uniqueItems === true || undefined],
    ];
    return [number, [[1, [[2, [[isPath ? 4 : 3, fields]]]]]]] as const;
  });
}

function namedSchemas(schemas: Readonly<Record<string, unknown>>): ProtobufField[] {
  return Object.entries(schemas).flatMap(([name, schema]): ProtobufField[] =>
    isObject(schema)
      ? [
          [
            1,
            [
              [1, name],
              [2, schemaFields(schema)],
            ],
          ],
        ]
      : [],
  );
}

const INTEGERS = { maxLength: 11, minLength: 12, maxItems: 14, minItems: 15, maxProperties: 17, minProperties: 18 };

function schemaFields(schema: OpenApiNode): ProtobufField[] {
  const { properties, items, additionalProperties } = schema;
  return [
    [1, text(schema['$ref'])],
    [2, text(schema['format'])],
    [4, text(schema['description'])],
    ...Object.entries(INTEGERS).map(([name, number]): ProtobufField => {
      const value = schema[name];
      return [number, typeof value === 'number' ? Math.trunc(value) : undefined];
    }),
    [13, text(schema['pattern'])],
    ...texts(19, schema['required']),
    [21, isObject(additionalProperties) ? [[1, schemaFields(additionalProperties)]] : undefined],
    [22, text(schema['type']) === undefined ? undefined : [[1, text(schema['type'])]]],
    [23, isObject(items) ? [[1, schemaFields(items)]] : undefined],
    [25, isObject(properties) ? namedSchemas(properties) : undefined],
    ...extensionFields(schema, 31),
  ];
}

/** Extensions are carried as YAML, of which JSON is a part. */
function extensionFields(node: OpenApiNode, number: number): ProtobufField[] {
  return Object.entries(node)
    .filter(([name]) => name.startsWith('x-'))
    .map(
      ([name, value]) =>
        [
          number,
          [
            [1, name],
            [2, [[2, JSON.stringify(value)]]],
          ],
        ] as const,
    );
}

function texts(number: number, value: unknown): ProtobufField[] {
  return Array.isArray(value) ? value.map((item) => [number, text(item)] as const) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
