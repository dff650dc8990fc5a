/** The options all writes share, as they come in a query or from a caller in this process. */
import { notSupported } from '#kube/meta/field-error.ts';
import { tooLong, invalid, required } from '#kube/meta/field-error.ts';
import type { Caller } from '../core.ts';
import { invalidOptions } from '../failures.ts';
import type { FieldError } from '../resource.ts';

export interface WriteOptions {
  readonly fieldManager?: string | undefined;
  readonly fieldValidation?: string | undefined;
  readonly dryRun?: readonly string[] | undefined;
  /** Server-side apply only. */
  readonly force?: boolean | undefined;
}

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

const MANAGER_LENGTH = 128;

export function checkWriteOptions(kind: OptionsKind, options: WriteOptions, apply = false): void {
  if (!apply && saysNothing(options)) return;
  const errors = [...problems(kind, options, apply)];
  if (errors.length > 0) throw invalidOptions(kind, errors);
}

function saysNothing({ fieldManager, fieldValidation, dryRun, force }: WriteOptions): boolean {
  return fieldManager === undefined && fieldValidation === undefined && dryRun === undefined && force === undefined;
}

function* problems(kind: OptionsKind, options: WriteOptions, apply: boolean): Iterable<FieldError> {
  const { fieldManager = '', fieldValidation = '', dryRun = [] } = options;
  if (kind === 'PatchOptions') {
    if (apply && fieldManager === '') yield required('fieldManager', 'is required for apply patch');
    if (!apply && options.force !== undefined) {
      yield {
        reason: 'FieldValueForbidden',
        field: 'force',
        message: 'Forbidden: may not be specified for non-apply patch',
      };
    }
  }
  if (fieldManager.length > MANAGER_LENGTH) yield tooLong('fieldManager', MANAGER_LENGTH);
  else if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(fieldManager)) {
    yield invalid('fieldManager', fieldManager, 'should only contain printable characters');
  }
  if (dryRun.some((one) => one !== 'All')) yield notSupported('dryRun', dryRun, ['All']);
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    yield notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']);
  }
}

export function isDryRun({ dryRun = [] }: WriteOptions): boolean {
  return dryRun.length > 0;
}

/** The name under which a write's fields are recorded. */
export function managerOf(options: WriteOptions, caller: Caller): string {
  return options.fieldManager || caller.agent || 'unknown';
}
