/**
 * From text to an {@link Expression}, with the precedence of CEL; macros are expanded on the way.
 *
 * Words of syntax errors follow cel-go, whose grammar is ANTLR's, as far as people meet them.
 */
import type { Call, Element, Entry, Expression, Fold, FoldMacro } from './ast.ts';
import type { Issue } from './cel-error.ts';
import { type Token, tokenize } from './lexer.ts';
import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT } from './type.ts';
import type { CelValue } from './value.ts';

/** Deeper nesting is refused, as cel-go does at this depth. */
const MAX_DEPTH = 250;
const MAX_LENGTH = 100_000;

/** The expression, or what is wrong with it. */
export function parse(source: string): Expression | readonly Issue[] {
  if (source.length > MAX_LENGTH)
    return [{ at: 0, message: `expression code point size exceeds limit: ${MAX_LENGTH}` }];
  const { tokens, issues } = tokenize(source);
  try {
    const parser = { tokens, next: 0, depth: 0 };
    const expression = parseTernary(parser);
    const rest = peek(parser);
    if (rest.kind !== 'end') unexpected(parser, '<EOF>', peekNext(parser).kind === 'end');
    return issues.length > 0 ? issues : expression;
  } catch (error) {
    if (error instanceof SyntaxIssue) return [...issues, { at: error.at, message: error.message }];
    throw error;
  }
}

class SyntaxIssue extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

interface Parser {
  readonly tokens: readonly Token[];
  next: number;
  depth: number;
}

const END: Token = { kind: 'end', text: '<EOF>', raw: '<EOF>', at: 0 };

function peek(parser: Parser): Token {
  return parser.tokens[parser.next] ?? END;
}

function take(parser: Parser, sign: string): Token | undefined {
  const token = peek(parser);
  if (token.kind !== 'sign' || token.text !== sign) return undefined;
  parser.next++;
  return token;
}

function peekNext(parser: Parser): Token {
  return parser.tokens[parser.next + 1] ?? END;
}

/** A sign that must come. As ANTLR tells it: one token too many, one missing, or something else altogether. */
function expect(parser: Parser, sign: string, expected = `'${sign}'`): Token {
  const found = take(parser, sign);
  if (found) return found;
  const token = peek(parser);
  const isClosing = sign !== ':' && expected === `'${sign}'`;
  const follows = isClosing ? token.kind === 'end' || token.kind === 'sign' : sign === ':' && startsOperand(token);
  if (peekNext(parser).raw === sign) return unexpected(parser, expected, true);
  if (follows) return fail(token, `missing '${sign}' at '${token.raw}'`);
  return unexpected(parser, expected, false);
}

/** `extraneous`: without this token, what follows would do. */
function unexpected(parser: Parser, expected: string, extraneous: boolean): never {
  const token = peek(parser);
  return fail(token, `${extraneous ? 'extraneous' : 'mismatched'} input '${token.raw}' expecting ${expected}`);
}

function startsOperand(token: Token): boolean {
  if (token.kind === 'end') return false;
  return token.kind !== 'sign' || ['(', '[', '[?', '{', '.', '-', '!'].includes(token.text);
}

function fail(token: Token, message: string): never {
  throw new SyntaxIssue(token.at, `Syntax error: ${message}`);
}

function nested<R>(parser: Parser, parse: () => R): R {
  if (++parser.depth > MAX_DEPTH) {
    throw new SyntaxIssue(peek(parser).at, `expression recursion limit exceeded: ${MAX_DEPTH}`);
  }
  const result = parse();
  parser.depth--;
  return result;
}

function call(name: string, at: number, args: readonly Expression[]): Call {
  return { kind: 'call', at, function: name, args };
}

function parseTernary(parser: Parser): Expression {
  return nested(parser, () => {
    const condition = parseBinary(parser, 0);
    const question = take(parser, '?');
    if (!question) return condition;
    const yes = parseBinary(parser, 0);
    expect(parser, ':');
    return call('_?_:_', question.at, [condition, yes, parseTernary(parser)]);
  });
}

