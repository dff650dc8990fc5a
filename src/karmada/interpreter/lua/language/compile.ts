/** Statements as functions of a frame. Start at {@link compile}. */
import type {
  Block,
  Expression,
  FunctionBody,
  GenericFor,
  Index,
  Name,
  NumericFor,
  Statement,
  Variable,
} from './ast.ts';
import { assign, expressionCompiler } from './compile-expression.ts';
import { BREAK, type Box, type Completion, type Evaluate, type Execute, type Frame, isReturn } from './frame.ts';
import { LuaSyntaxError } from './lua-error.ts';
import { LuaTable } from './lua-table.ts';
import { described, numberOf } from './operators.ts';
import { parse } from './parse.ts';
import type { Run } from './run.ts';
import { isTruthy, type LuaFunction, type LuaValue, NOTHING } from './value.ts';

/** A script ready to run, as often as wanted and by several runs at once: it keeps no state. */
export type Chunk = (run: Run) => LuaFunction;

/** Throws a {@link LuaSyntaxError} for what is no Lua. */
export function compile(script: string): Chunk {
  try {
    const make = compileFunction(parse(script));
    return (run) => make(run, []);
  } catch (error) {
    // A single expression can go on for the length of the script, and each part is one level of the stack.
    if (error instanceof RangeError) throw new LuaSyntaxError('the script is nested too deeply', 1);
    throw error;
  }
}

const { one, all, closure } = expressionCompiler(compileFunction);

function compileFunction({ parameters, variadic, block }: FunctionBody) {
  const body = compileBlock(block);
  const boxed = parameters.filter(({ captured }) => captured);
  return (_run: Run, upvalues: readonly Box[]): LuaFunction =>
    (run, args) => {
      run.enter();
      const values = args.slice(0, parameters.length);
      const varargs = variadic ? args.slice(parameters.length) : NOTHING;
      const frame: Frame = { run, values, boxes: [], upvalues, varargs };
      for (const { slot } of boxed) frame.boxes[slot] = { value: values[slot] };
      const completion = body(frame);
      run.leave();
      return completion && isReturn(completion) ? completion : NOTHING;
    };
}

function compileBlock(block: Block): Execute {
  const labels = new Map<string | undefined, number>();
  const statements: Execute[] = [];
  for (const statement of block) {
    if (statement.type === 'label') labels.set(statement.label, statements.length);
    else statements.push(compileStatement(statement));
  }
  if (labels.size > 0) return blockWithLabels(statements, labels);
  const [only] = statements;
  if (only && statements.length === 1) return only;
  return (frame) => {
    for (const statement of statements) {
      const completion = statement(frame);
      if (completion !== undefined) return completion;
    }
    return undefined;
  };
}

function blockWithLabels(statements: readonly Execute[], labels: ReadonlyMap<string | undefined, number>): Execute {
  return (frame) => {
    for (let at = 0; at < statements.length; at++) {
      const completion = statements[at]?.(frame);
      if (completion === undefined) continue;
      if (isReturn(completion)) return completion;
      const target = labels.get(completion.label);
      if (target === undefined) return completion;
      frame.run.step(completion.line);
      at = target - 1;
    }
    return undefined;
  };
}

function compileStatement(statement: Statement): Execute {
  switch (statement.type) {
    case 'local':
      return compileLocal(statement.variables, statement.values);
    case 'local function':
      return compileLocalFunction(statement.variable, statement.body);
    case 'assign':
      return compileAssignment(statement.targets, statement.values);
    case 'call': {
      const call = all([statement.call]);
      return (frame) => void call(frame);
    }
    case 'do':
      return compileBlock(statement.block);
    case 'while':
      return compileWhile(one(statement.condition), compileBlock(statement.block), statement.line);
    case 'repeat':
      return compileRepeat(compileBlock(statement.block), one(statement.condition), statement.line);
    case 'if':
      return compileIf(statement);
    case 'numeric for':
      return compileNumericFor(statement);
    case 'generic for':
      return compileGenericFor(statement);
    case 'return':
      return all(statement.values);
    case 'break':
      return () => BREAK;
    case 'goto': {
      const jump = { label: statement.label, line: statement.line };
      return () => jump;
    }
    case 'label':
      return () => undefined;
  }
}

/** How a variable gets its first value. */
function setter({ slot, captured }: Variable): Store {
  if (!captured) return (frame, value) => void (frame.values[slot] = value);
  return (frame, value) => void (frame.boxes[slot] = { value });
}

function compileLocal(variables: readonly Variable[], expressions: readonly Expression[]): Execute {
  const [first, second] = variables;
  const [expression] = expressions;
  if (first && !second && expression && expressions.length === 1) {
    const set = setter(first);
    const value = one(expression);
    return (frame) => set(frame, value(frame));
  }
  const sets = variables.map(setter);
  const values = all(expressions);
  return (frame) => {
    const given = values(frame);
    for (const [index, set] of sets.entries()) set(frame, given[index]);
    return undefined;
  };
}

/** The variable is there before its function, which may call itself. */
function compileLocalFunction(variable: Variable, body: FunctionBody): Execute {
  const make = closure(body);
  const { slot, captured } = variable;
  if (!captured) return (frame) => void (frame.values[slot] = make(frame));
  return (frame) => {
    const box: Box = { value: undefined };
    frame.boxes[slot] = box;
    box.value = make(frame);
    return undefined;
  };
}

