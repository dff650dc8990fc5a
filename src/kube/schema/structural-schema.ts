/**
 * Whether the schema of a CRD is structural: every field has a type outside of the logic (`allOf`, `anyOf`, `oneOf`,
 * `not`), and the logic only restricts what is declared. Pruning, defaulting and merging depend on it.
 *
 * Words and paths are those of k8s.io/apiextensions-apiserver/pkg/apiserver/schema.
 */
import type { JSONSchemaProps } from '#gen/kube/types.ts';
import { isDeepStrictEqual } from 'node:util';
import { type FieldError, forbidden, invalid, required } from '#kube/meta/field-error.ts';
import { goRegExpProblem } from './go-regexp.ts';

type Level = 'root' | 'item' | 'field';

/** All violations, sorted as the real server sorts them. */
export function structuralProblems(schema: JSONSchemaProps, at: string): FieldError[] {
  const problems = [...declared(schema, 'root', at), ...completeness(schema, schema, at, at)];
  const text = ({ field, message }: FieldError) => `${field}: ${message}`;
  return problems.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

/** A schema that declares what there is. */
function declared(schema: JSONSchemaProps, level: Level, at: string): FieldError[] {
  const { items, additionalProperties } = schema;
  const problems: FieldError[] = [];
  if (schema.type === 'array' && items === undefined) problems.push(required(`${at}.items`, 'must be specified'));
  if (isSchema(items)) problems.push(...declared(items, 'item', `${at}.items`));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    problems.push(...declared(property, 'field', `${at}.properties[${name}]`));
  }
  if (additionalProperties !== undefined && level === 'root') {
    problems.push(forbidden(`${at}.additionalProperties`, 'must not be used at the root'));
  }
  if (isSchema(additionalProperties))
    problems.push(...declared(additionalProperties, 'field', `${at}.additionalProperties`));
  return [
    ...problems,
    ...extensionProblems(schema, at),
    ...restrictions(schema, at, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf)),
    ...typeProblems(schema, level, at),
    ...metaProblems(schema, level, at),
  ];
}

function extensionProblems(schema: JSONSchemaProps, at: string): FieldError[] {
  if (!schema['x-kubernetes-int-or-string']) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((name) => schema[name])
    .map((name) => invalid(`${at}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

const UNTYPED: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeProblems(schema: JSONSchemaProps, level: Level, at: string): FieldError[] {
  const { type } = schema;
  const problems: FieldError[] = [];
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    problems.push(type ? invalid(`${at}.type`, type, detail) : required(`${at}.type`, detail));
  } else if (!type && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields']) {
    problems.push(required(`${at}.type`, UNTYPED[level]));
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    problems.push(forbidden(`${at}.additionalProperties`, detail));
  }
  if (level === 'root' && type && type !== 'object') {
    problems.push(invalid(`${at}.type`, type, 'must be object at the root'));
  }
  return problems;
}

/** What every object has is declared by Kubernetes; a CRD may restrict names only. */
function metaProblems(schema: JSONSchemaProps, level: Level, at: string): FieldError[] {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isObject = level === 'root' || isEmbedded;
  const { properties = {} } = schema;
  const problems: FieldError[] = [];
  for (const name of ['kind', 'apiVersion']) {
    const type = properties[name] && (properties[name].type ?? '');
    if (isObject && type !== undefined && type !== 'string') {
      problems.push(invalid(`${at}.properties[${name}].type`, type, 'must be string'));
    }
  }
  if (properties['metadata']) {
    problems.push(...metadataProblems(properties['metadata'], isObject, level, `${at}.properties[metadata]`));
  }
  if (isEmbedded && !schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(properties).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    problems.push(required(`${at}.properties`, detail));
  }
  return problems;
}

function metadataProblems(metadata: JSONSchemaProps, isObject: boolean, level: Level, at: string): FieldError[] {
  const problems: FieldError[] = [];
  if (isObject && metadata.type !== 'object') {
    problems.push(invalid(`${at}.type`, metadata.type ?? '', 'must be object'));
  }
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const named = Object.keys(properties).every((name) => name === 'name' || name === 'generateName');
  if (level === 'root' && (!named || Object.keys(rest).length > 0)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    problems.push(forbidden(at, detail));
  }
  return problems;
}

/** The logic of a schema. In two places, an int-or-string may spell out its types. */
function restrictions(schema: JSONSchemaProps, at: string, skipAnyOf: boolean, skipFirstAllOf: boolean): FieldError[] {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = schema;
  const broken = pattern ? goRegExpProblem(pattern) : undefined;
  return [
    ...(skipAnyOf ? [] : anyOf.flatMap((inner, index) => restricted(inner, `${at}.anyOf[${index}]`))),
    ...allOf.flatMap((inner, index) => restricted(inner, `${at}.allOf[${index}]`, skipFirstAllOf && index === 0)),
    ...oneOf.flatMap((inner, index) => restricted(inner, `${at}.oneOf[${index}]`)),
    ...(not ? restricted(not, `${at}.not`) : []),
    ...(broken ? [invalid(`${at}.pattern`, pattern, `must be a valid regular expression, but isn't: ${broken}`)] : []),
  ];
}

const FORBIDDEN_IN_LOGIC = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
] as const satisfies readonly (readonly [keyof JSONSchemaProps, string])[];

