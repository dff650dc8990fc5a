/**
 * Expressions as functions of a frame.
 *
 * Compiling to closures keeps the script's structure visible to the machine's own compiler, which makes it several times
 * faster than walking the tree, and leaves nothing that a script could break out of.
 */
import type { Call, Expression, FunctionBody, Index, MethodCall, TableConstructor, Upvalue } from './ast.ts';
import type { Box, Evaluate, EvaluateAll, Frame } from './frame.ts';
import { LuaTable } from './lua-table.ts';
import { described, lengthOf, negate, OPERATORS } from './operators.ts';
import type { Run } from './run.ts';
import { isTruthy, type LuaFunction, type LuaValue } from './value.ts';

/** Bodies hold statements, which are compiled elsewhere. */
export type CompileFunction = (body: FunctionBody) => (run: Run, upvalues: readonly Box[]) => LuaFunction;

export interface ExpressionCompiler {
  readonly one: (expression: Expression) => Evaluate;
  /** All values: of the last expression all it gives, of those before it one each. */
  readonly all: (expressions: readonly Expression[]) => EvaluateAll;
  readonly closure: (body: FunctionBody) => Evaluate;
}

const TABLE_BYTES = 128;
const FUNCTION_BYTES = 128;

export function expressionCompiler(compileFunction: CompileFunction): ExpressionCompiler {
  function one(expression: Expression): Evaluate {
    switch (expression.type) {
      case 'constant': {
        const { value } = expression;
        return () => value;
      }
      case 'varargs':
        return (frame) => frame.varargs[0];
      case 'function':
        return closure(expression.body);
      case 'local':
      case 'upvalue':
      case 'global':
        return compileName(expression);
      case 'single':
        return one(expression.expression);
      case 'index':
        return compileIndex(expression);
      case 'call':
      case 'method': {
        const call = compileCall(expression);
        return (frame) => call(frame)[0];
      }
      case 'and':
      case 'or':
        return compileLogic(expression.type, one(expression.left), one(expression.right));
      case 'binary':
        return OPERATORS[expression.operator](one(expression.left), one(expression.right), expression);
      case 'unary':
        return compileUnary(expression);
      case 'table':
        return compileTable(expression);
    }
  }

  function all(expressions: readonly Expression[]): EvaluateAll {
    const last = expressions.at(-1);
    const rest = last && open(last);
    const singles = (rest ? expressions.slice(0, -1) : expressions).map(one);
    if (rest && singles.length === 0) return rest;
    return (frame) => {
      const values: LuaValue[] = [];
      for (const single of singles) values.push(single(frame));
      if (rest) for (const value of rest(frame)) values.push(value);
      return values;
    };
  }

  /** Of an expression that may give any number of values, all of them. */
  function open(expression: Expression): EvaluateAll | undefined {
    if (expression.type === 'varargs') return (frame) => frame.varargs;
    return expression.type === 'call' || expression.type === 'method' ? compileCall(expression) : undefined;
  }

  function compileIndex({ object, key, line }: Index): Evaluate {
    const target = one(object);
    if (key.type === 'constant' && typeof key.value === 'string') {
      const name = key.value;
      return (frame) => {
        const table = target(frame);
        return table instanceof LuaTable ? table.field(name) : indexOther(frame.run, table, name, object, line);
      };
    }
    const index = one(key);
    return (frame) => {
      const table = target(frame);
      const at = index(frame);
      return table instanceof LuaTable ? table.get(at) : indexOther(frame.run, table, at, object, line);
    };
  }

  function compileCall(call: Call | MethodCall): EvaluateAll {
    const args = all(call.args);
    const { line } = call;
    if (call.type === 'call') {
      const callee = one(call.callee);
      return (frame) => invoke(frame.run, callee(frame), args(frame), call.callee, line);
    }
    const object = one(call.object);
    return (frame) => {
      const self = object(frame);
      const method =
        self instanceof LuaTable ? self.field(call.name) : indexOther(frame.run, self, call.name, call.object, line);
      return invoke(frame.run, method, [self, ...args(frame)], call, line);
    };
  }

  function compileUnary({ operator, operand, line }: Extract<Expression, { type: 'unary' }>): Evaluate {
    const value = one(operand);
    if (operator === 'not') return (frame) => !isTruthy(value(frame));
    const apply = operator === '-' ? negate : lengthOf;
    return (frame) => apply(value(frame), frame.run, operand, line);
  }

  function compileTable({ items, fields, line }: TableConstructor): Evaluate {
    const list = all(items);
    const entries = fields.map(({ key, value }) => ({ key: one(key), value: one(value) }));
    return (frame) => {
      const { run } = frame;
      run.charge(TABLE_BYTES);
      const table = new LuaTable();
      for (const { key, value } of entries) assign(run, table, key(frame), value(frame), line);
      let at = 0;
      for (const item of list(frame)) table.set(++at, item, run);
      return table;
    };
  }

  function closure(body: FunctionBody): Evaluate {
    const make = compileFunction(body);
    return (frame) => {
      frame.run.charge(FUNCTION_BYTES);
      return make(
        frame.run,
        body.upvalues.map((upvalue) => boxOf(frame, upvalue)),
      );
    };
  }

  return { one, all, closure };
}

function compileName(name: Extract<Expression, { type: 'local' | 'upvalue' | 'global' }>): Evaluate {
  if (name.type === 'global') return (frame) => frame.run.globals.field(name.name);
  if (name.type === 'upvalue') return (frame) => frame.upvalues[name.index]?.value;
  const { slot, captured } = name.variable;
  return captured ? (frame) => frame.boxes[slot]?.value : (frame) => frame.values[slot];
}

function compileLogic(operator: 'and' | 'or', left: Evaluate, right: Evaluate): Evaluate {
  const stopsAt = operator === 'or';
  return (frame) => {
    const value = left(frame);
    return isTruthy(value) === stopsAt ? value : right(frame);
  };
}

function boxOf(frame: Frame, upvalue: Upvalue): Box {
  const box = upvalue.from === 'local' ? frame.boxes[upvalue.variable.slot] : frame.upvalues[upvalue.index];
  // A goto may have jumped over the declaration; the variable is then there, and nil.
  return box ?? { value: undefined };
}

/** Strings have the functions of the string library as their fields; nothing else has any. */
function indexOther(run: Run, value: LuaValue, key: LuaValue, object: Expression, line: number): LuaValue {
  const strings = typeof value === 'string' ? run.globals.field('string') : undefined;
  if (strings instanceof LuaTable) return strings.get(key);
  throw run.error(`attempt to index ${described(value, object)}`, line);
}

function invoke(
  run: Run,
  callee: LuaValue,
  args: readonly LuaValue[],
  expression: Expression,
  line: number,
): readonly LuaValue[] {
  run.line = line;
  if (typeof callee === 'function') return callee(run, args);
  throw run.error(`attempt to call ${described(callee, expression)}`, line);
}

export function assign(run: Run, table: LuaTable, key: LuaValue, value: LuaValue, line: number): void {
  if (key === undefined || Number.isNaN(key)) {
    throw run.error(`table index is ${key === undefined ? 'nil' : 'NaN'}`, line);
  }
  table.set(key, value, run);
}
