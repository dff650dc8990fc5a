/**
 * SQL that cannot be injected into: texts come from the source code, values only ever as parameters.
 *
 *     sql`SELECT name FROM objects WHERE cluster = ${cluster} AND ${condition}`
 *
 * A value in a template becomes a parameter, a fragment becomes part of the text; there is no third way.
 */
export interface Sql {
  /** With a `?` for each parameter. */
  readonly text: string;
  readonly params: readonly Param[];
}

export type Param = string | number | null;

export function sql(strings: TemplateStringsArray, ...values: readonly (Sql | Param)[]): Sql {
  let text = strings[0] ?? '';
  const params: Param[] = [];
  for (const [index, value] of values.entries()) {
    if (value !== null && typeof value === 'object') {
      text += value.text;
      params.push(...value.params);
    } else {
      text += '?';
      params.push(value);
    }
    text += strings[index + 1] ?? '';
  }
  return { text, params };
}

export const nothing: Sql = { text: '', params: [] };

/** Fragments one after the other, with `between` in between. */
export function joined(parts: readonly Sql[], between: Sql): Sql {
  return {
    text: parts.map(({ text }) => text).join(between.text),
    params: parts.flatMap(({ params }, index) => (index === 0 ? params : [...between.params, ...params])),
  };
}

const AND = sql` AND `;
const OR = sql` OR `;
const COMMA = sql`, `;

/** All conditions at once; true when there are none. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 1` : joined(conditions.map(parenthesised), AND);
}

/** Any of the conditions; false when there are none. */
export function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${joined(conditions.map(parenthesised), OR)})`;
}

export function list(parts: readonly Sql[]): Sql {
  return joined(parts, COMMA);
}

function parenthesised(condition: Sql): Sql {
  return sql`(${condition})`;
}

/** The text with numbered parameters, as PostgreSQL wants it. */
export function numbered({ text }: Sql): string {
  let n = 0;
  return text.replaceAll('?', () => `$${++n}`);
}
