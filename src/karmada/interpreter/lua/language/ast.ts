/** A parsed script. Names are resolved already: each says whether it is a local, one of an outer function, or global. */

/** A local variable. Its place is free again when its block ends. */
export interface Variable {
  readonly name: string;
  readonly slot: number;
  /** Whether an inner function uses it, so that it must outlive its block. Known when the function is parsed. */
  captured: boolean;
}

/** A variable of an outer function: a local of the next one out, or one that it took over itself. */
export type Upvalue = { readonly name: string } & (
  | { readonly from: 'local'; readonly variable: Variable }
  | { readonly from: 'upvalue'; readonly index: number }
);

export interface FunctionBody {
  readonly parameters: readonly Variable[];
  readonly variadic: boolean;
  readonly upvalues: readonly Upvalue[];
  readonly block: Block;
}

export type Block = readonly Statement[];

export type Name =
  | { readonly type: 'local'; readonly variable: Variable }
  | { readonly type: 'upvalue'; readonly name: string; readonly index: number }
  | { readonly type: 'global'; readonly name: string };

export interface Index {
  readonly type: 'index';
  readonly object: Expression;
  readonly key: Expression;
  readonly line: number;
}

export interface Call {
  readonly type: 'call';
  readonly callee: Expression;
  readonly args: readonly Expression[];
  readonly line: number;
}

/** `object:name(…)`. */
export interface MethodCall {
  readonly type: 'method';
  readonly object: Expression;
  readonly name: string;
  readonly args: readonly Expression[];
  readonly line: number;
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '^' | '..' | '==' | '~=' | '<' | '<=' | '>' | '>=';
export type UnaryOperator = '-' | 'not' | '#';

export interface Binary {
  readonly type: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly line: number;
}

export interface TableConstructor {
  readonly type: 'table';
  readonly items: readonly Expression[];
  readonly fields: readonly { readonly key: Expression; readonly value: Expression }[];
  readonly line: number;
}

export type Expression =
  | { readonly type: 'constant'; readonly value: undefined | boolean | number | string }
  | { readonly type: 'varargs' }
  | { readonly type: 'function'; readonly body: FunctionBody }
  | { readonly type: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression; readonly line: number }
  | { readonly type: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  /** In parentheses: one value, whatever is inside. */
  | { readonly type: 'single'; readonly expression: Expression }
  | Name
  | Index
  | Call
  | MethodCall
  | Binary
  | TableConstructor;

export type Statement =
  | { readonly type: 'local'; readonly variables: readonly Variable[]; readonly values: readonly Expression[] }
  | { readonly type: 'local function'; readonly variable: Variable; readonly body: FunctionBody }
  | {
      readonly type: 'assign';
      readonly targets: readonly (Name | Index)[];
      readonly values: readonly Expression[];
    }
  | { readonly type: 'call'; readonly call: Call | MethodCall }
  | { readonly type: 'do'; readonly block: Block }
  | { readonly type: 'while'; readonly condition: Expression; readonly block: Block; readonly line: number }
  | { readonly type: 'repeat'; readonly block: Block; readonly condition: Expression; readonly line: number }
  | {
      readonly type: 'if';
      readonly branches: readonly { readonly condition: Expression; readonly block: Block }[];
      readonly otherwise: Block;
    }
  | NumericFor
  | GenericFor
  | { readonly type: 'return'; readonly values: readonly Expression[] }
  | { readonly type: 'break' }
  | { readonly type: 'goto' | 'label'; readonly label: string; readonly line: number };

export interface NumericFor {
  readonly type: 'numeric for';
  readonly variable: Variable;
  readonly from: Expression;
  readonly to: Expression;
  readonly by: Expression | undefined;
  readonly block: Block;
  readonly line: number;
}

export interface GenericFor {
  readonly type: 'generic for';
  readonly variables: readonly Variable[];
  readonly values: readonly Expression[];
  readonly block: Block;
  readonly line: number;
}
