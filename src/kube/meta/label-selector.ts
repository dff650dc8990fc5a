/**
 * Label selectors: the query language of `labelSelector=` and the `LabelSelector` objects of specs.
 *
 * {@link parseLabelSelector} refuses with the `BadRequest` a Kubernetes API server answers; {@link selectorOf} reads
 * the object form. Both give a {@link LabelSelector} that matches, and that prints as Kubernetes prints it.
 */
import { badRequest, type StatusError } from '#base/status-error.ts';
import { type FieldError, goJson, invalid } from '#kube/meta/field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from '#kube/meta/names.ts';

export type Labels = Readonly<Record<string, string>>;

export interface LabelSelector {
  readonly requirements: readonly Requirement[];
  /** Matches every set of labels. */
  readonly empty: boolean;
  matches(labels: Labels | undefined): boolean;
  toString(): string;
}

export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  /** Sorted, without duplicates. */
  readonly values: readonly string[];
}

export type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

/** The `LabelSelector` of a spec. */
export interface LabelSelectorSpec {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly LabelExpression[];
}

export interface LabelExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

const NO_LABELS: Labels = {};

export const everything: LabelSelector = selector([]);

/** Matches no object, as an absent `LabelSelector` does. */
export const nothing: LabelSelector = { requirements: [], empty: false, matches: () => false, toString: () => '' };

export function parseLabelSelector(text: string): LabelSelector {
  return text === '' ? everything : selector(parse(tokensOf(text)));
}

/** The selector of a spec; an absent one matches nothing, an empty one everything. */
export function selectorOf(spec: LabelSelectorSpec | undefined): LabelSelector {
  if (!spec) return nothing;
  const exact = Object.entries(spec.matchLabels ?? {}).map(([key, value]) => requirement(key, '=', [value]));
  const expressions = (spec.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    const known = EXPRESSION_OPERATORS[operator];
    if (!known) throw badRequest(`${goJson(operator)} is not a valid label selector operator`);
    return requirement(key, known, values);
  });
  return selector([...exact, ...expressions]);
}

/** A `LabelSelector` object as Kubernetes prints it in a table: `<none>` when it says nothing. */
export function formatLabelSelector(spec: LabelSelectorSpec | undefined): string {
  try {
    return selectorOf(spec).toString() || '<none>';
  } catch {
    return '<error>';
  }
}

/** Labels (or a plain map selector) as Kubernetes prints them: `a=b,c=d` in the order of their keys. */
export function formatLabels(labels: Labels | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

const EXPRESSION_OPERATORS: Readonly<Record<string, Operator | undefined>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

function selector(requirements: readonly Requirement[]): LabelSelector {
  const sorted = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    requirements: sorted,
    empty: sorted.length === 0,
    matches: (labels = NO_LABELS) => sorted.every((one) => holds(one, labels)),
    toString: () => sorted.map(formatRequirement).join(','),
  };
}

function holds({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    default:
      return value !== undefined && INTEGER.test(value) && isBeyond(value, operator, values[0] ?? '');
  }
}

const INTEGER = /^[+-]?\d+$/;

function isBeyond(value: string, operator: '>' | '<', bound: string): boolean {
  return operator === '>' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}

