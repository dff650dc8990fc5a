/**
 * What an expression can cost at most, before it is ever evaluated: from the types of its parts, and from how large the
 * schema lets values become.
 *
 * The numbers decide which CRDs are accepted, so they are those of Kubernetes: cel-go's checker/cost.go walks the
 * expression, with macros written out as loops. Like there, where a value comes from is followed as a path through the
 * schema (`self.items.@items.name`); a value that comes from nowhere may be of any size. What calls cost is in
 * `call-cost.ts`. Start at {@link estimateCost}.
 */
import type { Call, Expression, Fold, Select } from './ast.ts';
import { callCost } from './call-cost.ts';
import { fixed, multiply, type Node, type Size, union, UNKNOWN } from './cost-size.ts';
import type { Library } from './function.ts';
import { resolveName } from './overload.ts';
import type { SchemaSize } from './schema-size.ts';
import { DYN, type Type } from './type.ts';

export interface Estimation {
  readonly library: Library;
  readonly types: ReadonlyMap<Expression, Type>;
  /** The value that `self` and `oldSelf` stand for. */
  readonly root: SchemaSize;
}

type Path = readonly string[];

/** A variable of a macro. */
interface Local {
  readonly path: Path;
  readonly size?: Size | undefined;
}

interface Walk extends Estimation {
  readonly locals: ReadonlyMap<string, Local>;
  readonly paths: Map<Expression, Path>;
  readonly sizes: Map<Expression, Size>;
  /** The sizes of the items of lists, and of the values of maps, that the expression makes. */
  readonly items: Map<Expression, Size>;
}

export function estimateCost(expression: Expression, estimation: Estimation): number {
  return cost({ ...estimation, locals: new Map(), paths: new Map(), sizes: new Map(), items: new Map() }, expression);
}

const LIST = 10;
const MAP = 30;

function cost(walk: Walk, expression: Expression): number {
  switch (expression.kind) {
    case 'literal':
      return 0;
    case 'name':
      return 1;
    case 'select':
      return selectCost(walk, expression);
    case 'call':
      return expression.function === 'dyn' ? dynCost(walk, expression) : functionCost(walk, expression);
    case 'list':
      return listCost(walk, expression);
    case 'map':
      return mapCost(walk, expression);
    case 'fold':
      return foldCost(walk, expression);
  }
}

function selectCost(walk: Walk, select: Select): number {
  const inner = cost(walk, select.operand);
  if (select.mode === 'has') return inner;
  if (select.mode === 'optional') return inner + 1;
  walk.paths.set(select, [...pathOf(walk, select.operand), select.field]);
  const { kind } = typeOf(walk, select.operand);
  return kind === 'map' || kind === 'object' || kind === 'param' ? inner + 1 : inner;
}

/** Only the checker sees a difference. */
function dynCost(walk: Walk, call: Call): number {
  const [arg] = call.args;
  if (!arg) return 1;
  const inner = cost(walk, arg);
  keep(walk.sizes, call, sizeOf(walk, arg));
  keep(walk.items, call, walk.items.get(arg));
  return inner + 1;
}

function functionCost(walk: Walk, call: Call): number {
  const { name, parts, isMember } = resolveName(call, walk.library);
  const costs = parts.map((part) => cost(walk, part));
  const nodes = parts.map((part): Node => nodeOf(walk, part));
  const all = costs.reduce((sum, one) => sum + one, 0);
  const [first, second, third] = costs;
  if (name === '_&&_' || name === '_||_') return all;
  if (name === '_?_:_') {
    const [, yes, no] = parts.map((part) => sizeOf(walk, part) ?? UNKNOWN);
    keep(walk.sizes, call, union(yes ?? UNKNOWN, no ?? UNKNOWN));
    keepUnion(walk, call, parts[1], parts[2]);
    return (first ?? 0) + Math.max(second ?? 0, third ?? 0);
  }
  if (name === '_+_') keepUnion(walk, call, parts[0], parts[1]);
  if (name === '_[_]') return all + indexCost(walk, call, parts[0]);
  const { most, result } = callCost({ name, isMember, parts: nodes });
  keep(walk.sizes, call, result);
  return all + most;
}

function indexCost(walk: Walk, call: Call, from: Expression | undefined): number {
  if (!from) return 1;
  keep(walk.sizes, call, walk.items.get(from));
  walk.paths.set(call, [...pathOf(walk, from), typeOf(walk, from).kind === 'list' ? '@items' : '@values']);
  return 1;
}

function listCost(walk: Walk, list: Extract<Expression, { kind: 'list' }>): number {
  const costs = list.items.map(({ value }) => cost(walk, value));
  const sizes = list.items.map(({ value }) => sizeOf(walk, value) ?? UNKNOWN);
  walk.items.set(list, sizes.length === 0 ? fixed(0) : sizes.reduce(union));
  return costs.reduce((sum, one) => sum + one, LIST);
}

function mapCost(walk: Walk, map: Extract<Expression, { kind: 'map' }>): number {
  const costs = map.entries.map(({ key, value }) => cost(walk, key) + cost(walk, value));
  const sizes = map.entries.map(({ value }) => sizeOf(walk, value) ?? UNKNOWN);
  walk.items.set(map, sizes.length === 0 ? fixed(0) : sizes.reduce(union));
  return costs.reduce((sum, one) => sum + one, MAP);
}

