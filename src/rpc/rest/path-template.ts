/**
 * Path templates of `google.api.http`: `/v1/{name=shelves/*}/books/{book}:publish`.
 *
 * A template is a list of segments, each a text, `*` (any one segment) or `**` (all that follow), with variables that
 * take the text of some of them, and perhaps a verb after a colon. Start at {@link parseTemplate}; routes are found by
 * `route-table.ts`.
 */

export type Segment = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'one' | 'rest' };

export interface Variable {
  /** The field it sets: `name`, or `book.name`. */
  readonly field: string;
  /** The segments it takes, from the first up to, not with, the last. */
  readonly from: number;
  readonly to: number;
}

export interface PathTemplate {
  readonly segments: readonly Segment[];
  readonly variables: readonly Variable[];
  readonly verb: string | undefined;
}

/** Reads a template; throws what is wrong with it, which is a mistake in a proto file. */
export function parseTemplate(text: string): PathTemplate {
  const fail = (why: string): never => {
    throw new Error(`path template ${text}: ${why}`);
  };
  if (!text.startsWith('/')) fail('must begin with /');
  const [, path = '', verb] = text.match(/^\/(.*?)(?::([^/:{}*]+))?$/) ?? fail('is not a path');
  const segments: Segment[] = [];
  const variables: Variable[] = [];
  const parts = path.match(/(\{[^}]*\}|[^/{}]+)+/g) ?? [];
  if (path === '' || parts.join('/') !== path) fail('has an empty segment or a lone brace');
  for (const part of parts) {
    const [, field, inner = '*'] = part.match(/^\{([A-Za-z_][\w.]*)(?:=([^{}]+))?\}$/) ?? [];
    const from = segments.length;
    segments.push(...(field === undefined ? [part] : inner.split('/')).map((one) => parseSegment(one, fail)));
    if (field !== undefined) variables.push({ field, from, to: segments.length });
  }
  if (segments.slice(0, -1).some(({ kind }) => kind === 'rest')) fail('** may only stand at the end');
  const fields = variables.map(({ field }) => field);
  if (new Set(fields).size !== fields.length) fail('names a field twice');
  return { segments, variables, verb };
}

function parseSegment(text: string, fail: (why: string) => never): Segment {
  if (text === '*') return { kind: 'one' };
  if (text === '**') return { kind: 'rest' };
  if (!/^[^{}*]+$/.test(text)) fail(`"${text}" is not a segment`);
  return { kind: 'text', text };
}

/** What each variable of a template takes of the decoded segments of a path. */
export function capture(
  { variables, segments }: PathTemplate,
  path: readonly string[],
): { readonly field: string; readonly text: string }[] {
  return variables.map(({ field, from, to }) => {
    const end = segments[to - 1]?.kind === 'rest' ? path.length : to;
    return { field, text: path.slice(from, end).join('/') };
  });
}