function formatRequirement({ key, operator, values }: Requirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.join(',')})`;
  return `${key}${operator}${values.join(',')}`;
}

function requirement(key: string, operator: Operator, values: readonly string[]): Requirement {
  return { key, operator, values: [...new Set(values)].sort() };
}

interface Token {
  readonly type: 'identifier' | 'symbol' | 'end';
  readonly text: string;
}

const TOKEN = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+))?/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const [, symbol, identifier] = TOKEN.exec(text) ?? [];
    if (symbol === undefined && identifier === undefined) return [...tokens, { type: 'end', text: '' }];
    tokens.push(
      identifier === undefined ? { type: 'symbol', text: symbol ?? '' } : { type: 'identifier', text: identifier },
    );
  }
}

const END: Token = { type: 'end', text: '' };

/** Reads requirements from left to right; `take` and `peek` move over the tokens. */
function parse(tokens: readonly Token[]): Requirement[] {
  let at = 0;
  const peek = (): Token => tokens[at] ?? END;
  const take = (): Token => tokens[at++] ?? END;
  const isNext = (symbol: string) => peek().type === 'symbol' && peek().text === symbol;
  const startsRequirement = () => peek().type === 'identifier' || isNext('!');

  function one(): Requirement {
    const absent = isNext('!') && take() !== undefined;
    const key = take();
    if (key.type !== 'identifier') throw expected(key, 'identifier');
    rejectAll(invalidKey(key.text));
    if (absent) return requirement(key.text, '!', []);
    if (peek().type === 'end' || isNext(',')) return requirement(key.text, 'exists', []);
    const operator = operatorOf(take());
    const values = operator === 'in' || operator === 'notin' ? valueSet() : [exactValue()];
    const sorted = requirement(key.text, operator, values);
    rejectAll(invalidValues(sorted));
    return sorted;
  }

  function exactValue(): string {
    if (peek().type === 'end' || isNext(',')) return '';
    const value = take();
    if (value.type !== 'identifier') throw expected(value, 'identifier');
    return value.text;
  }

  function valueSet(): string[] {
    const open = take();
    if (open.type !== 'symbol' || open.text !== '(') throw problem(`found '${open.text}' expected: '('`);
    if (isNext(')')) return take() && [''];
    if (peek().type !== 'identifier' && !isNext(',')) throw expected(peek(), "',', ')' or identifier");
    return valuesUntilClose();
  }

  function valuesUntilClose(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = take();
      if (token.type === 'identifier') {
        values.push(token.text);
        if (isNext(')')) return take() && values;
        if (!isNext(',')) throw expected(peek(), "',' or ')'");
      } else if (token.type === 'symbol' && token.text === ',') {
        // An empty place between commas, or next to a parenthesis, is the empty value.
        if (values.length === 0 || isNext(',') || isNext(')')) values.push('');
        if (isNext(')')) return take() && values;
      } else throw expected(token, "',', or identifier");
    }
  }

  const found: Requirement[] = [];
  while (peek().type !== 'end') {
    if (!startsRequirement()) throw outer(peek(), "!, identifier, or 'end of string'");
    found.push(one());
    const next = take();
    if (next.type === 'end') break;
    if (next.text !== ',' || next.type !== 'symbol') throw outer(next, "',' or 'end of string'");
    if (!startsRequirement()) throw outer(peek(), "identifier after ','");
  }
  return found;
}

function operatorOf({ type, text }: Token): Operator {
  if (type === 'identifier' && (text === 'in' || text === 'notin')) return text;
  if (text === '=' || text === '==' || text === '!=' || text === '>' || text === '<') return text;
  throw expected({ type, text }, 'in, notin, =, ==, !=, gt, lt');
}

function invalidKey(key: string): FieldError[] {
  const problems = qualifiedNameProblems(key);
  return problems.length === 0 ? [] : [invalid('<nil>', key, problems.join('; '))];
}

function invalidValues({ key, operator, values }: Requirement): FieldError[] {
  const integers = operator === '>' || operator === '<';
  return values.flatMap((value, index) => {
    const problems = labelValueProblems(value);
    return [
      ...(integers && !INTEGER.test(value)
        ? [invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
        : []),
      ...(problems.length > 0 ? [invalid(`values[${index}][${key}]`, value, problems.join('; '))] : []),
    ];
  });
}

function rejectAll(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const all = errors.map(({ field, message }) => `${field}: ${message}`);
  throw problem(all.length === 1 ? (all[0] ?? '') : `[${all.join(', ')}]`);
}

function expected(found: Token, what: string): StatusError {
  return problem(`found '${found.text}', expected: ${what}`);
}

function problem(message: string): StatusError {
  return badRequest(`unable to parse requirement: ${message}`);
}

function outer(found: Token, what: string): StatusError {
  return badRequest(`found '${found.text}', expected: ${what}`);
}
