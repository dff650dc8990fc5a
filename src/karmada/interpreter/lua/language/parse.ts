/** A script as a tree. Start at {@link parse}; what is no Lua 5.1 (with `goto`) throws a {@link LuaSyntaxError}. */
import type { Block, FunctionBody, Statement, Variable } from './ast.ts';
import { LuaSyntaxError } from './lua-error.ts';
import { nested, type Parser, parseExpression, parseExpressions, parseSuffixed } from './parse-expression.ts';
import { closeBlock, declare, declareLabel, jumpTo, openBlock, resolve, type Scope, scope } from './scope.ts';
import { type TokenStream, tokenStream } from './token-stream.ts';

/** The whole script is the body of a function that takes any arguments. */
export function parse(script: string): FunctionBody {
  const tokens: TokenStream = tokenStream(script);
  const top = scope(undefined, true);
  const parser: Parser = { tokens, scope: top, depth: 0, functionBody: (self) => parseFunction(parser, self) };
  const block = parseBlock(parser);
  if (tokens.token.type !== 'end of script') throw tokens.unexpected();
  return { parameters: [], variadic: true, upvalues: top.upvalues, block };
}

function parseFunction(parser: Parser, self: boolean): FunctionBody {
  const { tokens } = parser;
  const opening = tokens.expect('(');
  const names = self ? ['self'] : [];
  let variadic = false;
  while (tokens.token.type !== ')' && !variadic) {
    variadic = tokens.accept('...');
    if (!variadic) names.push(tokens.expect('name').text);
    if (!tokens.accept(',')) break;
  }
  tokens.expect(')', opening);
  const outer = parser.scope;
  const inner: Scope = scope(outer, variadic);
  parser.scope = inner;
  const parameters = names.map((name) => declare(inner, name));
  const block = parseBlock(parser);
  tokens.expect('end', { ...opening, text: 'function' });
  parser.scope = outer;
  return { parameters, variadic, upvalues: inner.upvalues, block };
}

const BLOCK_ENDS = new Set(['end', 'else', 'elseif', 'until', 'end of script']);

/** `inside` is parsed before the block's variables are forgotten: conditions of `repeat` see them. */
function parseBlock(
  parser: Parser,
  variables: () => void = () => undefined,
  inside: () => void = () => undefined,
): Block {
  openBlock(parser.scope);
  variables();
  const statements: Statement[] = [];
  while (!BLOCK_ENDS.has(parser.tokens.token.type)) {
    const last = parser.tokens.token.type === 'return';
    const statement = nested(parser, () => parseStatement(parser));
    if (statement) statements.push(statement);
    parser.tokens.accept(';');
    if (last) break;
  }
  inside();
  closeBlock(parser.scope);
  return statements;
}

function parseStatement(parser: Parser): Statement | undefined {
  switch (parser.tokens.token.type) {
    case ';':
      return undefined;
    case 'if':
      return parseIf(parser);
    case 'while':
      return parseWhile(parser);
    case 'do':
      return parseDo(parser);
    case 'for':
      return parseFor(parser);
    case 'repeat':
      return parseRepeat(parser);
    case 'function':
      return parseFunctionStatement(parser);
    case 'local':
      return parseLocal(parser);
    case 'return':
      return parseReturn(parser);
    case 'break':
      return parseBreak(parser);
    case 'goto':
    case '::':
      return parseJump(parser);
    default:
      return parseExpressionStatement(parser);
  }
}

function parseIf(parser: Parser): Statement {
  const { tokens } = parser;
  const opening = tokens.token;
  const branches = [];
  while (branches.length === 0 ? tokens.accept('if') : tokens.accept('elseif')) {
    const condition = parseExpression(parser);
    tokens.expect('then');
    branches.push({ condition, block: parseBlock(parser) });
  }
  const otherwise = tokens.accept('else') ? parseBlock(parser) : [];
  tokens.expect('end', opening);
  return { type: 'if', branches, otherwise };
}

function parseWhile(parser: Parser): Statement {
  const opening = parser.tokens.advance();
  const condition = parseExpression(parser);
  return { type: 'while', condition, block: parseLoopBody(parser), line: opening.line };
}

function parseDo(parser: Parser): Statement {
  const opening = parser.tokens.advance();
  const block = parseBlock(parser);
  parser.tokens.expect('end', opening);
  return { type: 'do', block };
}

function parseLoopBody(parser: Parser, variables?: () => void): Block {
  const opening = parser.tokens.expect('do');
  parser.scope.loops++;
  const block = parseBlock(parser, variables);
  parser.scope.loops--;
  parser.tokens.expect('end', opening);
  return block;
}

