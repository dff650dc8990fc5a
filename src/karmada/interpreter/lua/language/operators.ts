/** What operators do to values, and what they say when they cannot. */
import type { Binary, BinaryOperator, Expression } from './ast.ts';
import type { Evaluate } from './frame.ts';
import { LuaTable } from './lua-table.ts';
import { parseNumber } from './number.ts';
import type { Run } from './run.ts';
import { type LuaValue, stringOf, typeName } from './value.ts';

/** An operator applied to operands. Each has code of its own, so that the machine sees which types it meets there. */
type Apply = (left: Evaluate, right: Evaluate, where: Binary) => Evaluate;

export const OPERATORS: Readonly<Record<BinaryOperator, Apply>> = {
  '+': (left, right, where) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a === 'number' && typeof b === 'number') return a + b;
    const [x, y] = numbers(a, b, frame.run, where);
    return x + y;
  },
  '-': (left, right, where) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    const [x, y] = numbers(a, b, frame.run, where);
    return x - y;
  },
  '*': arithmetic((a, b) => a * b),
  '/': arithmetic((a, b) => a / b),
  '%': arithmetic(modulo),
  '^': arithmetic((a, b) => a ** b),
  '..': (left, right, where) => (frame) => concatenate(left(frame), right(frame), frame.run, where),
  '==': (left, right) => (frame) => left(frame) === right(frame),
  '~=': (left, right) => (frame) => left(frame) !== right(frame),
  '<': (left, right, where) => (frame) => isLess(left(frame), right(frame), frame.run, where.line),
  '<=': (left, right, where) => (frame) => isAtMost(left(frame), right(frame), frame.run, where.line),
  // The left side is evaluated first all the same.
  '>': (left, right, where) => (frame) => {
    const a = left(frame);
    return isLess(right(frame), a, frame.run, where.line);
  },
  '>=': (left, right, where) => (frame) => {
    const a = left(frame);
    return isAtMost(right(frame), a, frame.run, where.line);
  },
};

function arithmetic(compute: (a: number, b: number) => number): Apply {
  return (left, right, where) => (frame) => compute(...numbers(left(frame), right(frame), frame.run, where));
}

function numbers(left: LuaValue, right: LuaValue, run: Run, where: Binary): [number, number] {
  const a = numberOf(left);
  const b = numberOf(right);
  if (a !== undefined && b !== undefined) return [a, b];
  const wrong = a === undefined ? where.left : where.right;
  throw run.error(`attempt to perform arithmetic on ${described(a === undefined ? left : right, wrong)}`, where.line);
}

/** The result has the sign of the divisor. */
export function modulo(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/** A number, or a string that spells one. */
export function numberOf(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

function concatenate(left: LuaValue, right: LuaValue, run: Run, where: Binary): string {
  const a = stringOf(left);
  const b = stringOf(right);
  if (a !== undefined && b !== undefined) return run.made(a + b);
  const wrong = a === undefined ? where.left : where.right;
  throw run.error(`attempt to concatenate ${described(a === undefined ? left : right, wrong)}`, where.line);
}

export function isLess(left: LuaValue, right: LuaValue, run: Run, line?: number): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  if (typeof left === 'string' && typeof right === 'string') return left < right;
  throw incomparable(left, right, run, line);
}

function isAtMost(left: LuaValue, right: LuaValue, run: Run, line: number): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left <= right;
  if (typeof left === 'string' && typeof right === 'string') return left <= right;
  throw incomparable(left, right, run, line);
}

function incomparable(left: LuaValue, right: LuaValue, run: Run, line: number | undefined): Error {
  return run.error(`attempt to compare ${typeName(left)} with ${typeName(right)}`, line);
}

export function negate(value: LuaValue, run: Run, operand: Expression, line: number): number {
  const number = numberOf(value);
  if (number !== undefined) return -number;
  throw run.error(`attempt to perform arithmetic on ${described(value, operand)}`, line);
}

export function lengthOf(value: LuaValue, run: Run, operand: Expression, line: number): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof LuaTable) return value.length();
  throw run.error(`attempt to get length of ${described(value, operand)}`, line);
}

/** `a nil value (field 'replicas')`: what was found, and where it was looked for. */
export function described(value: LuaValue, expression: Expression): string {
  const name = nameOf(expression);
  return `a ${typeName(value)} value${name ? ` (${name})` : ''}`;
}

function nameOf(expression: Expression): string | undefined {
  switch (expression.type) {
    case 'local':
      return `local '${expression.variable.name}'`;
    case 'upvalue':
    case 'global':
      return `${expression.type} '${expression.name}'`;
    case 'method':
      return `method '${expression.name}'`;
    case 'index':
      return expression.key.type === 'constant' && typeof expression.key.value === 'string'
        ? `field '${expression.key.value}'`
        : undefined;
    default:
      return undefined;
  }
}
