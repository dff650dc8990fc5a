/**
 * JSONPath in kubectl's dialect, as CRD printer columns, selectable fields and `-o jsonpath` fields use it.
 *
 *     .spec.replicas   .metadata.labels['app\.kubernetes\.io/name']   .spec.containers[*].image
 *     .status.conditions[?(@.type=="Ready")].status   .items[1:3]   .items[-1]   ..name   ['a','b']
 *
 * A path is compiled once and asked often. What is missing is no error: it yields nothing. Templates (`{range}`,
 * text between braces) belong to the command line and are refused here.
 */
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';

export interface JsonPath {
  /** Every value the path leads to, in document order. */
  find(root: unknown): readonly unknown[];
  toString(): string;
}

/** One step: from the values reached so far to the next ones. */
type Step = (values: readonly unknown[], root: unknown) => unknown[];

/** Compiles a path; a leading `{` and trailing `}`, `$` or `@` are allowed, as kubectl allows them. */
export function parseJsonPath(text: string): JsonPath {
  const inner = /^\{([^]*)\}$/.exec(text.trim())?.[1] ?? text.trim();
  const { steps, rest } = parseSteps(inner.replace(/^[$@]/, ''));
  if (rest !== '') throw unexpected(text, rest);
  return {
    find: (root) => steps.reduce<readonly unknown[]>((values, step) => step(values, root), [root]),
    toString: () => text,
  };
}

/** A found value as kubectl prints it: strings bare, everything else as JSON. */
export function printJsonValue(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '<nil>' : JSON.stringify(value);
}

const NAME = /^(?:\\[^]|[^.[\]\s(){}=!<>,*\\])+/;

/** Steps from the start of `text`; `rest` begins at the first character that continues no path. */
function parseSteps(text: string): { readonly steps: Step[]; readonly rest: string } {
  const steps: Step[] = [];
  let rest = text;
  // `metadata.name` without a leading dot means the same.
  if (NAME.test(rest)) rest = `.${rest}`;
  while (rest !== '') {
    const parsed = parseDotted(rest) ?? parseBrackets(rest);
    if (!parsed) break;
    steps.push(parsed.step);
    rest = parsed.rest;
  }
  return { steps, rest };
}

interface Parsed {
  readonly step: Step;
  readonly rest: string;
}

function parseDotted(text: string): Parsed | undefined {
  const dots = /^\.\.?/.exec(text)?.[0];
  if (dots === undefined) return undefined;
  const after = text.slice(dots.length);
  const name = NAME.exec(after)?.[0] ?? '';
  const wildcard = name === '' && after.startsWith('*');
  const here: Step = wildcard ? everyChild : name === '' ? identity : child(unescape(name));
  const step: Step = dots === '..' ? (values, root) => here(values.flatMap(descendants), root) : here;
  return { step, rest: after.slice(wildcard ? 1 : name.length) };
}

function parseBrackets(text: string): Parsed | undefined {
  if (!text.startsWith('[')) return undefined;
  const end = closingBracket(text);
  if (end < 0) throw badRequest(`unterminated array: ${text}`);
  const inner = text.slice(1, end).trim();
  return { step: bracketStep(inner), rest: text.slice(end + 1) };
}

/** The bracket that closes the first one, those inside quotes and filters left aside. */
function closingBracket(text: string): number {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\\') at++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '[') depth++;
    else if (char === ']' && --depth === 0) return at;
  }
  return -1;
}

function bracketStep(inner: string): Step {
  if (inner === '*') return everyChild;
  const filter = /^\?\(([^]*)\)$/.exec(inner)?.[1];
  if (filter !== undefined) return filterStep(filter);
  const parts = splitUnion(inner).map(unionPart);
  return (values, root) => parts.flatMap((part) => part(values, root));
}

function splitUnion(inner: string): string[] {
  return inner.match(/(?:'(?:\\[^]|[^'\\])*'|"(?:\\[^]|[^"\\])*"|[^,])+/g) ?? [];
}

function unionPart(text: string): Step {
  const part = text.trim();
  const quoted = /^(['"])([^]*)\1$/.exec(part)?.[2];
  if (quoted !== undefined) return child(unescape(quoted));
  const range = /^(-?\d+)?(?:(:)(-?\d+)?(?::(-?\d+)?)?)?$/.exec(part);
  if (!range || part === '') throw badRequest(`invalid array index ${part}`);
  const [, start, isRange, end, stride] = range;
  if (isRange === undefined) return index(Number(start));
  return slice(numberOr(start, 0), end === undefined ? undefined : Number(end), numberOr(stride, 1));
}

function numberOr(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : Number(text);
}

const identity: Step = (values) => [...values];

const everyChild: Step = (values) => values.flatMap(childrenOf);

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

/** A value and all below it. */
function descendants(value: unknown): unknown[] {
  return [value, ...childrenOf(value).flatMap(descendants)];
}

function child(name: string): Step {
  return (values) => values.flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []));
}

function index(at: number): Step {
  return (values) =>
    values.flatMap((value) => {
      const found: unknown = Array.isArray(value) ? value.at(at) : undefined;
      return found === undefined ? [] : [found];
    });
}

function slice(start: number, end: number | undefined, stride: number): Step {
  if (stride <= 0) throw badRequest('step must be > 0');
  return (values) =>
    values.flatMap((value) =>
      Array.isArray(value) ? value.slice(start, end).filter((_, at) => at % stride === 0) : [],
    );
}

type Operand = (item: unknown, root: unknown) => readonly unknown[];
type Comparison = (left: unknown, right: unknown) => boolean;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => order(left, right) < 0,
  '<=': (left, right) => order(left, right) <= 0,
  '>': (left, right) => order(left, right) > 0,
  '>=': (left, right) => order(left, right) >= 0,
};

/** NaN, which no comparison accepts, for what has no order. */
function order(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Keeps the elements for which `left operator right` holds, or, without operator, in which `left` exists. */
function filterStep(text: string): Step {
  const parts = /^((?:'[^']*'|"[^"]*"|[^'"=!<>])+?)\s*(?:(==|!=|<=|>=|<|>)\s*([^]+))?$/.exec(text.trim());
  if (!parts) throw badRequest(`invalid filter: ${text}`);
  const [, leftText = '', operator, rightText] = parts;
  const left = operand(leftText.trim());
  const right = rightText === undefined ? undefined : operand(rightText.trim());
  const compare = COMPARISONS[operator ?? ''];
  const keeps = (item: unknown, root: unknown) => {
    const [found] = left(item, root);
    if (!right || !compare) return left(item, root).length > 0;
    const [other] = right(item, root);
    return found !== undefined && other !== undefined && compare(found, other);
  };
  return (values, root) =>
    values.flatMap((value) => (Array.isArray(value) ? value.filter((item) => keeps(item, root)) : []));
}

function operand(text: string): Operand {
  const quoted = /^(['"])([^]*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return () => [unescape(quoted)];
  if (/^-?\d+(\.\d+)?$/.test(text)) return () => [Number(text)];
  if (text === 'true' || text === 'false') return () => [text === 'true'];
  const path = parseJsonPath(text);
  return text.startsWith('$') ? (_item, root) => path.find(root) : (item) => path.find(item);
}

function unescape(text: string): string {
  return text.replace(/\\([^])/g, '$1');
}

function unexpected(text: string, rest: string) {
  return badRequest(`unrecognized character in action: ${goChar(rest)} in ${text}`);
}

function goChar(rest: string): string {
  const point = rest.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')} '${String.fromCodePoint(point)}'`;
}
