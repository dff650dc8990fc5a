/**
 * The schema of a custom resource, from the `openAPIV3Schema` of its CRD.
 *
 * Start at {@link schemaOfCrd}: it refuses what Kubernetes refuses, and adds what every object has.
 */
import type { Json } from '#base/json.ts';
import { draftOf, jsonEqual } from '#base/json.ts';
import type { JSONSchemaProps, ValidationRule } from '#gen/kube/types.ts';
import { type FieldError, forbidden, invalid } from '#kube/meta/field-error.ts';
import { objectMetaSchema } from './builtin.ts';
import { ruleProblems } from './cel/rules.ts';
import { schemaProblems } from './crd-rules.ts';
import type { Schema } from './schema.ts';
import { isSchema, structuralProblems } from './structural-schema.ts';
import { dropUnknownFields } from './unknown-fields.ts';
import { valueErrors } from './validate-value.ts';

export interface CrdSchemaOptions {
  /** Where the schema is in the CRD, for messages; as Kubernetes tells it when all versions share one schema. */
  readonly at?: string;
  /** The version has a status subresource, which narrows what the root of the schema may say. */
  readonly hasStatus?: boolean;
  /** It is what the version had before: what its rules cost has been accepted. */
  readonly unchanged?: boolean;
}

export interface CrdSchema {
  readonly schema: Schema;
  /** What Kubernetes would refuse it for; found out when it is asked for. */
  readonly problems: readonly FieldError[];
}

/** A schema with problems is still usable, as far as it goes: CRDs of old servers must be readable. */
export function schemaOfCrd(
  openAPIV3Schema: JSONSchemaProps,
  { at = 'spec.validation.openAPIV3Schema', hasStatus = false, unchanged = false }: CrdSchemaOptions = {},
): CrdSchema {
  const schema = withMeta(convert(openAPIV3Schema), openAPIV3Schema);
  return {
    schema,
    get problems() {
      return problemsOf(openAPIV3Schema, schema, { at, hasStatus, unchanged });
    },
  };
}

function problemsOf(props: JSONSchemaProps, schema: Schema, options: Required<CrdSchemaOptions>): FieldError[] {
  const { at, hasStatus, unchanged } = options;
  const structural = structuralProblems(props, at);
  const problems = [
    ...rootProblems(props, at, hasStatus),
    ...(structural.length > 0 ? structural : defaultProblems(props, at)),
    ...schemaProblems(props, at),
  ];
  // Rules are checked against the types of a schema, which must be sound first.
  return problems.length > 0 ? problems : ruleProblems(schema, at, unchanged);
}

/** Written as Go names the fields. */
const ALLOWED_WITH_STATUS =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems ' +
  'MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

function rootProblems(root: JSONSchemaProps, at: string, hasStatus: boolean): FieldError[] {
  const problems: FieldError[] = [];
  if (hasStatus && root.type && root.type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    problems.push(invalid(`${at}.type`, root.type, detail));
  }
  const stray = Object.keys(root).find((name) => !ALLOWED_WITH_STATUS.split(' ').includes(goFieldName(name)));
  if (hasStatus && stray !== undefined) {
    const detail = `only [${ALLOWED_WITH_STATUS}] fields are allowed at the root of the schema if the status subresource is enabled`;
    problems.push(invalid(at, root, detail));
  }
  if (root.nullable) problems.push(forbidden(`${at}.nullable`, 'nullable cannot be true at the root'));
  return problems;
}

function goFieldName(name: string): string {
  const words = name.replace(/^x-kubernetes-/, 'x-').split('-');
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/** Defaults must be what they would make valid. */
function defaultProblems(schema: JSONSchemaProps, at: string): FieldError[] {
  const problems: FieldError[] = [];
  if (schema.default !== undefined && schema.default !== null) problems.push(...ownDefaultProblems(schema, at));
  if (isSchema(schema.items)) problems.push(...defaultProblems(schema.items, `${at}.items`));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    problems.push(...defaultProblems(property, `${at}.properties[${name}]`));
  }
  return problems;
}

function ownDefaultProblems(props: JSONSchemaProps, at: string): FieldError[] {
  const schema = convert(props);
  const pruned = { value: draftOf(props.default) };
  dropUnknownFields({ type: 'object', properties: { value: schema } }, pruned);
  if (!jsonEqual(pruned.value, props.default)) {
    return [invalid(`${at}.default`, props.default, 'must not have unknown fields')];
  }
  return valueErrors(schema, props.default).map((error) => ({
    ...error,
    field: error.field === '<nil>' ? `${at}.default` : `${at}.default.${error.field}`,
  }));
}

/** Adds what every object has, and keeps what the CRD says of its names. */
function withMeta(schema: Schema, props: JSONSchemaProps): Schema {
  const own = props.properties?.['metadata'] ? schema.properties?.['metadata'] : undefined;
  const metadata = objectMetaSchema();
  return {
    ...schema,
    type: 'object',
    properties: nameless({
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      ...schema.properties,
      metadata: own?.properties
        ? { ...metadata, properties: nameless({ ...metadata.properties, ...own.properties }) }
        : metadata,
    }),
  };
}

/** As a record without a prototype: a client may send a field called `constructor`. */
function nameless(properties: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.assign(Object.create(null), properties);
}

/** What is spelled the same in both. */
const SAME = [
  'format',
  'required',
  'nullable',
  'description',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const satisfies readonly (keyof JSONSchemaProps & keyof Schema)[];

function convert(props: JSONSchemaProps): Schema {
  const schema: Record<string, unknown> = {};
  for (const name of SAME) if (props[name] !== undefined) schema[name] = props[name];
  return {
    ...schema,
    ...definedOf<Schema>({
      type: props.type === undefined || props.type === '' ? undefined : (props.type as Schema['type']),
      default: props.default as Json | undefined,
      enum: props.enum as readonly Json[] | undefined,
      items: isSchema(props.items) ? convert(props.items) : undefined,
      additionalProperties: isSchema(props.additionalProperties)
        ? convert(props.additionalProperties)
        : props.additionalProperties,
      allOf: props.allOf?.map(convert),
      anyOf: props.anyOf?.map(convert),
      oneOf: props.oneOf?.map(convert),
      not: props.not && convert(props.not),
      intOrString: props['x-kubernetes-int-or-string'],
      preserveUnknownFields: props['x-kubernetes-preserve-unknown-fields'],
      embeddedResource: props['x-kubernetes-embedded-resource'],
      listType: props['x-kubernetes-list-type'] as Schema['listType'],
      listMapKeys: props['x-kubernetes-list-map-keys'],
      mapType: props['x-kubernetes-map-type'] as Schema['mapType'],
      validations: props['x-kubernetes-validations']?.map(convertRule),
      properties: propertiesOf(props),
    }),
  };
}

function propertiesOf(props: JSONSchemaProps): Readonly<Record<string, Schema>> | undefined {
  const { properties } = props;
  if (!properties && !props['x-kubernetes-embedded-resource']) return undefined;
  const converted = Object.fromEntries(Object.entries(properties ?? {}).map(([name, inner]) => [name, convert(inner)]));
  return nameless(
    props['x-kubernetes-embedded-resource']
      ? { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...converted, metadata: objectMetaSchema() }
      : converted,
  );
}

function convertRule(rule: ValidationRule): NonNullable<Schema['validations']>[number] {
  return { ...rule };
}

/** Without the members that are undefined, as exact optional properties want it. */
function definedOf<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
