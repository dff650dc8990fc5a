/** The options of list and watch that concern resourceVersion, checked and understood in one place. */
import { badRequest } from '#base/status-error.ts';
import { forbidden, notSupported } from '#kube/meta/field-error.ts';
import { invalidOptions, unexplained } from '../failures.ts';
import type { FieldError } from '../resource.ts';

export interface RevisionOptions {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly continue?: string | undefined;
}

/** Throws `Invalid` for combinations that make no sense. */
export function checkRevisionOptions(options: RevisionOptions, watch: boolean): void {
  const errors = [...(watch ? watchProblems(options) : listProblems(options))];
  if (errors.length > 0) throw invalidOptions('ListOptions', errors);
}

const MATCH = 'resourceVersionMatch';

function* watchProblems({
  resourceVersionMatch: match = '',
  sendInitialEvents,
}: RevisionOptions): Iterable<FieldError> {
  if (sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan') {
      yield forbidden(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
    }
  } else if (match !== '') {
    yield forbidden(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  }
  if (match !== '' && match !== 'NotOlderThan') yield notSupported(MATCH, match, ['NotOlderThan']);
}

function* listProblems(options: RevisionOptions): Iterable<FieldError> {
  const { resourceVersion = '', resourceVersionMatch: match = '' } = options;
  if (match !== '') {
    if (resourceVersion === '')
      yield forbidden(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
    if (options.continue) yield forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided');
    if (match !== 'Exact' && match !== 'NotOlderThan') yield notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']);
    if (match === 'Exact' && resourceVersion === '0') {
      yield forbidden(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    }
  }
  if (options.sendInitialEvents !== undefined) {
    yield forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  }
}

export function listRevision(text: string | undefined): number {
  return parseRevision(text, (problem) => badRequest(`invalid resource version: ${problem}`));
}

export function watchRevision(text: string | undefined): number {
  return parseRevision(text, unexplained);
}

function parseRevision(text: string | undefined, refuse: (problem: string) => Error): number {
  if (text === undefined || text === '') return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const quoted = JSON.stringify(text);
  throw refuse(`resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`);
}
