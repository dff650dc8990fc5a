/**
 * One thing wrong with one field, worded as Kubernetes words it: scripts and clients match on these sentences.
 *
 * The builders take the path, the value found and a detail; the API server joins a list of them into one `Invalid`
 * answer. Paths are plain strings (`spec.ports[0].port`, `metadata.labels[app]`): a rule writes them as it descends.
 */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** As Kubernetes writes paths: `spec.template.spec.containers[0].image`, `metadata.labels`. */
  readonly field: string;
  /** As Kubernetes words it, with the value: `Invalid value: "N": a lowercase RFC 1123 …`. */
  readonly message: string;
}

export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound';

export const IMMUTABLE = 'field is immutable';

export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail(`Invalid value: ${goJson(value)}`, detail) };
}

/** One error for each problem of the same value, as validators of formats return several. */
export function invalidAll(field: string, value: unknown, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => invalid(field, value, problem));
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goJson).join(', ')}`;
  const message = withDetail(`Unsupported value: ${goJson(value)}`, detail);
  return { reason: 'FieldValueNotSupported', field, message };
}

export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${goJson(value)}` };
}

/** The value named by a field does not exist. */
export function unknownReference(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${goJson(value)}` };
}

export function tooLong(field: string, max: number): FieldError {
  const unit = max === 1 ? 'byte' : 'bytes';
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${max} ${unit}` };
}

export function tooMany(field: string, found: number, max: number): FieldError {
  const unit = max === 1 ? 'item' : 'items';
  return { reason: 'FieldValueTooMany', field, message: `Too many: ${found}: must have at most ${max} ${unit}` };
}

/** `value` as Go's encoder writes it: like JSON, with `<`, `>` and `&` of nested values escaped. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  // Text by itself is quoted as Go quotes it, which has a shorter form for control characters.
  if (typeof value === 'string') return text.replace(/\\u00([01][0-9a-f]|7f)/g, '\\x$1');
  if (typeof value !== 'object') return text;
  return text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

function withDetail(head: string, detail: string): string {
  return detail === '' ? head : `${head}: ${detail}`;
}