function parseRepeat(parser: Parser): Statement {
  const opening = parser.tokens.advance();
  let condition = { type: 'constant', value: true } as ReturnType<typeof parseExpression>;
  parser.scope.loops++;
  const block = parseBlock(parser, undefined, () => {
    parser.tokens.expect('until', opening);
    condition = parseExpression(parser);
  });
  parser.scope.loops--;
  return { type: 'repeat', block, condition, line: opening.line };
}

function parseFor(parser: Parser): Statement {
  const { tokens } = parser;
  const { line } = tokens.advance();
  const first = tokens.expect('name').text;
  return tokens.token.type === '=' ? parseNumericFor(parser, first, line) : parseGenericFor(parser, first, line);
}

function parseNumericFor(parser: Parser, name: string, line: number): Statement {
  const { tokens } = parser;
  tokens.expect('=');
  const from = parseExpression(parser);
  tokens.expect(',');
  const to = parseExpression(parser);
  const by = tokens.accept(',') ? parseExpression(parser) : undefined;
  const variables: Variable[] = [];
  const block = parseLoopBody(parser, () => variables.push(declare(parser.scope, name)));
  const [variable] = variables as [Variable];
  return { type: 'numeric for', variable, from, to, by, block, line };
}

function parseGenericFor(parser: Parser, first: string, line: number): Statement {
  const { tokens } = parser;
  const names = [first];
  while (tokens.accept(',')) names.push(tokens.expect('name').text);
  tokens.expect('in');
  const values = parseExpressions(parser);
  const variables: Variable[] = [];
  const block = parseLoopBody(parser, () => {
    for (const name of names) variables.push(declare(parser.scope, name));
  });
  return { type: 'generic for', variables, values, block, line };
}

/** `function a.b.c:d() … end` is an assignment. */
function parseFunctionStatement(parser: Parser): Statement {
  const { tokens } = parser;
  tokens.advance();
  let target: Extract<Statement, { type: 'assign' }>['targets'][number] = resolve(
    tokens.expect('name').text,
    parser.scope,
  );
  let method = false;
  while (!method && (tokens.token.type === '.' || tokens.token.type === ':')) {
    const { type, line } = tokens.advance();
    method = type === ':';
    target = { type: 'index', object: target, key: { type: 'constant', value: tokens.expect('name').text }, line };
  }
  return { type: 'assign', targets: [target], values: [{ type: 'function', body: parser.functionBody(method) }] };
}

function parseLocal(parser: Parser): Statement {
  const { tokens } = parser;
  tokens.advance();
  if (tokens.accept('function')) {
    // Declared before its body: a local function may call itself.
    const variable = declare(parser.scope, tokens.expect('name').text);
    return { type: 'local function', variable, body: parser.functionBody(false) };
  }
  const names = [tokens.expect('name').text];
  while (tokens.accept(',')) names.push(tokens.expect('name').text);
  const values = tokens.accept('=') ? parseExpressions(parser) : [];
  return { type: 'local', variables: names.map((name) => declare(parser.scope, name)), values };
}

function parseReturn(parser: Parser): Statement {
  const { tokens } = parser;
  tokens.advance();
  const none = BLOCK_ENDS.has(tokens.token.type) || tokens.token.type === ';';
  return { type: 'return', values: none ? [] : parseExpressions(parser) };
}

function parseBreak(parser: Parser): Statement {
  const { line } = parser.tokens.advance();
  if (parser.scope.loops === 0) throw new LuaSyntaxError('no loop to break', line);
  return { type: 'break' };
}

function parseJump(parser: Parser): Statement {
  const { tokens } = parser;
  const { type, line } = tokens.advance();
  const label = tokens.expect('name').text;
  if (type === 'goto') {
    jumpTo(parser.scope, label, line);
    return { type: 'goto', label, line };
  }
  tokens.expect('::');
  declareLabel(parser.scope, label, line);
  return { type: 'label', label, line };
}

function parseExpressionStatement(parser: Parser): Statement {
  const { tokens } = parser;
  const first = parseSuffixed(parser);
  if (tokens.token.type !== '=' && tokens.token.type !== ',') {
    if (first.type === 'call' || first.type === 'method') return { type: 'call', call: first };
    throw tokens.unexpected();
  }
  const targets = [assignable(parser, first)];
  while (tokens.accept(',')) targets.push(assignable(parser, parseSuffixed(parser)));
  tokens.expect('=');
  return { type: 'assign', targets, values: parseExpressions(parser) };
}

function assignable(parser: Parser, expression: ReturnType<typeof parseSuffixed>) {
  switch (expression.type) {
    case 'local':
    case 'upvalue':
    case 'global':
    case 'index':
      return expression;
    default:
      throw parser.tokens.unexpected();
  }
}
