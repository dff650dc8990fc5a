import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  unknownReference,
} from '#kube/meta/field-error.ts';

describe('field errors', () => {
  const cases: [error: FieldError, reason: string, message: string][] = [
    [required('a'), 'FieldValueRequired', 'Required value'],
    [required('a', 'why'), 'FieldValueRequired', 'Required value: why'],
    [invalid('a', -1, 'why'), 'FieldValueInvalid', 'Invalid value: -1: why'],
    [invalid('a', 'x<"', 'why'), 'FieldValueInvalid', 'Invalid value: "x<\\"": why'],
    [invalid('a', { k: '<' }, 'why'), 'FieldValueInvalid', 'Invalid value: {"k":"\\u003c"}: why'],
    [invalid('a', undefined, 'why'), 'FieldValueInvalid', 'Invalid value: null: why'],
    [
      notSupported('a', 'x', ['b', 'c']),
      'FieldValueNotSupported',
      'Unsupported value: "x": supported values: "b", "c"',
    ],
    [notSupported('a', 'x', []), 'FieldValueNotSupported', 'Unsupported value: "x"'],
    [forbidden('a', 'why'), 'FieldValueForbidden', 'Forbidden: why'],
    [duplicate('a', 'x'), 'FieldValueDuplicate', 'Duplicate value: "x"'],
    [unknownReference('a', 'x'), 'FieldValueNotFound', 'Not found: "x"'],
    [tooLong('a', 7), 'FieldValueTooLong', 'Too long: may not be more than 7 bytes'],
    [tooMany('a', 9, 1), 'FieldValueTooMany', 'Too many: 9: must have at most 1 item'],
  ];
  for (const [error, reason, message] of cases) {
    it(`words ${message}`, () => assert.deepEqual(error, { reason, field: 'a', message }));
  }
});