/** A schema inside of logic: it may not declare anything. */
function restricted(schema: JSONSchemaProps, at: string, skipAnyOf = false): FieldError[] {
  const { items, properties = {} } = schema;
  const problems = restrictions(schema, at, skipAnyOf, false);
  if (isSchema(items)) problems.push(...restricted(items, `${at}.items`));
  for (const [name, property] of Object.entries(properties)) {
    problems.push(...restricted(property, `${at}.properties[${name}]`));
  }
  for (const [name, detail] of FORBIDDEN_IN_LOGIC) {
    if (isSet(schema[name])) problems.push(forbidden(`${at}.${name}`, detail));
  }
  if (properties['metadata']) {
    problems.push(forbidden(`${at}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  return problems;
}

/** What the logic speaks of must be declared: `logic` is a part of the schema, `schema` what is declared there. */
function completeness(logic: JSONSchemaProps, schema: JSONSchemaProps, at: string, logicAt: string): FieldError[] {
  const { not, allOf = [], anyOf = [], oneOf = [] } = logic;
  const inner = (part: JSONSchemaProps, where: string) => incomplete(part, schema, at, `${logicAt}.${where}`);
  return [
    ...(not ? inner(not, 'not') : []),
    ...allOf.flatMap((part, index) => inner(part, `allOf[${index}]`)),
    ...anyOf.flatMap((part, index) => inner(part, `anyOf[${index}]`)),
    ...oneOf.flatMap((part, index) => inner(part, `oneOf[${index}]`)),
  ];
}

function incomplete(
  logic: JSONSchemaProps,
  schema: JSONSchemaProps | undefined,
  at: string,
  logicAt: string,
): FieldError[] {
  if (!schema) return [required(at, `because it is defined in ${logicAt}`)];
  const problems = completeness(logic, schema, at, logicAt);
  if (isSchema(logic.items)) {
    const items = isSchema(schema.items) ? schema.items : undefined;
    problems.push(...incomplete(logic.items, items, `${at}.items`, `${logicAt}.items`));
  }
  for (const [name, property] of Object.entries(logic.properties ?? {})) {
    const path = `properties[${name}]`;
    problems.push(...incomplete(property, schema.properties?.[name], `${at}.${path}`, `${logicAt}.${path}`));
  }
  return problems;
}

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

function isIntOrString(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return anyOf !== undefined && isDeepStrictEqual(anyOf, INT_OR_STRING);
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== '';
}

/** Neither a boolean nor a list of schemas. */
export function isSchema(value: JSONSchemaProps | readonly unknown[] | boolean | undefined): value is JSONSchemaProps {
  return typeof value === 'object' && !Array.isArray(value);
}
