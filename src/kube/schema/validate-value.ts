/**
 * A value against the schema of a custom resource: types, bounds, patterns, enumerations and their combinations.
 *
 * Words and order are those of the real server; where that takes map order, the order of the document is used. On an
 * update, what was wrong before and has not been touched is let pass.
 */
import { isObject, jsonEqual } from '#base/json.ts';
import { type FieldError, goJson, notSupported, required, tooLong, tooMany } from '#kube/meta/field-error.ts';
import { goTypeOf } from './builtin.ts';
import { isKnownFormat, matchesFormat } from './formats.ts';
import { goRegExp, goRegExpProblem } from './go-regexp.ts';
import { correlatedItems } from './list-map.ts';
import type { Schema } from './schema.ts';

/** `old` is the value it replaces, if there is one. */
export function valueErrors(schema: Schema, value: unknown, old?: unknown): FieldError[] {
  const result: Result = { errors: [], matches: 0 };
  check(schema, value, '', old, result);
  if (result.errors.length === 0) return [];
  const seen = new Set<string>();
  return result.errors.filter(({ field, message }) => {
    const text = `${field}: ${message}`;
    return !seen.has(text) && seen.add(text);
  });
}

/** `matches` counts what fits: of several alternatives that fail, the one that fits best is told. */
interface Result {
  readonly errors: FieldError[];
  matches: number;
}

function check(schema: Schema, value: unknown, at: string, old: unknown, result: Result): void {
  // Metadata has been decoded as Go does.
  if (schema.component !== undefined && goTypeOf(schema)) return;
  const before = result.errors.length;
  checkType(schema, value, at, result);
  if (value !== null) {
    checkCombinations(schema, value, at, old, result);
    if (typeof value === 'string') checkString(schema, value, at, result);
    else if (typeof value === 'number') checkNumber(schema, value, at, result);
    else if (Array.isArray(value)) checkArray(schema, value, at, old, result);
  }
  if (schema.enum && !schema.enum.some((allowed) => value !== null && jsonEqual(allowed, value))) {
    result.errors.push(notSupported(pathOf(at), value, enumTexts(schema.enum)));
  }
  if (isObject(value)) checkObject(schema, value, at, old, result);
  result.matches++;
  // As k8s.io/apiextensions-apiserver ratcheting.go: errors of an unchanged value are no reason to refuse a change.
  if (result.errors.length > before && old !== undefined && jsonEqual(value, old)) result.errors.length = before;
}

function checkType(schema: Schema, value: unknown, at: string, result: Result): void {
  const types = schema.intOrString ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const format = schema.format !== undefined && isKnownFormat(schema.format) ? schema.format : undefined;
  if (value === null) {
    if (types.length > 0 && !schema.nullable) result.errors.push(typeError(at, types.join(), 'null'));
    return;
  }
  const found = jsonType(value);
  if (types.length === 0 || types.includes(found) || (found === 'integer' && types.includes('number'))) {
    result.matches++;
  } else if (
    format !== undefined &&
    (typeof value === 'string' || Array.isArray(value)) &&
    !types.includes('integer') &&
    !types.includes('number')
  ) {
    result.matches++;
  } else if (format !== undefined && typeof value !== 'string') {
    result.errors.push(typeError(at, format, NATIVE_FORMATS[found] ?? ''));
  } else {
    result.errors.push(typeError(at, types.join(), found));
  }
}

const NATIVE_FORMATS: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function checkString(schema: Schema, value: string, at: string, result: Result): void {
  const problem = stringProblem(schema, value, at);
  if (problem) result.errors.push(problem);
  const { format } = schema;
  if (format === undefined || !isKnownFormat(format) || matchesFormat(format, value)) return;
  result.errors.push(typeError(at, format, value));
}

/** The first of length and pattern that fails. */
function stringProblem({ minLength, maxLength, pattern }: Schema, value: string, at: string): FieldError | undefined {
  const length = minLength === undefined && maxLength === undefined ? 0 : runeCount(value);
  if (maxLength !== undefined && length > maxLength) return tooLong(pathOf(at), maxLength);
  if (minLength !== undefined && length < minLength) {
    return invalid(at, value, `${at} in body should be at least ${minLength} chars long`);
  }
  if (pattern === undefined || pattern === '') return undefined;
  const broken = goRegExpProblem(pattern);
  if (broken === undefined && goRegExp(pattern).test(value)) return undefined;
  const shown = broken === undefined ? pattern : `${pattern}, but pattern is invalid: ${broken}`;
  return invalid(at, value, `${at} in body should match '${shown}'`);
}

function runeCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function checkNumber(schema: Schema, value: number, at: string, result: Result): void {
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  result.matches++;
  // Go compares an integer with the bound's whole part.
  const bound = (limit: number) => (Number.isInteger(value) ? Math.trunc(limit) : limit);
  if (multipleOf !== undefined && bound(multipleOf) <= 0) {
    result.errors.push(invalid(at, 0, `factor MultipleOf declared for ${at} must be positive: 0`));
  } else if (multipleOf !== undefined && !isMultiple(value, bound(multipleOf))) {
    result.errors.push(invalid(at, value, `${at} in body should be a multiple of ${goNumber(multipleOf)}`));
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= bound(minimum) : value < bound(minimum))) {
    const relation = exclusiveMinimum ? 'greater than' : 'greater than or equal to';
    result.errors.push(invalid(at, value, `${at} in body should be ${relation} ${shownBound(value, minimum)}`));
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= bound(maximum) : value > bound(maximum))) {
    const relation = exclusiveMaximum ? 'less than' : 'less than or equal to';
    result.errors.push(invalid(at, value, `${at} in body should be ${relation} ${shownBound(value, maximum)}`));
  }
}

