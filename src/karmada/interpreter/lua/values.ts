/**
 * Objects as Lua tables, and back.
 *
 * Lua has one empty table where JSON has two. What comes back empty is `[]` until {@link restoreEmpty} has compared it
 * with the objects the script was given: where one of them has `{}`, it becomes `{}`; where one has `[]`, it stays;
 * where none has either, the script made it up and it is left out. As karmada v1.18 luavm/lua_convert.go.
 */
import { isObject } from '#base/json.ts';
import {
  LuaError,
  LuaLimitError,
  luaString,
  LuaTable,
  type LuaValue,
  type Run,
  textOf,
  typeName,
} from './language/index.ts';

export function fromJson(value: unknown): LuaValue {
  if (typeof value === 'string') return luaString(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const table = new LuaTable();
    // A nil in a list would end it for the script; Karmada's scripts never see one.
    for (const item of value) if (item !== null && item !== undefined) table.list.push(fromJson(item));
    return table;
  }
  return isObject(value) ? tableOf(value) : undefined;
}

function tableOf(object: Record<string, unknown>): LuaTable {
  const entries = new Map<LuaValue, LuaValue>();
  for (const key in object) {
    const value = fromJson(object[key]);
    if (value !== undefined) entries.set(luaString(key), value);
  }
  return new LuaTable(entries);
}

/** What JSON.parse gives, and undefined for nil. */
export type Encoded = undefined | boolean | number | string | readonly Encoded[] | { readonly [key: string]: Encoded };

/** Throws for what JSON cannot say: functions, tables with keys of both sorts, lists with holes, tables in themselves. */
export function toJson(value: LuaValue, run: Run, outputBytes = Number.POSITIVE_INFINITY): Encoded {
  const seen = new Set<LuaTable>();
  let bytes = 0;

  function count(size: number): void {
    bytes += size;
    run.step(undefined, 0.25);
    if (bytes > outputBytes) throw new LuaLimitError('output', `returned more than ${outputBytes} bytes`, undefined);
  }

  function encode(item: LuaValue): Encoded {
    if (item instanceof LuaTable) return encodeTable(item);
    if (typeof item === 'function') throw unsayable('cannot encode function to JSON');
    if (typeof item === 'number' && !Number.isFinite(item)) throw unsayable(`json: unsupported value: ${item}`);
    count(typeof item === 'string' ? item.length + 2 : 8);
    return typeof item === 'string' ? textOf(item) : item;
  }

  function encodeTable(table: LuaTable): Encoded {
    // As in Karmada, a table that is there twice is refused like one that contains itself.
    if (seen.has(table)) throw unsayable('cannot encode recursively nested tables to JSON');
    seen.add(table);
    count(2);
    const list: Encoded[] = [];
    const object: Record<string, Encoded> = {};
    let keys: 'none' | 'number' | 'string' = 'none';
    for (const [key, item] of table.entries()) {
      const type = typeName(key);
      if (keys === 'none' && (type === 'number' || type === 'string')) keys = type;
      if (type !== keys) throw unsayable('cannot encode mixed or invalid key types');
      if (typeof key === 'string') {
        count(key.length + 4);
        define(object, textOf(key), encode(item));
      } else if (key === list.length + 1) list.push(encode(item));
      else throw unsayable('cannot encode sparse array');
    }
    return keys === 'string' ? object : list;
  }

  return encode(value);
}

function unsayable(message: string): LuaError {
  return new LuaError(message, message, undefined);
}

/** A script may name a field `__proto__`. */
function define(object: Record<string, Encoded>, key: string, value: Encoded): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Makes `{}` of `[]` where a reference has it, and leaves out what no reference has empty. */
export function restoreEmpty(value: Encoded, references: readonly unknown[]): Encoded {
  const lists = new Set<string>();
  const objects = new Set<string>();
  for (const reference of references) collectEmpty(reference, '', lists, objects);

  function restore(item: Encoded, path: string): Encoded {
    if (Array.isArray(item)) {
      return item.flatMap((member) => kept(restore(member, path), member, path));
    }
    if (!isObject(item)) return item;
    const object: Record<string, Encoded> = {};
    for (const [key, member] of Object.entries(item)) {
      const below = `${path}/${key}`;
      for (const restored of kept(restore(member, below), member, below)) define(object, key, restored);
    }
    return object;
  }

  /** None, or the one that stays. */
  function kept(restored: Encoded, before: Encoded, path: string): readonly Encoded[] {
    if (!isEmptyList(before)) return [restored];
    if (objects.has(path)) return [{}];
    return lists.has(path) ? [[]] : [];
  }

  return restore(value, '');
}

/** With nothing to compare with, everything empty was made up. */
export function withoutEmpty(value: Encoded): Encoded {
  return restoreEmpty(value, []);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Paths leave the positions in lists out: all items of a list are alike. */
function collectEmpty(value: unknown, path: string, lists: Set<string>, objects: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) note(item, path, lists, objects);
  } else if (isObject(value)) {
    for (const key in value) note(value[key], `${path}/${key}`, lists, objects);
  }
}

function note(value: unknown, path: string, lists: Set<string>, objects: Set<string>): void {
  if (isEmptyList(value)) lists.add(path);
  else if (isObject(value) && Object.keys(value).length === 0) objects.add(path);
  else collectEmpty(value, path, lists, objects);
}