/** From the loosest to the tightest. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

function parseBinary(parser: Parser, level: number): Expression {
  const signs = LEVELS[level];
  if (!signs) return parseUnary(parser);
  let left = parseBinary(parser, level + 1);
  for (;;) {
    const token = peek(parser);
    if ((token.kind !== 'sign' && token.text !== 'in') || !signs.includes(token.text)) return left;
    parser.next++;
    const name = token.text === 'in' ? '@in' : `_${token.text}_`;
    left = call(name, token.at, [left, parseBinary(parser, level + 1)]);
  }
}

function parseUnary(parser: Parser): Expression {
  const token = peek(parser);
  if (take(parser, '!')) {
    return nested(parser, () => call('!_', token.at, [parseUnary(parser)]));
  }
  if (!take(parser, '-')) return parseMember(parser);
  const number = peek(parser);
  // A minus before a number belongs to it: the smallest integer has no positive counterpart.
  if (number.kind === 'int' || number.kind === 'double') {
    parser.next++;
    return parseSuffixes(parser, numberLiteral({ ...number, text: `-${number.text}`, at: token.at }));
  }
  return nested(parser, () => call('-_', token.at, [parseUnary(parser)]));
}

function parseMember(parser: Parser): Expression {
  return parseSuffixes(parser, parsePrimary(parser));
}

function parseSuffixes(parser: Parser, first: Expression): Expression {
  let operand = first;
  for (;;) {
    const token = peek(parser);
    if (take(parser, '.')) operand = parseSelection(parser, operand, token, false);
    else if (take(parser, '.?')) operand = parseSelection(parser, operand, token, true);
    else if (take(parser, '[') ?? take(parser, '[?')) {
      const index = parseTernary(parser);
      expect(parser, ']');
      operand = call(token.text === '[' ? '_[_]' : '_[?_]', token.at, [operand, index]);
    } else return operand;
  }
}

function parseSelection(parser: Parser, operand: Expression, dot: Token, optional: boolean): Expression {
  const name = takeName(parser);
  const open = optional ? undefined : take(parser, '(');
  if (!open) {
    return { kind: 'select', at: dot.at, operand, field: name.text, mode: optional ? 'optional' : 'value' };
  }
  const args = parseArguments(parser);
  const macro = expandMember(operand, name.text, open.at, args);
  if (macro) return macro;
  return { ...call(name.text, open.at, args), target: operand };
}

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const OPERANDS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function takeName(parser: Parser): Token {
  const token = peek(parser);
  if (token.kind !== 'name' || token.text === 'in') {
    fail(token, `no viable alternative at input '.${token.kind === 'end' ? '' : token.raw}'`);
  }
  parser.next++;
  return token;
}

function parseArguments(parser: Parser): Expression[] {
  const args: Expression[] = [];
  if (take(parser, ')')) return args;
  do args.push(parseTernary(parser));
  while (take(parser, ','));
  expect(parser, ')');
  return args;
}

function parsePrimary(parser: Parser): Expression {
  const token = peek(parser);
  if (take(parser, '(')) {
    const inner = parseTernary(parser);
    expect(parser, ')');
    return inner;
  }
  if (take(parser, '[') ?? take(parser, '[?')) return parseList(parser, token);
  if (take(parser, '{')) return parseMap(parser, token);
  if (take(parser, '.')) return parseName(parser, takeName(parser));
  if (token.kind === 'end' || token.kind === 'sign') {
    unexpected(parser, OPERANDS, token.kind === 'sign' && startsOperand(peekNext(parser)));
  }
  parser.next++;
  return token.kind === 'name' ? parseName(parser, token) : literal(token);
}

const WORDS: Readonly<Record<string, Expression & { kind: 'literal' }>> = {
  true: { kind: 'literal', at: 0, value: true, type: BOOL },
  false: { kind: 'literal', at: 0, value: false, type: BOOL },
  null: { kind: 'literal', at: 0, value: null, type: NULL },
};

function parseName(parser: Parser, token: Token): Expression {
  const word = Object.hasOwn(WORDS, token.text) ? WORDS[token.text] : undefined;
  if (word) return { ...word, at: token.at };
  if (RESERVED.has(token.text)) throw new SyntaxIssue(token.at, `reserved identifier: ${token.text}`);
  if (token.text === 'in') fail(token, `mismatched input 'in' expecting ${OPERANDS}`);
  const open = take(parser, '(');
  if (!open) return { kind: 'name', at: token.at, name: token.text };
  const args = parseArguments(parser);
  return token.text === 'has' && args.length === 1 ? expandHas(args, open.at) : call(token.text, open.at, args);
}

function parseList(parser: Parser, open: Token): Expression {
  const items: Element[] = [];
  let optional = open.text === '[?';
  while (!take(parser, ']')) {
    optional ||= take(parser, '?') !== undefined;
    items.push({ value: parseTernary(parser), optional });
    optional = false;
    if (!take(parser, ',')) {
      expect(parser, ']', "{']', ','}");
      break;
    }
  }
  return { kind: 'list', at: open.at, items };
}

function parseMap(parser: Parser, open: Token): Expression {
  const entries: Entry[] = [];
  while (!take(parser, '}')) {
    const optional = take(parser, '?') !== undefined;
    const key = parseTernary(parser);
    expect(parser, ':');
    entries.push({ key, value: parseTernary(parser), optional });
    if (!take(parser, ',')) {
      expect(parser, '}', "{'}', ','}");
      break;
    }
  }
  return { kind: 'map', at: open.at, entries };
}

function literal(token: Token): Expression {
  if (token.kind === 'string') return { kind: 'literal', at: token.at, value: token.text, type: STRING };
  if (token.kind === 'bytes') {
    return { kind: 'literal', at: token.at, value: token.bytes ?? new Uint8Array(), type: BYTES };
  }
  return numberLiteral(token);
}

const MAX_INT = 2n ** 63n;

function numberLiteral(token: Token): Expression {
  const { at, text } = token;
  if (token.kind === 'double') return { kind: 'literal', at, value: Number(text), type: DOUBLE };
  if (token.kind === 'uint') {
    const value: CelValue = { cel: 'uint', value: BigInt(text.slice(0, -1)) };
    if (value.value >= 2n ** 64n) throw new SyntaxIssue(at, 'invalid uint literal');
    return { kind: 'literal', at, value, type: UINT };
  }
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
  if (value >= MAX_INT || value < -MAX_INT) throw new SyntaxIssue(at, 'invalid int literal');
  return { kind: 'literal', at, value, type: INT };
}

function expandHas([arg]: readonly Expression[], at: number): Expression {
  if (arg?.kind !== 'select' || arg.mode !== 'value') {
    throw new SyntaxIssue(arg?.at ?? at, 'invalid argument to has() macro');
  }
  return { ...arg, at, mode: 'has' };
}

/** How many variables and expressions each macro takes. */
const MACROS: Readonly<Record<string, readonly { variables: number; parts: number; macro: FoldMacro }[]>> = {
  all: [
    { variables: 1, parts: 1, macro: 'all' },
    { variables: 2, parts: 1, macro: 'all' },
  ],
  exists: [
    { variables: 1, parts: 1, macro: 'exists' },
    { variables: 2, parts: 1, macro: 'exists' },
  ],
  exists_one: [{ variables: 1, parts: 1, macro: 'existsOne' }],
  existsOne: [
    { variables: 1, parts: 1, macro: 'existsOne' },
    { variables: 2, parts: 1, macro: 'existsOne' },
  ],
  map: [
    { variables: 1, parts: 1, macro: 'map' },
    { variables: 1, parts: 2, macro: 'map' },
  ],
  filter: [{ variables: 1, parts: 1, macro: 'filter' }],
  transformList: [
    { variables: 2, parts: 1, macro: 'map' },
    { variables: 2, parts: 2, macro: 'map' },
  ],
  transformMap: [
    { variables: 2, parts: 1, macro: 'transformMap' },
    { variables: 2, parts: 2, macro: 'transformMap' },
  ],
  transformMapEntry: [
    { variables: 2, parts: 1, macro: 'transformMapEntry' },
    { variables: 2, parts: 2, macro: 'transformMapEntry' },
  ],
  sortBy: [{ variables: 1, parts: 1, macro: 'sortBy' }],
  optMap: [{ variables: 1, parts: 1, macro: 'optMap' }],
  optFlatMap: [{ variables: 1, parts: 1, macro: 'optFlatMap' }],
};

function expandMember(range: Expression, name: string, at: number, args: readonly Expression[]): Fold | undefined {
  const forms = Object.hasOwn(MACROS, name) ? MACROS[name] : undefined;
  const form = forms?.find((one) => one.variables + one.parts === args.length);
  if (!form) return undefined;
  const variables = args.slice(0, form.variables).map(simpleName);
  const parts = args.slice(form.variables);
  const { macro } = form;
  const isQuestion = macro === 'all' || macro === 'exists' || macro === 'existsOne' || macro === 'filter';
  const [predicate, result] = isQuestion ? [parts[0]] : parts.length === 2 ? parts : [undefined, parts[0]];
  return {
    kind: 'fold',
    at,
    macro,
    range,
    variables,
    ...(predicate ? { predicate } : {}),
    ...(result ? { result } : {}),
  };
}

function simpleName(argument: Expression): string {
  if (argument.kind !== 'name') throw new SyntaxIssue(argument.at, 'argument must be a simple name');
  return argument.name;
}