function isMultiple(value: number, factor: number): boolean {
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

function shownBound(value: number, bound: number): string {
  return Number.isInteger(value) ? String(Math.trunc(bound)) : goNumber(bound);
}

/** As Go's `%v` writes a float64. */
function goNumber(value: number): string {
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < 6) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

function checkArray(schema: Schema, value: readonly unknown[], at: string, old: unknown, result: Result): void {
  const { items, minItems, maxItems } = schema;
  if (items) {
    const oldItem = correlatedItems(schema, old);
    for (let index = 0; index < value.length; index++) {
      check(items, value[index], `${at}[${index}]`, oldItem(value[index]), result);
    }
  }
  if (minItems !== undefined && value.length < minItems) {
    result.errors.push(invalid(at, value.length, `${at} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) {
    result.errors.push(tooMany(pathOf(at), value.length, maxItems));
  }
  result.matches++;
}

function checkObject(schema: Schema, value: Record<string, unknown>, at: string, old: unknown, result: Result): void {
  const { properties, additionalProperties, minProperties, maxProperties } = schema;
  const size = minProperties === undefined && maxProperties === undefined ? 0 : Object.keys(value).length;
  if (minProperties !== undefined && size < minProperties) {
    result.errors.push(invalid(at, size, `${at} in body should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && size > maxProperties) {
    result.errors.push(tooMany(pathOf(at), size, maxProperties));
  }
  for (const key in value) {
    if (value[key] === undefined) continue;
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    const inner = known ?? additionalProperties;
    if (inner === false) {
      result.errors.push(invalid(at, key, `${at}.${key} in body is a forbidden property`));
    } else if (typeof inner === 'object') {
      check(inner, value[key], childPath(at, key), memberOf(old, key), result);
    }
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key) || value[key] === undefined) result.errors.push(required(childPath(at, key)));
  }
}

function checkCombinations(schema: Schema, value: unknown, at: string, old: unknown, result: Result): void {
  result.matches++;
  if (!schema.anyOf && !schema.oneOf && !schema.allOf && !schema.not) return;
  const attempt = (alternative: Schema): Result => {
    const inner: Result = { errors: [], matches: 0 };
    check(alternative, value, at, old, inner);
    return inner;
  };
  if (schema.anyOf?.length) checkAnyOf(schema.anyOf.map(attempt), at, result);
  if (schema.oneOf?.length) checkOneOf(schema.oneOf.map(attempt), at, result);
  if (schema.allOf?.length) checkAllOf(schema.allOf.map(attempt), at, result);
  if (schema.not && attempt(schema.not).errors.length === 0) {
    result.errors.push(composite(`${goJson(at)} must not validate the schema (not)`));
  }
}

function checkAnyOf(attempts: readonly Result[], at: string, result: Result): void {
  const success = attempts.find((attempt) => attempt.errors.length === 0);
  if (!success) result.errors.push(composite(`${goJson(at)} must validate at least one schema (anyOf)`));
  merge(result, success ?? bestOf(attempts));
}

function checkOneOf(attempts: readonly Result[], at: string, result: Result): void {
  const valid = attempts.filter((attempt) => attempt.errors.length === 0);
  if (valid.length === 1) return merge(result, valid[0]);
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  result.errors.push(composite(`${goJson(at)} must validate one and only one schema (oneOf). ${found}`));
  if (valid.length === 0) merge(result, bestOf(attempts));
}

function checkAllOf(attempts: readonly Result[], at: string, result: Result): void {
  for (const attempt of attempts) merge(result, attempt);
  const valid = attempts.filter((attempt) => attempt.errors.length === 0).length;
  if (valid === attempts.length) return;
  const none = valid === 0 ? '. None validated' : '';
  result.errors.push(composite(`${goJson(at)} must validate all the schemas (allOf)${none}`));
}

function bestOf(attempts: readonly Result[]): Result | undefined {
  return attempts.reduce<Result | undefined>(
    (best, attempt) => (best === undefined || attempt.matches > best.matches ? attempt : best),
    undefined,
  );
}

function merge(result: Result, other: Result | undefined): void {
  if (!other) return;
  result.errors.push(...other.errors);
  result.matches += other.matches;
}

function childPath(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`;
}

/** The root has no name. */
function pathOf(at: string): string {
  return at === '' ? '<nil>' : at;
}

function memberOf(old: unknown, key: string): unknown {
  return isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
}

function invalid(at: string, value: unknown, detail: string): FieldError {
  const shown = typeof value === 'number' && !Number.isInteger(value) ? goNumber(value) : goJson(value);
  return { reason: 'FieldValueInvalid', field: pathOf(at), message: `Invalid value: ${shown}: ${detail}` };
}

function typeError(at: string, expected: string, found: string): FieldError {
  const message = `Invalid value: ${goJson(found)}: ${at} in body must be of type ${expected}: ${goJson(found)}`;
  return { reason: 'FieldValueTypeInvalid', field: pathOf(at), message };
}

/** Errors of combinations are told without a field. */
function composite(detail: string): FieldError {
  return invalid('', '', detail);
}

function enumTexts(values: readonly unknown[]): string[] {
  return values.map((value) => (typeof value === 'string' ? value : goJson(value)));
}
