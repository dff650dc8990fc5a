/**
 * From an expression to something that can be run: types are checked and code is made in one pass.
 *
 * A compiled node is its type and a function of a {@link Frame}. What the types leave open is decided at run time, and
 * every step is paid for from the frame's budget, so that no expression runs long. Start at {@link compile}.
 */
import type { Call, Expression, Select } from './ast.ts';
import { CelError, formatIssues } from './cel-error.ts';
import { compileFold } from './compile-fold.ts';
import { estimateCost } from './estimate-cost.ts';
import type { Library } from './function.ts';
import { compileFunction } from './overload.ts';
import { parse } from './parser.ts';
import {
  boolean,
  type Compiled,
  compileAs,
  compileIn,
  type Frame,
  isEvaluationError,
  issue,
  type Scope,
  spend,
} from './scope.ts';
import type { SchemaSize } from './schema-size.ts';
import {
  BOOL,
  type Bindings,
  DYN,
  fits,
  formatType,
  isDyn,
  listOf,
  mapOf,
  optionalOf,
  substitute,
  type Type,
} from './type.ts';
import { type CelValue, isTagged, list, map, NONE, some } from './value.ts';

export interface Program {
  readonly type: Type;
  /** Names of the variables that the expression uses. */
  readonly uses: ReadonlySet<string>;
  /** The most that it can cost to evaluate it on what is as large as this. */
  estimate(root: SchemaSize): number;
  /** Throws a {@link CelError}; also when `budget` runs out, which it is counted down from. */
  evaluate(variables: Readonly<Record<string, CelValue>>, budget: { remaining: number }): CelValue;
}

/** Why there is no program: mistakes as cel-go prints them, or a constant that cannot be. */
export interface Uncompiled {
  readonly phase: 'compilation' | 'instantiation';
  readonly problem: string;
}

export function isProgram(result: Program | Uncompiled): result is Program {
  return 'evaluate' in result;
}

/** The program, or what is wrong with it. */
export function compile(
  source: string,
  variables: Readonly<Record<string, Type>>,
  library: Library,
): Program | Uncompiled {
  const expression = parse(source);
  if (!('kind' in expression)) return { phase: 'compilation', problem: formatIssues(source, expression) };
  const names = Object.keys(variables);
  const types = new Map<Expression, Type>();
  const scope: Scope = {
    library,
    variables: new Map(names.map((name, slot) => [name, { type: variables[name] ?? DYN, slot }])),
    slots: names.length,
    issues: [],
    failures: [],
    mixed: false,
    compile(part, within) {
      const made = compileExpression(part, within);
      types.set(part, made.type);
      return made;
    },
  };
  const compiled = compileIn(scope, expression);
  if (scope.issues.length > 0) return { phase: 'compilation', problem: formatIssues(source, scope.issues) };
  const [failure] = scope.failures;
  if (failure !== undefined) return { phase: 'instantiation', problem: failure };
  return {
    type: compiled.type,
    uses: new Set(names.filter((name) => mentions(expression, name))),
    estimate: (root) => estimateCost(expression, { library, types, root }),
    evaluate(values, budget) {
      const frame: Frame = { slots: names.map((name) => values[name] ?? null), budget: budget.remaining };
      try {
        return compiled.run(frame);
      } finally {
        budget.remaining = frame.budget;
      }
    },
  };
}

function compileExpression(expression: Expression, scope: Scope): Compiled {
  switch (expression.kind) {
    case 'literal':
      return { type: expression.type, run: () => expression.value };
    case 'name':
      return compileName(expression.name, expression.at, scope);
    case 'select':
      return compileSelect(expression, scope);
    case 'call':
      return compileCall(expression, scope);
    case 'list':
      return compileList(expression, scope);
    case 'map':
      return compileMap(expression, scope);
    case 'fold':
      return compileFold(expression, scope);
  }
}

