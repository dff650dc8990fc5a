/** Expressions, by climbing precedence. The bodies of functions are `parse.ts`'s, which comes in as `functionBody`. */
import type { BinaryOperator, Expression, FunctionBody, UnaryOperator } from './ast.ts';
import { LuaSyntaxError } from './lua-error.ts';
import { parseNumber } from './number.ts';
import { resolve, type Scope } from './scope.ts';
import type { TokenStream } from './token-stream.ts';

export interface Parser {
  readonly tokens: TokenStream;
  scope: Scope;
  depth: number;
  /** What follows the word `function` and a name: parameters, block, `end`. */
  functionBody(self: boolean): FunctionBody;
}

/** Deep enough for people; shallow enough for the stack. */
const MAX_DEPTH = 200;

export function nested<T>(parser: Parser, parse: () => T): T {
  if (++parser.depth > MAX_DEPTH) {
    throw new LuaSyntaxError('the script is nested too deeply', parser.tokens.token.line);
  }
  const parsed = parse();
  parser.depth--;
  return parsed;
}

/** How tightly an operator binds to its left and to its right; those that bind more to the right go first there. */
const PRECEDENCE: Readonly<Record<string, readonly [left: number, right: number]>> = {
  or: [1, 1],
  and: [2, 2],
  '<': [3, 3],
  '>': [3, 3],
  '<=': [3, 3],
  '>=': [3, 3],
  '~=': [3, 3],
  '==': [3, 3],
  '..': [5, 4],
  '+': [6, 6],
  '-': [6, 6],
  '*': [7, 7],
  '/': [7, 7],
  '%': [7, 7],
  '^': [10, 9],
};
const UNARY_PRECEDENCE = 8;

export function parseExpression(parser: Parser, above = 0): Expression {
  return nested(parser, () => {
    const { tokens } = parser;
    let left = parseUnary(parser);
    for (;;) {
      const operator = tokens.token;
      const binding = PRECEDENCE[operator.type];
      if (!binding || binding[0] <= above) return left;
      tokens.advance();
      left = binary(operator.type, left, parseExpression(parser, binding[1]), operator.line);
    }
  });
}

export function parseExpressions(parser: Parser): Expression[] {
  const expressions = [parseExpression(parser)];
  while (parser.tokens.accept(',')) expressions.push(parseExpression(parser));
  return expressions;
}

function binary(operator: string, left: Expression, right: Expression, line: number): Expression {
  if (operator === 'and' || operator === 'or') return { type: operator, left, right };
  return { type: 'binary', operator: operator as BinaryOperator, left, right, line };
}

function parseUnary(parser: Parser): Expression {
  const { type, line } = parser.tokens.token;
  if (type !== 'not' && type !== '-' && type !== '#') return parseSimple(parser);
  parser.tokens.advance();
  const operand = parseExpression(parser, UNARY_PRECEDENCE);
  if (type === '-' && operand.type === 'constant' && typeof operand.value === 'number') {
    return { type: 'constant', value: -operand.value };
  }
  return { type: 'unary', operator: type satisfies UnaryOperator, operand, line };
}

const CONSTANTS = new Map<string, undefined | boolean>([
  ['nil', undefined],
  ['true', true],
  ['false', false],
]);

function parseSimple(parser: Parser): Expression {
  const { tokens } = parser;
  const { type, text, line } = tokens.token;
  if (type === 'number' || type === 'string') {
    tokens.advance();
    return { type: 'constant', value: type === 'number' ? parseNumber(text) : text };
  }
  if (CONSTANTS.has(type)) {
    tokens.advance();
    return { type: 'constant', value: CONSTANTS.get(type) };
  }
  if (type === '{') return parseTable(parser);
  if (tokens.accept('function')) return { type: 'function', body: parser.functionBody(false) };
  if (type !== '...') return parseSuffixed(parser);
  tokens.advance();
  if (parser.scope.variadic) return { type: 'varargs' };
  throw new LuaSyntaxError("cannot use '...' outside a vararg function", line);
}

/** A name or something in parentheses, with all the fields, indexes and calls that follow it. */
export function parseSuffixed(parser: Parser): Expression {
  let expression = parsePrimary(parser);
  for (;;) {
    const longer = parseSuffix(parser, expression);
    if (!longer) return expression;
    expression = longer;
  }
}

function parsePrimary(parser: Parser): Expression {
  const { tokens, scope } = parser;
  const { token } = tokens;
  if (token.type === 'name') return resolve(tokens.advance().text, scope);
  if (token.type !== '(') throw tokens.unexpected();
  tokens.advance();
  const expression = parseExpression(parser);
  tokens.expect(')', token);
  return { type: 'single', expression };
}

function parseSuffix(parser: Parser, object: Expression): Expression | undefined {
  const { tokens } = parser;
  const { token } = tokens;
  switch (token.type) {
    case '.': {
      tokens.advance();
      const key: Expression = { type: 'constant', value: tokens.expect('name').text };
      return { type: 'index', object, key, line: token.line };
    }
    case '[': {
      tokens.advance();
      const key = parseExpression(parser);
      tokens.expect(']', token);
      return { type: 'index', object, key, line: token.line };
    }
    case ':': {
      tokens.advance();
      const name = tokens.expect('name').text;
      return { type: 'method', object, name, args: parseArguments(parser), line: token.line };
    }
    case '(':
    case '{':
    case 'string':
      return { type: 'call', callee: object, args: parseArguments(parser), line: token.line };
    default:
      return undefined;
  }
}

function parseArguments(parser: Parser): readonly Expression[] {
  const { tokens } = parser;
  const { token } = tokens;
  if (token.type === 'string') return [{ type: 'constant', value: tokens.advance().text }];
  if (token.type === '{') return [parseTable(parser)];
  tokens.expect('(');
  if (tokens.accept(')')) return [];
  const args = parseExpressions(parser);
  tokens.expect(')', token);
  return args;
}

function parseTable(parser: Parser): Expression {
  const { tokens } = parser;
  const opening = tokens.expect('{');
  const items: Expression[] = [];
  const fields: { key: Expression; value: Expression }[] = [];
  while (tokens.token.type !== '}') {
    const key = parseKey(parser, items);
    if (key) fields.push({ key, value: parseExpression(parser) });
    if (!tokens.accept(',') && !tokens.accept(';')) break;
  }
  tokens.expect('}', opening);
  return { type: 'table', items, fields, line: opening.line };
}

/** The key of `[key] = value` or `name = value`; what is an item of the list is added to the items. */
function parseKey(parser: Parser, items: Expression[]): Expression | undefined {
  const { tokens } = parser;
  const opening = tokens.token;
  if (tokens.accept('[')) {
    const key = parseExpression(parser);
    tokens.expect(']', opening);
    tokens.expect('=');
    return key;
  }
  const item = parseExpression(parser);
  if (tokens.token.type === '=' && opening.type === 'name' && isName(item)) {
    tokens.advance();
    return { type: 'constant', value: opening.text };
  }
  items.push(item);
  return undefined;
}

function isName({ type }: Expression): boolean {
  return type === 'local' || type === 'upvalue' || type === 'global';
}
