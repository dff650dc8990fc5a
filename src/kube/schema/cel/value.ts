/**
 * Values of CEL at run time.
 *
 * Integers are bigints and doubles are numbers, so that the two never mix by accident; what JavaScript has no type for
 * is a small tagged object. Objects, maps and lists read from JSON convert their members when they are looked at: a
 * rule that asks for one field pays for one field.
 */
import type { Quantity } from '#kube/meta/quantity.ts';
import type { OpaqueName } from './type.ts';

export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | UnsignedInt
  | CelTime
  | CelDuration
  | CelTypeName
  | CelList
  | CelMap
  | CelObject
  | CelOptional
  | Opaque;

export interface UnsignedInt {
  readonly cel: 'uint';
  readonly value: bigint;
}
/** Nanoseconds since the epoch. */
export interface CelTime {
  readonly cel: 'timestamp';
  readonly nanos: bigint;
}
export interface CelDuration {
  readonly cel: 'duration';
  readonly nanos: bigint;
}
export interface CelTypeName {
  readonly cel: 'type';
  readonly name: string;
}
export interface CelList {
  readonly cel: 'list';
  readonly size: number;
  at(index: number): CelValue;
  /** Lists that are sets or maps in Kubernetes are equal whatever their order. */
  readonly identity?: (item: CelValue) => string;
}
export interface CelMap {
  readonly cel: 'map';
  readonly size: number;
  get(key: CelValue): CelValue | undefined;
  keys(): readonly CelValue[];
}
export interface CelObject {
  readonly cel: 'object';
  /** Undefined when the field is not set. */
  get(field: string): CelValue | undefined;
  fields(): readonly string[];
}
export interface CelOptional {
  readonly cel: 'optional';
  readonly value: CelValue | undefined;
}

/** Values of the Kubernetes libraries. */
export type Opaque =
  | { readonly cel: 'kubernetes.Quantity'; readonly quantity: Quantity }
  | { readonly cel: 'kubernetes.URL'; readonly url: URL; readonly text: string }
  | { readonly cel: 'kubernetes.NamedFormat'; readonly name: string; problems(text: string): readonly string[] }
  | { readonly cel: 'kubernetes.Semver'; readonly version: Semver; readonly text: string }
  | { readonly cel: 'net.IP'; readonly address: Address }
  | { readonly cel: 'net.CIDR'; readonly address: Address; readonly bits: number };

export interface Semver {
  readonly core: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly pre: readonly string[];
  readonly build: readonly string[];
}
export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

export const NONE: CelOptional = { cel: 'optional', value: undefined };

export function some(value: CelValue): CelOptional {
  return { cel: 'optional', value };
}

export function list(items: readonly CelValue[]): CelList {
  return { cel: 'list', size: items.length, at: (index) => items[index] ?? null };
}

export function items(list: CelList): CelValue[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

/** Keys of maps are bools, ints, uints and strings; `1` and `1u` and `1.0` are one key. */
export function map(entries: Iterable<readonly [CelValue, CelValue]>): CelMap {
  const members = new Map<string, readonly [CelValue, CelValue]>();
  for (const [key, value] of entries) members.set(keyText(key), [key, value]);
  return {
    cel: 'map',
    size: members.size,
    get: (key) => members.get(keyText(key))?.[1],
    keys: () => [...members.values()].map(([key]) => key),
  };
}

export function keyText(key: CelValue): string {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (typeof key === 'number') return Number.isInteger(key) ? `n${BigInt(key)}` : `d${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  return isTagged(key, 'uint') ? `n${key.value}` : 'x';
}

type Tagged = Extract<CelValue, { readonly cel: string }>;

export function isTagged<K extends Tagged['cel']>(value: CelValue, cel: K): value is Extract<Tagged, { cel: K }> {
  return typeof value === 'object' && value !== null && 'cel' in value && value.cel === cel;
}

/** The name of a value's type, as `type()` tells it and overloads are found by. */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
  }
  if (value === null) return 'null_type';
  if (value instanceof Uint8Array) return 'bytes';
  switch (value.cel) {
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'optional':
      return 'optional_type';
    case 'object':
      return 'map';
    default:
      return value.cel satisfies 'uint' | 'type' | 'list' | 'map' | OpaqueName;
  }
}

/** Equality across types is allowed, and false; numbers are compared by what they are worth. */
export function equal(a: CelValue, b: CelValue): boolean {
  if (a === b) return true;
  const left = numberOf(a);
  const right = numberOf(b);
  // eslint-disable-next-line eqeqeq -- a bigint and a number are compared by value
  if (left !== undefined && right !== undefined) return left == right;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    return a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  }
  return a.cel === b.cel && taggedEqual(a, b);
}

function numberOf(value: CelValue): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return isTagged(value, 'uint') ? value.value : undefined;
}

function taggedEqual(a: Tagged, b: Tagged): boolean {
  if (a.cel === 'list' && b.cel === 'list') return listsEqual(a, b);
  if (a.cel === 'map' && b.cel === 'map') {
    return a.size === b.size && a.keys().every((key) => sameMember(a.get(key), b.get(key)));
  }
  if (a.cel === 'object' && b.cel === 'object') {
    const names = new Set([...a.fields(), ...b.fields()]);
    return [...names].every((name) => sameMember(a.get(name), b.get(name)));
  }
  if (a.cel === 'optional' && b.cel === 'optional') return sameMember(a.value, b.value);
  if (a.cel === 'timestamp' || a.cel === 'duration') return a.nanos === (b as CelTime).nanos;
  if (a.cel === 'type') return a.name === (b as CelTypeName).name;
  return opaqueEqual(a as Opaque, b as Opaque);
}

function sameMember(a: CelValue | undefined, b: CelValue | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equal(a, b);
}

function listsEqual(a: CelList, b: CelList): boolean {
  if (a.size !== b.size) return false;
  const identity = a.identity ?? b.identity;
  if (!identity) {
    for (let index = 0; index < a.size; index++) if (!equal(a.at(index), b.at(index))) return false;
    return true;
  }
  const byIdentity = new Map(items(b).map((item) => [identity(item), item]));
  return items(a).every((item) => sameMember(item, byIdentity.get(identity(item))));
}

function opaqueEqual(a: Opaque, b: Opaque): boolean {
  switch (a.cel) {
    case 'kubernetes.Quantity':
      return b.cel === a.cel && a.quantity.nanos === b.quantity.nanos;
    case 'kubernetes.URL':
    case 'kubernetes.Semver':
      return b.cel === a.cel && a.text === b.text;
    case 'kubernetes.NamedFormat':
      return b.cel === a.cel && a.name === b.name;
    case 'net.IP':
      return b.cel === a.cel && sameAddress(a.address, b.address);
    case 'net.CIDR':
      return b.cel === a.cel && a.bits === b.bits && sameAddress(a.address, b.address);
  }
}

function sameAddress(a: Address, b: Address): boolean {
  return a.family === b.family && a.bits === b.bits;
}