const TYPE_NAMES: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
  'optional_type',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

function compileName(name: string, at: number, scope: Scope): Compiled {
  const variable = scope.variables.get(name);
  if (variable) {
    const { type, slot } = variable;
    return {
      type,
      run(frame) {
        spend(frame, 1);
        return frame.slots[slot] ?? null;
      },
    };
  }
  if (!TYPE_NAMES.has(name)) return issue(scope, at, `undeclared reference to '${name}' (in container '')`);
  const value: CelValue = { cel: 'type', name };
  return { type: { kind: 'type', of: DYN }, run: () => value };
}

function compileSelect(expression: Select, scope: Scope): Compiled {
  const qualified = qualifiedName(expression);
  if (qualified !== undefined && TYPE_NAMES.has(qualified)) return compileName(qualified, expression.at, scope);
  const operand = compileIn(scope, expression.operand);
  const { field, mode } = expression;
  const through = operand.type.kind === 'optional';
  const type = fieldType(through ? operand.type.of : operand.type, expression, scope);
  const lift = mode === 'optional' || through;
  const result = mode === 'has' ? BOOL : lift ? optionalOf(type.kind === 'optional' ? type.of : type) : type;
  return {
    type: result,
    run(frame) {
      spend(frame, 1);
      const value = operand.run(frame);
      const found = lookUp(value, field, mode !== 'value' || isTagged(value, 'optional'));
      if (mode === 'has') return isTagged(found, 'optional') && found.value !== undefined;
      return found;
    },
  };
}

/** `google.protobuf.Duration`, if the expression is nothing but names. */
function qualifiedName({ operand, field, mode }: Select): string | undefined {
  if (mode !== 'value') return undefined;
  if (operand.kind === 'name') return `${operand.name}.${field}`;
  const left = operand.kind === 'select' ? qualifiedName(operand) : undefined;
  return left === undefined ? undefined : `${left}.${field}`;
}

function fieldType(type: Type, { field, at }: Select, scope: Scope): Type {
  if (isDyn(type)) return DYN;
  if (type.kind === 'map') return type.of;
  if (type.kind !== 'object') {
    return issue(scope, at, `type '${formatType(type)}' does not support field selection`).type;
  }
  return type.field(field) ?? issue(scope, at, `undefined field '${field}'`).type;
}

/** The field itself, or an optional of it when its absence is no error. */
function lookUp(value: CelValue, field: string, optional: boolean): CelValue {
  if (isTagged(value, 'optional')) return value.value === undefined ? NONE : lookUp(value.value, field, true);
  const found = isTagged(value, 'object') || isTagged(value, 'map') ? value.get(field) : undefined;
  if (optional) return found === undefined ? NONE : isTagged(found, 'optional') ? found : some(found);
  if (found === undefined) throw new CelError(`no such key: ${field}`);
  return found;
}

function compileCall(expression: Call, scope: Scope): Compiled {
  switch (expression.function) {
    case '_&&_':
      return compileLogic(expression, scope, false);
    case '_||_':
      return compileLogic(expression, scope, true);
    case '_?_:_':
      return compileTernary(expression, scope);
    default:
      return compileFunction(expression, scope);
  }
}

/** `decisive` on one side decides, whatever the other is, even an error. */
function compileLogic({ args }: Call, scope: Scope, decisive: boolean): Compiled {
  const [left, right] = args.map((arg) => compileAs(scope, arg, BOOL));
  if (!left || !right) throw new Error('a logical operator has two operands');
  return {
    type: BOOL,
    run(frame) {
      spend(frame, 1);
      let first: CelValue | CelError;
      try {
        first = boolean(left.run(frame));
      } catch (error) {
        if (!isEvaluationError(error)) throw error;
        first = error;
      }
      if (first === decisive) return decisive;
      const second = boolean(right.run(frame));
      if (second === decisive) return decisive;
      if (first instanceof CelError) throw first;
      return !decisive;
    },
  };
}

