/**
 * Query parameters as fields of a request: `?page=2&status=a&status=b&filter.name=x&labels[app]=web`.
 *
 * A list takes every parameter of its name, a map one for each key in brackets, a message one for each of its fields.
 * What is not a field is refused, as is a field given twice, or one that comes with the path or the body: a typing error
 * that is answered by the wrong list is worse than an error.
 */
import type { DescField, DescMessage, JsonValue } from '@bufbuild/protobuf';
import { badRequest } from '#base/status-error.ts';
import { elementOf, emptyDraft, type JsonDraft, putAt, resolvePath, valueAt } from './field-path.ts';

export interface Taken {
  readonly fields: readonly DescField[];
  /** Where it comes from instead: `path`, `body`. */
  readonly by: string;
}

/** Adds the parameters of a query to the draft of a request. */
export function addQuery(draft: JsonDraft, input: DescMessage, query: URLSearchParams, taken: readonly Taken[]): void {
  for (const [name, text] of query) addParameter(draft, input, taken, name, text);
}

function addParameter(draft: JsonDraft, input: DescMessage, taken: readonly Taken[], name: string, text: string): void {
  const [, path = name, key] = name.match(/^([^[\]]*)\[([^[\]]*)\]$/) ?? [];
  const fields = resolvePath(input, path);
  const field = fields?.at(-1);
  if (!fields || !field) throw badRequest(`unknown query parameter "${name}"${suggestion(input, path)}`);
  const by = taken.find((other) => isWithin(fields, other.fields))?.by;
  if (by !== undefined) throw badRequest(`query parameter "${name}" comes from the ${by}`);
  if (field.fieldKind === 'map') return addEntry(draft, fields, field, key, name, text);
  if (key !== undefined) throw badRequest(`query parameter "${name}" has a key, but "${path}" is no map`);
  const value = elementOf(field, text, name);
  if (field.fieldKind === 'list') return append(draft, fields, value);
  if (valueAt(draft, fields) !== undefined) throw badRequest(`query parameter "${name}" is given more than once`);
  putAt(draft, fields, value);
}

function append(draft: JsonDraft, fields: readonly DescField[], value: JsonValue): void {
  const list = valueAt(draft, fields) as JsonValue[] | undefined;
  if (list) list.push(value);
  else putAt(draft, fields, [value]);
}

function addEntry(
  draft: JsonDraft,
  fields: readonly DescField[],
  field: DescField,
  key: string | undefined,
  name: string,
  text: string,
): void {
  if (key === undefined) throw badRequest(`query parameter "${name}" is a map: write ${name}[key]=value`);
  const map = (valueAt(draft, fields) as JsonDraft | undefined) ?? emptyDraft();
  if (key in map) throw badRequest(`query parameter "${name}" is given more than once`);
  map[key] = elementOf(field, text, name);
  putAt(draft, fields, map);
}

const isWithin = (path: readonly DescField[], outer: readonly DescField[]) =>
  outer.every((field, index) => path[index] === field);

/** What could have been meant: the fields of the message that the path still reached. */
function suggestion(input: DescMessage, path: string): string {
  const names = path.split('.').slice(0, -1);
  const prefixes = names.map((_name, index) => names.slice(0, names.length - index).join('.'));
  const reached = prefixes.find((prefix) => resolvePath(input, prefix)?.at(-1)?.fieldKind === 'message');
  const message = reached === undefined ? input : resolvePath(input, reached)?.at(-1)?.message;
  const known = message?.fields.map(({ jsonName }) => jsonName) ?? [];
  return `: ${reached ?? 'the request'} has ${known.length > 0 ? known.join(', ') : 'no fields'}`;
}
