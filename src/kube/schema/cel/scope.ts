/** What the parts of the compiler share: scopes, compiled nodes, and what running them costs. */
import type { Expression } from './ast.ts';
import { CelError, type Issue } from './cel-error.ts';
import type { Library } from './function.ts';
import { fits, formatType, type Type, UNCHECKED } from './type.ts';
import type { CelValue } from './value.ts';

/** The state of one evaluation. */
export interface Frame {
  /** Variables by their slot. */
  readonly slots: CelValue[];
  /** What may still be spent. */
  budget: number;
}

export interface Compiled {
  readonly type: Type;
  run(frame: Frame): CelValue;
}

/** What an expression can refer to. */
export interface Scope {
  readonly library: Library;
  readonly variables: ReadonlyMap<string, { readonly type: Type; readonly slot: number }>;
  readonly slots: number;
  readonly issues: Issue[];
  /** Parts that are constant, and fail whenever they are evaluated. */
  readonly failures: string[];
  /** Members of literals may differ in type. */
  readonly mixed: boolean;
  /** The compiler itself, for expressions inside of others. */
  compile(expression: Expression, scope: Scope): Compiled;
}

export const OVER_BUDGET = 'operation cancelled: actual cost limit exceeded';

/** Pays for a step. */
export function spend(frame: Frame, cost: number): void {
  frame.budget -= cost;
  if (frame.budget < 0) throw new CelError(OVER_BUDGET);
}

/** Errors that logic may absorb; running out of budget is none. */
export function isEvaluationError(error: unknown): error is CelError {
  return error instanceof CelError && error.message !== OVER_BUDGET;
}

export function compileIn(scope: Scope, expression: Expression): Compiled {
  return scope.compile(expression, scope);
}

/** Compiles a part that must be of a type. */
export function compileAs(scope: Scope, expression: Expression, wanted: Type): Compiled {
  const compiled = compileIn(scope, expression);
  if (fits(wanted, compiled.type, new Map())) return compiled;
  const told = `expected type '${formatType(wanted)}' but found '${formatType(compiled.type)}'`;
  return issue(scope, expression.at, told);
}

/** Reports a mistake; the node fits everywhere, so that it is told once. */
export function issue(scope: Scope, at: number, message: string): Compiled {
  scope.issues.push({ at, message });
  return { type: UNCHECKED, run: () => null };
}

export function boolean(value: CelValue): boolean {
  if (typeof value === 'boolean') return value;
  throw new CelError('no such overload');
}