/** Macros as the loops they are: what they begin with, what each round costs, and what is done at the end. */
function foldCost(walk: Walk, fold: Fold): number {
  const range = cost(walk, fold.range);
  if (fold.macro === 'optMap' || fold.macro === 'optFlatMap') return optionalCost(walk, fold, range);
  const within = withVariables(walk, fold);
  const predicate = fold.predicate ? cost(within, fold.predicate) : 0;
  const result = fold.result ? cost(within, fold.result) : 1;
  const rounds = sizeOf(walk, fold.range) ?? UNKNOWN;
  const { start, round, end } = loopCost(fold, predicate, result);
  if (start === 0) walk.sizes.set(fold, fixed(1));
  else {
    walk.sizes.set(fold, rounds);
    const made = fold.result ? sizeOf(within, fold.result) : localSize(within, fold.variables.at(-1) ?? '');
    walk.items.set(fold, union(fixed(0), made ?? UNKNOWN));
  }
  return range + start + multiply(rounds.max, round) + end;
}

interface Loop {
  readonly start: number;
  readonly round: number;
  readonly end: number;
}

function loopCost({ macro, predicate }: Fold, asked: number, made: number): Loop {
  switch (macro) {
    case 'all':
      return { start: 0, round: asked + 3, end: 1 };
    case 'exists':
      return { start: 0, round: asked + 4, end: 1 };
    case 'existsOne':
      return { start: 0, round: asked + 2, end: 2 };
    case 'transformMap':
      return { start: MAP, round: asked + made + 3, end: 1 };
    case 'transformMapEntry':
      return { start: MAP, round: asked + made + 2, end: 1 };
    case 'sortBy':
      // Bound to a name first, and sorted by the keys at the end.
      return { start: LIST + LIST, round: made + LIST + 2, end: 4 };
    default:
      return { start: LIST, round: (predicate ? asked : 0) + made + LIST + 2, end: 1 };
  }
}

/** `x.hasValue() ? optional.of(…) : optional.none()`, with the value bound to a name. */
function optionalCost(walk: Walk, fold: Fold, range: number): number {
  const within = { ...walk, locals: new Map(walk.locals) };
  for (const name of fold.variables) within.locals.set(name, { path: [] });
  const made = fold.result ? cost(within, fold.result) : 0;
  const wrapped = fold.macro === 'optMap' ? 1 : 0;
  return range + 1 + wrapped + LIST + (range + 1) + made;
}

function withVariables(walk: Walk, { range, variables }: Fold): Walk {
  const path = pathOf(walk, range);
  const { kind } = typeOf(walk, range);
  const isList = kind === 'list' || (kind !== 'map' && walk.items.has(range));
  const size = walk.items.get(range);
  const item: Local = { path: [...path, isList ? '@items' : '@values'], size };
  const key: Local = { path: [...path, isList ? '@indices' : '@keys'] };
  const [first, second] = variables;
  const locals = new Map(walk.locals);
  if (first !== undefined && second !== undefined) locals.set(first, key).set(second, item);
  else if (first !== undefined) locals.set(first, isList ? item : key);
  return { ...walk, locals };
}

function nodeOf(walk: Walk, expression: Expression): Node {
  const type = typeOf(walk, expression);
  const path = pathOf(walk, expression);
  const item = type.kind === 'list' ? (sizeAt(walk.root, [...path, '@items'], path) ?? UNKNOWN) : undefined;
  return { type, size: sizeOf(walk, expression) ?? UNKNOWN, item, expression };
}

function typeOf({ types }: Walk, expression: Expression): Type {
  return types.get(expression) ?? DYN;
}

function pathOf(walk: Walk, expression: Expression): Path {
  if (expression.kind === 'name') return walk.locals.get(expression.name)?.path ?? [expression.name];
  return walk.paths.get(expression) ?? [];
}

function sizeOf(walk: Walk, expression: Expression): Size | undefined {
  const known = walk.sizes.get(expression) ?? literalSize(expression);
  if (known) return known;
  const path = pathOf(walk, expression);
  const told = sizeAt(walk.root, path, path);
  if (told) return told;
  if (isScalar(typeOf(walk, expression))) return fixed(1);
  return expression.kind === 'name' ? walk.locals.get(expression.name)?.size : undefined;
}

function localSize(walk: Walk, name: string): Size | undefined {
  const local = walk.locals.get(name);
  return local && (sizeAt(walk.root, local.path, local.path) ?? local.size);
}

function literalSize(expression: Expression): Size | undefined {
  if (expression.kind === 'list') return fixed(expression.items.length);
  if (expression.kind === 'map') return fixed(expression.entries.length);
  if (expression.kind !== 'literal') return undefined;
  const { value } = expression;
  if (typeof value === 'string') return fixed(Array.from(value).length);
  return fixed(value instanceof Uint8Array ? value.length : 1);
}

/** What the schema says of a path; `origin` is empty for what does not come from a variable. */
function sizeAt(root: SchemaSize, path: Path, origin: Path): Size | undefined {
  if (origin.length === 0) return undefined;
  let node: SchemaSize | undefined = root;
  // The first is the variable, whichever it is: all of them have the type of the root.
  for (const step of path.slice(1)) {
    if (step === '@items' || step === '@values') node = node.item;
    else node = step === '@keys' ? node.key : node.field(step);
    if (!node) return undefined;
  }
  return { min: 0, max: node.most };
}

const SCALARS: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: Type): boolean {
  if (type.kind === 'optional') return isScalar(type.of);
  return type.kind === 'simple' && SCALARS.has(type.name);
}

function keepUnion(walk: Walk, call: Call, a: Expression | undefined, b: Expression | undefined): void {
  const [one, other] = [a && walk.items.get(a), b && walk.items.get(b)];
  if (one && other) walk.items.set(call, union(one, other));
}

function keep(sizes: Map<Expression, Size>, expression: Expression, size: Size | undefined): void {
  if (size) sizes.set(expression, size);
}
