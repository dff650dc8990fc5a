export { type Chunk, compile } from './compile.ts';
export { isScriptError, LuaError, LuaLimitError, LuaSyntaxError, type ScriptError } from './lua-error.ts';
export { LuaTable, type Meter } from './lua-table.ts';
export { formatNumber, parseNumber, shortest, signedExponent } from './number.ts';
export { isLess, modulo, numberOf } from './operators.ts';
export { DEFAULT_LIMITS, type Limits, REAL_WORLD, Run, type World } from './run.ts';
export {
  isTruthy,
  type LuaFunction,
  type LuaValue,
  luaString,
  NOTHING,
  stringOf,
  textOf,
  type TypeName,
  typeName,
} from './value.ts';
