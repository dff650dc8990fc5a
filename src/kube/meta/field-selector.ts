/**
 * Field selectors: `status.phase=Running,spec.nodeName!=a`.
 *
 * Parsing knows only the syntax. Which fields may be asked for is the kind's business: {@link matchFields} takes the
 * fields a kind offers and refuses others with the answer of a Kubernetes API server.
 */
import { badRequest } from '#base/status-error.ts';
import { goJson } from '#kube/meta/field-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export interface FieldSelector {
  readonly terms: readonly FieldTerm[];
  toString(): string;
}

export interface FieldTerm {
  readonly field: string;
  readonly negated: boolean;
  readonly value: string;
}

/** What a kind lets its objects be selected by, besides their name and namespace. */
export type SelectableFields = Readonly<Record<string, (object: KubeObject) => string>>;

export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text)
    .filter((term) => term !== '')
    .sort()
    .map((term) => parseTerm(term, text));
  return { terms, toString: () => terms.map(formatTerm).join(',') };
}

/** A test for objects, made of a selector and the fields their kind offers. `custom`: word refusals as for a CRD. */
export function matchFields(
  { terms }: FieldSelector,
  offered: SelectableFields,
  custom = false,
): (object: KubeObject) => boolean {
  const tests = terms.map(({ field, negated, value }) => {
    const read = METADATA_FIELDS[field] ?? (Object.hasOwn(offered, field) ? offered[field] : undefined);
    if (!read) throw unknownField(field, offered, custom);
    return (object: KubeObject) => (read(object) === value) !== negated;
  });
  return (object) => tests.every((test) => test(object));
}

const METADATA_FIELDS: SelectableFields & Record<string, ((object: KubeObject) => string) | undefined> = {
  'metadata.name': (object) => object.metadata.name,
  'metadata.namespace': (object) => object.metadata.namespace ?? '',
};

function unknownField(field: string, offered: SelectableFields, custom: boolean) {
  return custom || Object.keys(offered).length > 0
    ? badRequest(`field label not supported: ${field}`)
    : badRequest(`${goJson(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

/** Splits at commas that no backslash guards. */
function splitTerms(text: string): string[] {
  return text.match(/(?:\\[^]|[^,\\]|\\$)+/g) ?? [];
}

function parseTerm(term: string, whole: string): FieldTerm {
  const match = /^([^]*?)(!=|==|=)([^]*)$/.exec(term);
  if (!match) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = match;
  return { field, negated: operator === '!=', value: unescape(value) };
}

function unescape(value: string): string {
  return value.replace(/\\([^]?)|[,=]/g, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw badRequest(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    }
    if (escaped !== '' && '\\,='.includes(escaped)) return escaped;
    throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
  });
}

function formatTerm({ field, negated, value }: FieldTerm): string {
  return `${field}${negated ? '!=' : '='}${value.replace(/[\\,=]/g, '\\$&')}`;
}