type Store = (frame: Frame, value: LuaValue) => undefined;
/** Finds out where to store before anything is stored: `i, t[i] = 1, 2` uses the old `i`. */
type Locate = (frame: Frame) => Store;

function compileAssignment(targets: readonly (Name | Index)[], expressions: readonly Expression[]): Execute {
  const [target] = targets;
  const [expression] = expressions;
  if (target && expression && targets.length === 1 && expressions.length === 1) {
    return compileSingleAssignment(target, one(expression));
  }
  const places = targets.map(locator);
  const values = all(expressions);
  return (frame) => {
    const stores = places.map((locate) => locate(frame));
    const given = values(frame);
    for (const [index, store] of stores.entries()) store(frame, given[index]);
    return undefined;
  };
}

function compileSingleAssignment(target: Name | Index, value: Evaluate): Execute {
  if (target.type !== 'index') {
    const store = nameStore(target);
    return (frame) => store(frame, value(frame));
  }
  const object = one(target.object);
  const key = one(target.key);
  return (frame) => storeAt(frame.run, object(frame), key(frame), value(frame), target);
}

function locator(target: Name | Index): Locate {
  if (target.type !== 'index') {
    const store = nameStore(target);
    return () => store;
  }
  const object = one(target.object);
  const key = one(target.key);
  return (located) => {
    const table = object(located);
    const at = key(located);
    return (frame, value) => storeAt(frame.run, table, at, value, target);
  };
}

function nameStore(name: Name): Store {
  if (name.type === 'global') {
    return (frame, value) => {
      frame.run.globals.set(name.name, value, frame.run);
      return undefined;
    };
  }
  if (name.type === 'upvalue') {
    return (frame, value) => {
      const box = frame.upvalues[name.index];
      if (box) box.value = value;
      return undefined;
    };
  }
  const { slot, captured } = name.variable;
  if (!captured) return (frame, value) => void (frame.values[slot] = value);
  return (frame, value) => {
    const box = frame.boxes[slot];
    if (box) box.value = value;
    else frame.boxes[slot] = { value };
    return undefined;
  };
}

function storeAt(run: Run, table: LuaValue, key: LuaValue, value: LuaValue, { object, line }: Index): undefined {
  if (!(table instanceof LuaTable)) throw run.error(`attempt to index ${described(table, object)}`, line);
  assign(run, table, key, value, line);
}

function compileIf({ branches, otherwise }: Extract<Statement, { type: 'if' }>): Execute {
  const compiled = branches.map(({ condition, block }) => ({ condition: one(condition), block: compileBlock(block) }));
  const last = compileBlock(otherwise);
  return (frame) => {
    for (const { condition, block } of compiled) if (isTruthy(condition(frame))) return block(frame);
    return last(frame);
  };
}

function compileWhile(condition: Evaluate, body: Execute, line: number): Execute {
  return (frame) => {
    while (isTruthy(condition(frame))) {
      frame.run.step(line);
      const completion = body(frame);
      if (completion !== undefined) return leaving(completion);
    }
    return undefined;
  };
}

function compileRepeat(body: Execute, condition: Evaluate, line: number): Execute {
  return (frame) => {
    do {
      frame.run.step(line);
      const completion = body(frame);
      if (completion !== undefined) return leaving(completion);
    } while (!isTruthy(condition(frame)));
    return undefined;
  };
}

/** What a loop makes of the way its body ended: a break ends here, everything else goes on outwards. */
function leaving(completion: Exclude<Completion, undefined>): Completion {
  return completion === BREAK ? undefined : completion;
}

function compileNumericFor({ variable, from, to, by, block, line }: NumericFor): Execute {
  const bounds = [one(from), one(to), by ? one(by) : () => 1] as const;
  const set = setter(variable);
  const body = compileBlock(block);
  return (frame) => {
    const [start, end, step] = bounds.map((bound, index) => bounded(frame.run, bound(frame), index, line)) as [
      number,
      number,
      number,
    ];
    // A step of zero would never end; Lua 5.1 does not enter such a loop when it counts down.
    for (let at = start; step >= 0 ? at <= end : at >= end; at += step) {
      frame.run.step(line);
      set(frame, at);
      const completion = body(frame);
      if (completion !== undefined) return leaving(completion);
    }
    return undefined;
  };
}

function bounded(run: Run, value: LuaValue, index: number, line: number): number {
  const number = numberOf(value);
  if (number !== undefined) return number;
  throw run.error(`'for' ${['initial value', 'limit', 'step'][index]} must be a number`, line);
}

function compileGenericFor({ variables, values, block, line }: GenericFor): Execute {
  const triple = all(values);
  const sets = variables.map(setter);
  const body = compileBlock(block);
  return (frame) => {
    const { run } = frame;
    const [iterate, state, first] = triple(frame);
    let control = first;
    for (;;) {
      run.step(line);
      run.line = line;
      if (typeof iterate !== 'function') throw run.error('attempt to call a value that is no iterator', line);
      const given = iterate(run, [state, control]);
      control = given[0];
      if (control === undefined) return undefined;
      for (const [index, set] of sets.entries()) set(frame, given[index]);
      const completion = body(frame);
      if (completion !== undefined) return leaving(completion);
    }
  };
}
