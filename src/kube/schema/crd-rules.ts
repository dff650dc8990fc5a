/**
 * What Kubernetes refuses in the schema of a CRD besides its not being structural.
 *
 * Words and paths are those of k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.
 */
import type { JSONSchemaProps } from '#gen/kube/types.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '#kube/meta/field-error.ts';
import { isSchema } from './structural-schema.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META = new Set(['metadata', 'kind', 'apiVersion']);
const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Why a default may not be given where we are; undefined where it may. */
interface Where {
  readonly noDefaults?: string;
  readonly inMeta?: boolean;
}

export function schemaProblems(schema: JSONSchemaProps, at: string): FieldError[] {
  return problemsAt(schema, at, {}, true);
}

function problemsAt(schema: JSONSchemaProps, at: string, where: Where, isRoot = false): FieldError[] {
  return [
    ...unsupported(schema, at, where),
    ...belowProblems(schema, at, where, isRoot),
    ...extensionProblems(schema, at),
    ...listMapProblems(schema, at),
    ...ruleProblems(schema, at),
  ];
}

function unsupported(schema: JSONSchemaProps, at: string, { noDefaults, inMeta }: Where): FieldError[] {
  const problems: FieldError[] = [];
  const forbid = (name: string, detail: string) => problems.push(forbidden(`${at}.${name}`, detail));
  const { type } = schema;
  if (type && !TYPES.includes(type)) problems.push(notSupported(`${at}.type`, type, TYPES));
  if (schema.default !== undefined && noDefaults !== undefined) forbid('default', `must not be set ${noDefaults}`);
  if (schema.id) forbid('id', 'id is not supported');
  if (schema.additionalItems !== undefined) forbid('additionalItems', 'additionalItems is not supported');
  if (schema.patternProperties) forbid('patternProperties', 'patternProperties is not supported');
  if (schema.definitions) forbid('definitions', 'definitions is not supported');
  if (schema.dependencies) forbid('dependencies', 'dependencies is not supported');
  if (schema.$ref !== undefined) forbid('$ref', '$ref is not supported');
  if (type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(schema.items)) forbid('items', 'items must be a schema object and not an array');
  if (inMeta && schema['x-kubernetes-embedded-resource']) {
    forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  }
  if (schema.uniqueItems) {
    forbid('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  }
  return problems;
}

function belowProblems(schema: JSONSchemaProps, at: string, where: Where, isRoot: boolean): FieldError[] {
  const { additionalProperties, properties = {}, items, not } = schema;
  const problems: FieldError[] = [];
  if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    problems.push(forbidden(`${at}.additionalProperties`, detail));
  }
  if (isSchema(additionalProperties)) {
    const reason = 'inside additionalProperties applying to object metadata';
    const inner = where.inMeta ? { ...where, noDefaults: reason } : where;
    problems.push(...problemsAt(additionalProperties, `${at}.additionalProperties`, inner));
  }
  const isObject = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, property] of Object.entries(properties)) {
    const inner = isObject && META.has(name) ? metaPlace(where, name, isRoot) : where;
    problems.push(...problemsAt(property, `${at}.properties[${name}]`, inner));
  }
  if (not) problems.push(...problemsAt(not, `${at}.not`, where));
  for (const logic of ['allOf', 'oneOf', 'anyOf'] as const) {
    schema[logic]?.forEach((part, index) => problems.push(...problemsAt(part, `${at}.${logic}[${index}]`, where)));
  }
  if (isSchema(items)) problems.push(...problemsAt(items, `${at}.items`, where));
  return problems;
}

function metaPlace(where: Where, name: string, isRoot: boolean): Where {
  return { ...where, inMeta: true, ...(isRoot ? { noDefaults: `in top-level ${name}` } : {}) };
}

