/** Macros that go through the items of a list, or the keys of a map: `all`, `exists`, `map`, `filter` and their kin. */
import type { Expression, Fold } from './ast.ts';
import { CelError } from './cel-error.ts';
import { compareValues } from './library/compare.ts';
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
import { BOOL, DYN, formatType, INT, isDyn, listOf, mapOf, optionalOf, sameType, type Type } from './type.ts';
import { type CelValue, isTagged, list, map, NONE, some, typeNameOf } from './value.ts';

export function compileFold(fold: Fold, scope: Scope): Compiled {
  const range = compileIn(scope, fold.range);
  if (fold.macro === 'optMap' || fold.macro === 'optFlatMap') return compileOptional(fold, range, scope);
  const types = variableTypes(fold, range.type, scope);
  const inner = withVariables(scope, fold.variables, types);
  const result = fold.result && compileIn(inner, fold.result);
  const predicate = compilePredicate(fold, inner, result?.type);
  const itemType = fold.variables.length === 2 ? types[1] : types[0];
  return {
    type: resultType(fold, result?.type ?? itemType ?? DYN, itemType ?? DYN, types[0] ?? DYN),
    run: runner(fold, range, predicate, result, scope.slots),
  };
}

/** Some macros are a conditional underneath, and their mistakes are told as its mistakes. */
function compilePredicate(fold: Fold, scope: Scope, result: Type | undefined): Compiled | undefined {
  const { macro, predicate, at } = fold;
  if (!predicate) return undefined;
  if (macro === 'all' || macro === 'exists') return compileAs(scope, predicate, BOOL);
  const compiled = compileIn(scope, predicate);
  if (isDyn(compiled.type) || sameType(compiled.type, BOOL)) return compiled;
  const item = scope.variables.get(fold.variables.at(-1) ?? '')?.type ?? DYN;
  const accumulated = formatType(macro === 'existsOne' ? INT : listOf(result ?? item));
  const types = `(${formatType(compiled.type)}, ${accumulated}, ${accumulated})`;
  return issue(scope, at, `found no matching overload for '_?_:_' applied to '${types}'`);
}

/** The scope with the macro's own variables, which hide others of the same name. */
function withVariables(scope: Scope, names: readonly string[], types: readonly Type[]): Scope {
  const variables = new Map(scope.variables);
  names.forEach((name, index) => variables.set(name, { type: types[index] ?? DYN, slot: scope.slots + index }));
  return { ...scope, variables, slots: scope.slots + names.length };
}

function variableTypes(fold: Fold, range: Type, scope: Scope): readonly Type[] {
  const pair = fold.variables.length === 2;
  if (isDyn(range)) return [DYN, DYN];
  if (range.kind === 'list') return pair ? [INT, range.of] : [range.of];
  if (range.kind === 'map') return pair ? [range.key, range.of] : [range.key];
  const told = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
  issue(scope, fold.range.at, told);
  return [DYN, DYN];
}

function resultType({ macro }: Fold, result: Type, item: Type, key: Type): Type {
  switch (macro) {
    case 'all':
    case 'exists':
    case 'existsOne':
      return BOOL;
    case 'map':
      return listOf(result);
    case 'filter':
    case 'sortBy':
      return listOf(item);
    case 'transformMap':
      return mapOf(key, result);
    case 'transformMapEntry':
      return result.kind === 'map' ? result : DYN;
    default:
      return DYN;
  }
}

/** One round: the variables set, ready for the predicate and the result. */
interface Round {
  readonly frame: Frame;
  readonly key: CelValue;
  readonly item: CelValue;
}

