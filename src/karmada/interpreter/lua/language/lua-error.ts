/** What can go wrong in a script. */
import type { LuaValue } from './value.ts';

/** An error a script can catch with `pcall`; the value is what it would catch. */
export class LuaError extends Error {
  override readonly name = 'LuaError';
  readonly value: LuaValue;
  readonly line: number | undefined;

  constructor(message: string, value: LuaValue, line: number | undefined) {
    super(message);
    this.value = value;
    this.line = line;
  }
}

/** The script is no Lua. */
export class LuaSyntaxError extends Error {
  override readonly name = 'LuaSyntaxError';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** A limit was reached. No script can catch this: otherwise it could go on. */
export class LuaLimitError extends Error {
  override readonly name = 'LuaLimitError';
  readonly limit: 'time' | 'memory' | 'output';
  readonly line: number | undefined;

  constructor(limit: 'time' | 'memory' | 'output', message: string, line: number | undefined) {
    super(message);
    this.limit = limit;
    this.line = line;
  }
}

export type ScriptError = LuaError | LuaSyntaxError | LuaLimitError;

export function isScriptError(error: unknown): error is ScriptError {
  return error instanceof LuaError || error instanceof LuaSyntaxError || error instanceof LuaLimitError;
}
