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
import { factsOf } from './schema-facts.ts';
import { valueErrors } from './validate-value.ts';

/**
 * `old` is the object before an update; what was wrong in it and is untouched is let pass. `known` is what is wrong with
 * the object besides its schema.
 */
export function validateSchema(
  schema: Schema,
  value: unknown,
  old?: unknown,
  known: readonly FieldError[] = [],
): FieldError[] {
  const errors = [...valueErrors(schema, value, old), ...embeddedErrors(schema, value)];
  const lists = listErrors(schema, value);
  if (lists.length > 0 && (old === undefined || listErrors(schema, old).length === 0)) errors.push(...lists);
  if (!factsOf(schema).rules) return errors;
  if ([...known, ...errors].some(({ reason }) => BLOCKING.has(reason))) return [...errors, UNCHECKED];
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