function compileTernary({ args, at }: Call, scope: Scope): Compiled {
  const [condition, yes, no] = args.map((arg) => compileIn(scope, arg));
  if (!condition || !yes || !no) throw new Error('a conditional has three operands');
  const bindings: Bindings = new Map();
  const result: Type = { kind: 'param', name: 'A' };
  const matches =
    fits(BOOL, condition.type, bindings) && fits(result, yes.type, bindings) && fits(result, no.type, bindings);
  if (!matches) {
    const types = [condition, yes, no].map(({ type }) => formatType(type)).join(', ');
    return issue(scope, at, `found no matching overload for '_?_:_' applied to '(${types})'`);
  }
  return {
    type: substitute(result, bindings),
    run(frame) {
      spend(frame, 1);
      return boolean(condition.run(frame)) ? yes.run(frame) : no.run(frame);
    },
  };
}

function compileList({ items }: Extract<Expression, { kind: 'list' }>, scope: Scope): Compiled {
  const elements = items.map(({ value, optional }) => {
    const compiled = compileIn(scope, value);
    const type = optional && compiled.type.kind === 'optional' ? compiled.type.of : compiled.type;
    return { compiled, type, optional, at: value.at };
  });
  const type = commonType(elements, scope);
  return {
    type: listOf(type),
    run(frame) {
      spend(frame, 10);
      return list(elements.flatMap(({ compiled, optional }) => present(compiled.run(frame), optional)));
    },
  };
}

function present(value: CelValue, optional: boolean): readonly CelValue[] {
  if (!optional || !isTagged(value, 'optional')) return [value];
  return value.value === undefined ? [] : [value.value];
}

/** Members of a literal must be of one type; the first says which. */
function commonType(members: readonly { readonly type: Type; readonly at: number }[], scope: Scope): Type {
  if (scope.mixed) return DYN;
  const first = members.find(({ type }) => !isDyn(type))?.type ?? DYN;
  for (const { type, at } of members) {
    if (fits(first, type, new Map())) continue;
    issue(scope, at, `expected type '${formatType(first)}' but found '${formatType(type)}'`);
  }
  return members.some(({ type }) => isDyn(type)) ? DYN : first;
}

function compileMap({ entries }: Extract<Expression, { kind: 'map' }>, scope: Scope): Compiled {
  const compiled = entries.map(({ key, value, optional }) => {
    const inner = compileIn(scope, value);
    const type = optional && inner.type.kind === 'optional' ? inner.type.of : inner.type;
    return { key: { ...compileIn(scope, key), at: key.at }, value: { ...inner, type, at: value.at }, optional };
  });
  const keys = commonType(
    compiled.map(({ key }) => key),
    scope,
  );
  const values = commonType(
    compiled.map(({ value }) => value),
    scope,
  );
  return {
    type: mapOf(entries.length === 0 ? DYN : keys, values),
    run(frame) {
      spend(frame, 30);
      return map(
        compiled.flatMap(({ key, value, optional }) =>
          present(value.run(frame), optional).map((member) => [key.run(frame), member] as const),
        ),
      );
    },
  };
}

/** Whether a variable is used anywhere; one of the same name in a macro hides it, which nobody does with `self`. */
function mentions(expression: Expression, name: string): boolean {
  const inner = (part: Expression | undefined) => part !== undefined && mentions(part, name);
  switch (expression.kind) {
    case 'literal':
      return false;
    case 'name':
      return expression.name === name;
    case 'select':
      return inner(expression.operand);
    case 'call':
      return inner(expression.target) || expression.args.some(inner);
    case 'list':
      return expression.items.some(({ value }) => inner(value));
    case 'map':
      return expression.entries.some(({ key, value }) => inner(key) || inner(value));
    case 'fold':
      return inner(expression.range) || inner(expression.predicate) || inner(expression.result);
  }
}
