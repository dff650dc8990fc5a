/**
 * The values of Lua 5.1. Nil is `undefined`; a number is a double; a string is a string of bytes, one UTF-16 unit (0 to
 * 255) each, so that lengths and positions are those of Lua; {@link luaString} and {@link textOf} cross the border.
 */
import { formatNumber } from './number.ts';
import { LuaTable } from './lua-table.ts';
import type { Run } from './run.ts';

export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction;

/** Takes and gives any number of values. */
export type LuaFunction = (run: Run, args: readonly LuaValue[]) => readonly LuaValue[];

export const NOTHING: readonly LuaValue[] = [];

export type TypeName = 'nil' | 'boolean' | 'number' | 'string' | 'function' | 'table';

export function typeName(value: LuaValue): TypeName {
  if (value === undefined) return 'nil';
  if (value instanceof LuaTable) return 'table';
  return typeof value as 'boolean' | 'number' | 'string' | 'function';
}

/** Everything but nil and false. */
export function isTruthy(value: LuaValue): boolean {
  return value !== undefined && value !== false;
}

/** A string or a number as a string; undefined for what does not turn into one by itself. */
export function stringOf(value: LuaValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? formatNumber(value) : undefined;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Text as Lua sees it: its UTF-8 bytes. */
export function luaString(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** The text that the bytes spell; bytes that spell none become U+FFFD. */
export function textOf(string: string): string {
  return BEYOND_ASCII.test(string) ? Buffer.from(string, 'latin1').toString('utf8') : string;
}
