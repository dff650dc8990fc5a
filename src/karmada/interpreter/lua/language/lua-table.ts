/**
 * A Lua table: a list part for the keys 1, 2, 3 … and a map for all others, in the order they came.
 *
 * Length and order are those of gopher-lua, which Karmada's scripts are written for: a list is as long as its last
 * value that is not nil, holes or not, and iteration goes through the list, then through the map.
 */
import type { LuaValue } from './value.ts';

/** Who pays for memory. */
export interface Meter {
  charge(bytes: number): void;
}

/** Keys from here on are kept in the map, so that nobody makes a list of billions with one assignment. */
const LIST_LIMIT = 2 ** 26;
/** A place in the list, and the number that may be boxed in it. */
const SLOT_BYTES = 24;
const ENTRY_BYTES = 64;

interface Order {
  readonly keys: readonly LuaValue[];
  readonly positions: ReadonlyMap<LuaValue, number>;
}

export class LuaTable {
  readonly list: LuaValue[] = [];
  #own: Map<LuaValue, LuaValue> | undefined;
  readonly #shared: ReadonlyMap<LuaValue, LuaValue> | undefined;
  /** Made when `next` is first asked for, good until a key is added. */
  #order: Order | undefined;

  /** Entries given are shared with whoever else has them, until the table is first changed. */
  constructor(entries?: ReadonlyMap<LuaValue, LuaValue>) {
    this.#shared = entries;
  }

  get #map(): ReadonlyMap<LuaValue, LuaValue> | undefined {
    return this.#own ?? this.#shared;
  }

  get(key: LuaValue): LuaValue {
    return typeof key === 'number' && isListKey(key) ? this.list[key - 1] : this.#map?.get(key);
  }

  /** For keys known not to be numbers. */
  field(key: string): LuaValue {
    return this.#map?.get(key);
  }

  /** The key must be neither nil nor NaN. */
  set(key: LuaValue, value: LuaValue, meter: Meter): void {
    if (typeof key === 'number' && isListKey(key)) this.#setItem(key, value, meter);
    else this.#setEntry(key, value, meter);
  }

  #setItem(key: number, value: LuaValue, meter: Meter): void {
    const { list } = this;
    if (key > list.length) {
      // As gopher-lua: what is between the end and the new item becomes nil, not a hole.
      meter.charge((key - list.length) * SLOT_BYTES);
      while (list.length < key - 1) list.push(undefined);
      list.push(value);
    } else list[key - 1] = value;
  }

  #setEntry(key: LuaValue, value: LuaValue, meter: Meter): void {
    this.#own ??= new Map(this.#shared);
    if (!this.#own.has(key)) {
      if (value === undefined) return;
      meter.charge(ENTRY_BYTES);
      this.#order = undefined;
    }
    // An entry set to nil keeps its place: tables may be cleared while they are gone through.
    this.#own.set(key, value);
  }

  length(): number {
    const { list } = this;
    while (list.length > 0 && list[list.length - 1] === undefined) list.pop();
    return list.length;
  }

  /** The entry after `key`, the first one after nil; undefined at the end or for a key that was never there. */
  next(key: LuaValue, meter: Meter): readonly [key: LuaValue, value: LuaValue] | undefined {
    if (key === undefined || (typeof key === 'number' && isListKey(key))) {
      for (let index = key ?? 0; index < this.list.length; index++) {
        if (this.list[index] !== undefined) return [index + 1, this.list[index]];
      }
      return this.#entryFrom(0, meter);
    }
    const position = this.#ordered(meter).positions.get(key);
    return position === undefined ? undefined : this.#entryFrom(position + 1, meter);
  }

  #entryFrom(position: number, meter: Meter): readonly [key: LuaValue, value: LuaValue] | undefined {
    if (!this.#map) return undefined;
    const { keys } = this.#ordered(meter);
    for (let at = position; at < keys.length; at++) {
      const value = this.#map.get(keys[at]);
      if (value !== undefined) return [keys[at], value];
    }
    return undefined;
  }

  #ordered(meter: Meter): Order {
    if (!this.#order) {
      const keys = Array.from(this.#map?.keys() ?? []);
      meter.charge(keys.length * ENTRY_BYTES);
      this.#order = { keys, positions: new Map(keys.map((key, position) => [key, position])) };
    }
    return this.#order;
  }

  /** All entries with a value, list first; sees what is changed while it runs. */
  *entries(): Generator<readonly [key: LuaValue, value: LuaValue]> {
    for (let index = 0; index < this.list.length; index++) {
      if (this.list[index] !== undefined) yield [index + 1, this.list[index]];
    }
    for (const entry of this.#map ?? []) if (entry[1] !== undefined) yield entry;
  }
}

function isListKey(key: number): boolean {
  return key >= 1 && key < LIST_LIMIT && Number.isInteger(key);
}
