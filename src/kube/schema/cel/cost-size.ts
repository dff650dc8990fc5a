/** Between what and what a size can be; more than can be counted is infinite. */
import type { Expression } from './ast.ts';
import type { Type } from './type.ts';

export interface Size {
  readonly min: number;
  readonly max: number;
}

/** A part of an expression, for what a call with it costs. */
export interface Node {
  readonly type: Type;
  readonly size: Size;
  /** Of the items of a list. */
  readonly item: Size | undefined;
  readonly expression: Expression;
}

export const UNKNOWN: Size = { min: 0, max: Infinity };

export function fixed(size: number): Size {
  return { min: size, max: size };
}

export function union(a: Size, b: Size): Size {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

export function sum(a: Size, b: Size): Size {
  return { min: a.min + b.min, max: a.max + b.max };
}

export function product(a: Size, b: Size): Size {
  return { min: multiply(a.min, b.min), max: multiply(a.max, b.max) };
}

/** Nothing, however often, is nothing. */
export function multiply(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Steps are whole. */
export function scaled(amount: number, factor: number): number {
  return Math.ceil(multiply(amount, factor));
}