function extensionProblems(schema: JSONSchemaProps, at: string): FieldError[] {
  const { type } = schema;
  const mapType = schema['x-kubernetes-map-type'];
  const listType = schema['x-kubernetes-list-type'];
  const problems: FieldError[] = [];
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    problems.push(invalid(`${at}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  if (mapType !== undefined) {
    if (type !== 'object') problems.push(wrongType(at, type, 'must be object if x-kubernetes-map-type is specified'));
    if (!['atomic', 'granular'].includes(mapType)) {
      problems.push(notSupported(`${at}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
    }
  }
  if (listType !== undefined) {
    if (type !== 'array') problems.push(wrongType(at, type, 'must be array if x-kubernetes-list-type is specified'));
    else if (listType === 'set') problems.push(...setProblems(schema, at));
    if (!['atomic', 'set', 'map'].includes(listType)) {
      problems.push(notSupported(`${at}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
    }
  }
  return problems;
}

function wrongType(at: string, type: string | undefined, detail: string): FieldError {
  return type ? invalid(`${at}.type`, type, detail) : required(`${at}.type`, detail);
}

/** What is compared as a whole must be changed as a whole. */
function setProblems({ items }: JSONSchemaProps, at: string): FieldError[] {
  if (!isSchema(items)) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  const mapType = items['x-kubernetes-map-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalid(`${at}.items.x-kubernetes-list-type`, listType, detail)];
  }
  if (items.type === 'object' && mapType !== 'atomic') {
    return [invalid(`${at}.items.x-kubernetes-map-type`, listType ?? null, detail)];
  }
  return [];
}

function listMapProblems(schema: JSONSchemaProps, at: string): FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const listType = schema['x-kubernetes-list-type'];
  const { items } = schema;
  const problems: FieldError[] = [];
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const field = `${at}.x-kubernetes-list-type`;
    problems.push(listType === undefined ? required(field, detail) : invalid(field, listType, detail));
  }
  if (listType === 'map') {
    if (keys.length === 0) {
      const detail = 'must not be empty if x-kubernetes-list-type is map';
      problems.push(required(`${at}.x-kubernetes-list-map-keys`, detail));
    }
    if (items === undefined) {
      problems.push(required(`${at}.items`, 'must have a schema if x-kubernetes-list-type is map'));
    }
    if (isSchema(items)) problems.push(...keyProblems(items, keys, at));
  }
  if ((listType === 'map' || listType === 'set') && isSchema(items) && items.nullable) {
    problems.push(forbidden(`${at}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
  return problems;
}

function keyProblems(items: JSONSchemaProps, keys: readonly string[], at: string): FieldError[] {
  if (items.type !== 'object') {
    const detail = `must be object if parent array's x-kubernetes-list-type is map`;
    return [invalid(`${at}.items.type`, items.type ?? '', detail)];
  }
  return keys.flatMap((key, index) => [
    ...keyProblem(items, keys, key, at),
    ...(keys.indexOf(key) < index
      ? [invalid(`${at}.x-kubernetes-list-map-keys`, keys, 'must not contain duplicate entries')]
      : []),
  ]);
}

function keyProblem(items: JSONSchemaProps, keys: readonly string[], key: string, at: string): FieldError[] {
  const property = items.properties?.[key];
  const field = `${at}.items.properties[${key}]`;
  if (!property) {
    return [invalid(`${at}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties')];
  }
  const problems: FieldError[] = [];
  if (property.type === 'array' || property.type === 'object') {
    const detail = `must be a scalar type if parent array's x-kubernetes-list-type is map`;
    problems.push(invalid(`${field}.type`, items.type, detail));
  }
  if (!items.required?.includes(key) && property.default === undefined) {
    const detail =
      'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
    problems.push(required(`${field}.default`, detail));
  }
  if (property.nullable) {
    const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
    problems.push(forbidden(`${field}.nullable`, detail));
  }
  return problems;
}

function ruleProblems(schema: JSONSchemaProps, at: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const field = `${at}.x-kubernetes-validations[${index}]`;
    const { message = '', messageExpression = '', reason, fieldPath = '' } = rule;
    const problems: FieldError[] = [];
    if (rule.rule.trim() === '') problems.push(required(`${field}.rule`, 'rule is not specified'));
    else if (message !== '' && message.trim() === '') {
      problems.push(invalid(`${field}.message`, message, 'must be non-empty if specified'));
    } else if (/[\n\r]/.test(message.trim())) {
      problems.push(invalid(`${field}.message`, message, 'must not contain line breaks'));
    } else if (/[\n\r]/.test(rule.rule.trim()) && message.trim() === '') {
      problems.push(required(`${field}.message`, 'message must be specified if rule contains line breaks'));
    }
    if (messageExpression !== '' && messageExpression.trim() === '') {
      problems.push(required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified'));
    }
    if (reason !== undefined && !REASONS.includes(reason)) {
      problems.push(notSupported(`${field}.reason`, reason, REASONS));
    }
    return [...problems, ...fieldPathProblems(schema, fieldPath, `${field}.fieldPath`)];
  });
}

function fieldPathProblems(schema: JSONSchemaProps, path: string, field: string): FieldError[] {
  if (path === '') return [];
  const problems: FieldError[] = [];
  if (path.trim() === '') problems.push(invalid(field, path, 'must be non-empty if specified'));
  if (/[\n\r]/.test(path)) problems.push(invalid(field, path, 'must not contain line breaks'));
  if (!leadsSomewhere(schema, path)) problems.push(invalid(field, path, 'must be a valid path'));
  return problems;
}

/** `.name`, `.labels['a/b']`: through properties and the keys of maps, not into lists. */
function leadsSomewhere(schema: JSONSchemaProps, path: string): boolean {
  const steps = [...path.matchAll(/\.([A-Za-z_]\w*)|\['((?:[^'\\]|\\.)*)'\]/gy)];
  if (steps.map((step) => step[0]).join('') !== path) return false;
  let place: JSONSchemaProps | undefined = schema;
  for (const [, name, key] of steps) {
    const step: string = name ?? key ?? '';
    const map: JSONSchemaProps | boolean | undefined = place?.additionalProperties;
    place = place?.properties?.[step] ?? (isSchema(map) ? map : undefined);
    if (!place) return false;
  }
  return true;
}
