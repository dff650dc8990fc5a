/**
 * Functions of the language and its libraries: a name, the types it takes, and what it does.
 *
 * A descriptor such as {@link T.string} is a CEL type and the TypeScript type of its values at once, so that the body
 * of a function is checked against its signature.
 */
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  type OpaqueName,
  optionalOf,
  param,
  STRING,
  simple,
  TIMESTAMP,
  type Type,
  UINT,
} from './type.ts';
import type {
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTime,
  CelTypeName,
  CelValue,
  Opaque,
  UnsignedInt,
} from './value.ts';

/** A CEL type whose values are `V`. */
export interface Typed<V extends CelValue> {
  readonly type: Type;
  readonly of?: V;
}

function typed<V extends CelValue>(type: Type): Typed<V> {
  return { type };
}

function opaque<N extends OpaqueName>(name: N): Typed<Extract<Opaque, { cel: N }>> {
  return typed(simple(name));
}

export const T = {
  dyn: typed<CelValue>(DYN),
  bool: typed<boolean>(BOOL),
  int: typed<bigint>(INT),
  uint: typed<UnsignedInt>(UINT),
  double: typed<number>(DOUBLE),
  string: typed<string>(STRING),
  bytes: typed<Uint8Array>(BYTES),
  null: typed<null>(NULL),
  timestamp: typed<CelTime>(TIMESTAMP),
  duration: typed<CelDuration>(DURATION),
  type: typed<CelTypeName>({ kind: 'type', of: param('A') }),
  /** Type parameters. */
  A: typed<CelValue>(param('A')),
  B: typed<CelValue>(param('B')),
  quantity: opaque('kubernetes.Quantity'),
  url: opaque('kubernetes.URL'),
  format: opaque('kubernetes.NamedFormat'),
  semver: opaque('kubernetes.Semver'),
  ip: opaque('net.IP'),
  cidr: opaque('net.CIDR'),
  list: (of: Typed<CelValue>): Typed<CelList> => typed(listOf(of.type)),
  map: (key: Typed<CelValue>, of: Typed<CelValue>): Typed<CelMap> => typed(mapOf(key.type, of.type)),
  optional: (of: Typed<CelValue>): Typed<CelOptional> => typed(optionalOf(of.type)),
} as const;

export interface Overload {
  readonly name: string;
  /** The first parameter is the receiver: `text.contains('a')`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  run(args: readonly CelValue[]): CelValue;
}

type ValuesOf<P extends readonly Typed<CelValue>[]> = {
  [K in keyof P]: P[K] extends Typed<infer V> ? V : never;
};

/** `name(a, b)`. */
export function global<const P extends readonly Typed<CelValue>[], R extends CelValue>(
  name: string,
  params: P,
  result: Typed<R>,
  run: (...args: ValuesOf<P>) => R,
): Overload {
  return overload(name, false, params, result, run);
}

/** `a.name(b)`. */
export function member<const P extends readonly Typed<CelValue>[], R extends CelValue>(
  name: string,
  params: P,
  result: Typed<R>,
  run: (...args: ValuesOf<P>) => R,
): Overload {
  return overload(name, true, params, result, run);
}

function overload<const P extends readonly Typed<CelValue>[], R extends CelValue>(
  name: string,
  isMember: boolean,
  params: P,
  result: Typed<R>,
  run: (...args: ValuesOf<P>) => R,
): Overload {
  return {
    name,
    member: isMember,
    params: params.map(({ type }) => type),
    result: result.type,
    // The checker, or the search for an overload at run time, has made sure that the values are of these types.
    run: (args) => run(...(args as ValuesOf<P>)),
  };
}

/** Overloads by name, members apart from others. */
export interface Library {
  find(name: string, isMember: boolean): readonly Overload[];
  /** Whether the name is a function at all, in either form. */
  has(name: string): boolean;
}

export function libraryOf(overloads: readonly Overload[]): Library {
  const members = Map.groupBy(
    overloads.filter((one) => one.member),
    (one) => one.name,
  );
  const globals = Map.groupBy(
    overloads.filter((one) => !one.member),
    (one) => one.name,
  );
  return {
    find: (name, isMember) => (isMember ? members : globals).get(name) ?? [],
    has: (name) => members.has(name) || globals.has(name),
  };
}