function runner(
  { macro, variables }: Fold,
  range: Compiled,
  predicate: Compiled | undefined,
  result: Compiled | undefined,
  slot: number,
): Compiled['run'] {
  const rounds = (frame: Frame) => roundsOf(range.run(frame), frame, slot, variables.length === 2);
  const holds = ({ frame }: Round) => predicate === undefined || boolean(predicate.run(frame));
  const value = ({ frame, item }: Round) => (result ? result.run(frame) : item);
  switch (macro) {
    case 'all':
      return (frame) => quantify(rounds(frame), holds, false);
    case 'exists':
      return (frame) => quantify(rounds(frame), holds, true);
    case 'existsOne':
      return (frame) => count(rounds(frame), holds) === 1;
    case 'map':
      return (frame) => list(collect(rounds(frame), holds, value));
    case 'filter':
      return (frame) => list(collect(rounds(frame), holds, ({ item }) => item));
    case 'sortBy':
      return (frame) => list(sortedBy(collect(rounds(frame), holds, (round) => [value(round), round.item] as const)));
    case 'transformMap':
      return (frame) => map(collect(rounds(frame), holds, (round) => [round.key, value(round)] as const));
    default:
      return (frame) => map(collect(rounds(frame), holds, (round) => entriesOf(value(round))).flat());
  }
}

function* roundsOf(range: CelValue, frame: Frame, slot: number, pair: boolean): Generator<Round> {
  if (isTagged(range, 'list')) {
    for (let index = 0; index < range.size; index++) {
      yield round(frame, slot, pair, BigInt(index), range.at(index), range.at(index));
    }
  } else if (isTagged(range, 'map')) {
    for (const key of range.keys()) yield round(frame, slot, pair, key, range.get(key) ?? null, key);
  } else {
    throw new CelError(`got '${goName(range)}', expected iterable type`);
  }
}

/** As Go names the types of its CEL. */
function goName(value: CelValue): string {
  const name = typeNameOf(value).replace(/^.*\./, '');
  return `types.${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function round(frame: Frame, slot: number, pair: boolean, key: CelValue, value: CelValue, single: CelValue): Round {
  spend(frame, 1);
  frame.slots[slot] = pair ? key : single;
  if (pair) frame.slots[slot + 1] = value;
  return { frame, key, item: pair ? value : single };
}

/** One item that is `decisive` decides; an error counts only when none is. */
function quantify(rounds: Iterable<Round>, holds: (round: Round) => boolean, decisive: boolean): boolean {
  let failure: CelError | undefined;
  for (const one of rounds) {
    try {
      if (holds(one) === decisive) return decisive;
    } catch (error) {
      if (!isEvaluationError(error)) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return !decisive;
}

function count(rounds: Iterable<Round>, holds: (round: Round) => boolean): number {
  let found = 0;
  for (const one of rounds) if (holds(one)) found++;
  return found;
}

function collect<R>(rounds: Iterable<Round>, holds: (round: Round) => boolean, value: (round: Round) => R): R[] {
  const found: R[] = [];
  for (const one of rounds) if (holds(one)) found.push(value(one));
  return found;
}

function sortedBy(pairs: readonly (readonly [key: CelValue, item: CelValue])[]): CelValue[] {
  return pairs.toSorted(([a], [b]) => compareValues(a, b)).map(([, item]) => item);
}

function entriesOf(value: CelValue): (readonly [CelValue, CelValue])[] {
  if (!isTagged(value, 'map')) throw new CelError('no such overload');
  return value.keys().map((key) => [key, value.get(key) ?? null]);
}

/** `x.optMap(v, v + 1)`: what to do with a value that may be there. */
function compileOptional(fold: Fold, range: Compiled, scope: Scope): Compiled {
  const item = range.type.kind === 'optional' ? range.type.of : DYN;
  if (range.type.kind !== 'optional' && !isDyn(range.type)) {
    const told = `found no matching overload for '${fold.macro}' applied to '${formatType(range.type)}.()'`;
    return issue(scope, fold.at, told);
  }
  const result = compileResult(fold.result, withVariables(scope, fold.variables, [item]));
  const isFlat = fold.macro === 'optFlatMap';
  return {
    type: isFlat ? result.type : optionalOf(result.type),
    run(frame) {
      const value = range.run(frame);
      if (!isTagged(value, 'optional')) throw new CelError('no such overload');
      if (value.value === undefined) return NONE;
      frame.slots[scope.slots] = value.value;
      const made = result.run(frame);
      return isFlat ? made : some(made);
    },
  };
}

function compileResult(result: Expression | undefined, scope: Scope): Compiled {
  if (!result) throw new Error('an optional macro has a result');
  return compileIn(scope, result);
}
