/** Expressions, as the parser makes them: operators are calls, macros are folds. */
import type { CelValue } from './value.ts';
import type { Type } from './type.ts';

export type Expression =
  | { readonly kind: 'literal'; readonly at: number; readonly value: CelValue; readonly type: Type }
  | { readonly kind: 'name'; readonly at: number; readonly name: string }
  | Select
  | Call
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly Element[] }
  | { readonly kind: 'map'; readonly at: number; readonly entries: readonly Entry[] }
  | Fold;

export interface Select {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Expression;
  readonly field: string;
  /** `value`: the field; `has`: whether it is set; `optional`: the field as an optional (`.?`). */
  readonly mode: 'value' | 'has' | 'optional';
}

export interface Call {
  readonly kind: 'call';
  readonly at: number;
  /** `_+_`, `_?_:_`, `_[_]` for operators; else the name. */
  readonly function: string;
  /** The receiver of a member call, or the namespace of a function (`sets.contains`). */
  readonly target?: Expression;
  readonly args: readonly Expression[];
}

export interface Element {
  readonly value: Expression;
  /** `[?x]`: left out when `x` is none. */
  readonly optional: boolean;
}

export interface Entry extends Element {
  readonly key: Expression;
}

/** A macro that goes through a list or the keys of a map. */
export interface Fold {
  readonly kind: 'fold';
  readonly at: number;
  readonly macro: FoldMacro;
  readonly range: Expression;
  /** One variable for the item, or two for index and item, or key and value. */
  readonly variables: readonly string[];
  readonly predicate?: Expression;
  readonly result?: Expression;
}

export type FoldMacro =
  | 'all'
  | 'exists'
  | 'existsOne'
  | 'map'
  | 'filter'
  | 'transformMap'
  | 'transformMapEntry'
  | 'sortBy'
  | 'optMap'
  | 'optFlatMap';
