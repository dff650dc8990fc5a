/**
 * Whether a custom resource is what its schema says: the whole of the validation that a CRD alone defines.
 *
 * First values, then embedded resources, then the identity of list items, then CEL rules; the last only when the
 * others leave an object the rules can be asked about.
 */
import type { FieldError } from '#kube/meta/field-error.ts';
import { validateRules } from './cel/rules.ts';
import { embeddedErrors } from './embedded-resources.ts';
import { listErrors } from './list-map.ts';
import type { Schema } from './schema.ts';
import { valueErrors } from './validate-value.ts';

/** `old` is the object before an update; what was wrong in it and is untouched is let pass. */
export function validateSchema(schema: Schema, value: unknown, old?: unknown): FieldError[] {
  const errors = [...valueErrors(schema, value, old), ...embeddedErrors(schema, value)];
  const lists = listErrors(schema, value);
  if (lists.length > 0 && (old === undefined || listErrors(schema, old).length === 0)) errors.push(...lists);
  if (!hasRules(schema)) return errors;
  if (errors.some(({ reason }) => BLOCKING.has(reason))) return [...errors, UNCHECKED];
  return [...errors, ...validateRules(schema, value, old)];
}

/** After these, rules would be asked about values they do not expect. */
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const UNCHECKED: FieldError = {
  reason: 'FieldValueInvalid',
  field: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation',
};

const withRules = new WeakMap<Schema, boolean>();

/** Whether there is a rule anywhere below. Schemas of custom resources are trees, but for the metadata. */
export function hasRules(schema: Schema): boolean {
  let known = withRules.get(schema);
  if (known === undefined) withRules.set(schema, (known = schema.component === undefined && findRules(schema)));
  return known;
}

function findRules({ validations, properties, items, additionalProperties }: Schema): boolean {
  if (validations !== undefined && validations.length > 0) return true;
  if (items && hasRules(items)) return true;
  if (typeof additionalProperties === 'object' && hasRules(additionalProperties)) return true;
  return Object.values(properties ?? {}).some(hasRules);
}
