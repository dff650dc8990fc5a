/** Calls: which overload of a function is meant, as far as types tell, and the rest at run time. */
import type { Call, Expression } from './ast.ts';
import { CelError } from './cel-error.ts';
import type { Library, Overload } from './function.ts';
import { literalProblem } from './literal-check.ts';
import { type Compiled, compileIn, type Frame, issue, type Scope, spend } from './scope.ts';
import { type Bindings, DYN, fits, formatType, isStatic, sameType, substitute, type Type } from './type.ts';
import { type CelValue, isTagged, typeNameOf } from './value.ts';

export function compileFunction(expression: Call, scope: Scope): Compiled {
  const { name, parts, isMember } = resolveName(expression, scope.library);
  // What is only printed may be of any type.
  const inner = name === 'format' ? { ...scope, mixed: true } : scope;
  const args = parts.map((part) => compileIn(inner, part));
  const overloads = scope.library.find(name, isMember);
  if (overloads.length === 0 && !scope.library.has(name)) {
    return issue(scope, expression.at, `undeclared reference to '${name}' (in container '')`);
  }
  const types = args.map(({ type }) => type);
  const matches = overloads.flatMap((overload) => match(overload, types));
  const [first] = matches;
  if (!first) {
    const told = `found no matching overload for '${name}' applied to '${signature(types, isMember)}'`;
    return issue(scope, expression.at, told);
  }
  const wrong = literalProblem(expression.at, name, parts);
  if (wrong) issue(scope, wrong.at, wrong.message);
  else if (CONVERSIONS.has(name)) foldConstant(first.overload, parts, scope);
  const isCertain = matches.length === 1 && types.every(isStatic);
  return {
    type: matches.every(({ result }) => sameType(result, first.result)) ? first.result : DYN,
    run: isCertain ? direct(first.overload, args) : dispatched(matches, args),
  };
}

/** Conversions of literals are made at once: one that cannot be made never will. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'find',
  'findAll',
]);

function foldConstant(overload: Overload, parts: readonly Expression[], scope: Scope): void {
  const isPattern = overload.name.startsWith('find');
  const values = parts.map((part) => (part.kind === 'literal' ? part.value : undefined));
  if (isPattern) values[0] ??= '';
  if (!values.every((value) => value !== undefined)) return;
  try {
    overload.run(values);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    scope.failures.push(error.message);
  }
}

/** `sets.contains(a)` is a function of that name, unless `sets` is a variable. */
export function resolveName(
  expression: Call,
  library: Library,
): { readonly name: string; readonly parts: readonly Expression[]; readonly isMember: boolean } {
  const { target, args } = expression;
  if (!target) return { name: expression.function, parts: args, isMember: false };
  const qualified = target.kind === 'name' ? `${target.name}.${expression.function}` : '';
  if (library.find(qualified, false).length > 0) return { name: qualified, parts: args, isMember: false };
  return { name: expression.function, parts: [target, ...args], isMember: true };
}

interface Match {
  readonly overload: Overload;
  readonly result: Type;
}

function match(overload: Overload, types: readonly Type[]): Match[] {
  if (overload.params.length !== types.length) return [];
  const bindings: Bindings = new Map();
  const matches = overload.params.every((param, index) => fits(param, types[index] ?? DYN, bindings));
  return matches ? [{ overload, result: substitute(overload.result, bindings) }] : [];
}

function signature(types: readonly Type[], isMember: boolean): string {
  const [receiver, ...rest] = types.map(formatType);
  return isMember ? `${receiver}.(${rest.join(', ')})` : `(${types.map(formatType).join(', ')})`;
}

function direct(overload: Overload, args: readonly Compiled[]): (frame: Frame) => CelValue {
  return (frame) => {
    const values = args.map((arg) => arg.run(frame));
    spend(frame, costOf(overload.name, values));
    return overload.run(values);
  };
}

function dispatched(matches: readonly Match[], args: readonly Compiled[]): (frame: Frame) => CelValue {
  return (frame) => {
    const values = args.map((arg) => arg.run(frame));
    const found = matches.find(({ overload }) =>
      overload.params.every((type, at) => accepts(type, values[at] ?? null)),
    );
    if (!found) throw new CelError('no such overload');
    spend(frame, costOf(found.overload.name, values));
    return found.overload.run(values);
  };
}

/** These look at one element, however many there are. */
const CONSTANT_COST: ReadonlySet<string> = new Set(['_[_]', '_[?_]', 'size', 'dyn', 'type']);

/** One for the call, and what it takes to go through texts and lists. */
function costOf(name: string, values: readonly CelValue[]): number {
  if (CONSTANT_COST.has(name)) return 1;
  let cost = 1;
  for (const value of values) {
    if (typeof value === 'string') cost += value.length * 0.1;
    else if (value instanceof Uint8Array) cost += value.length * 0.1;
    else if (isTagged(value, 'list') || isTagged(value, 'map')) cost += value.size;
  }
  return cost;
}

const RUNTIME_NAMES: Readonly<Record<string, string>> = {
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  null: 'null_type',
};

function accepts(type: Type, value: CelValue): boolean {
  switch (type.kind) {
    case 'param':
      return true;
    case 'simple':
      return type.name === 'dyn' || typeNameOf(value) === (RUNTIME_NAMES[type.name] ?? type.name);
    case 'object':
      return isTagged(value, 'object');
    default:
      return isTagged(value, type.kind);
  }
}
