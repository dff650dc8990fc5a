/** One call of a function of a script: compile, run its top level, call the function, take its results as JSON. */
import {
  type Chunk,
  compile,
  DEFAULT_LIMITS,
  type Limits,
  LuaError,
  type LuaFunction,
  REAL_WORLD,
  Run,
  typeName,
  type World,
} from './language/index.ts';
import { globals } from './library/globals.ts';
import { type Encoded, fromJson, toJson } from './values.ts';

export interface ScriptCall {
  readonly source: string;
  readonly functionName: string;
  /** Objects, numbers, lists: what JSON can say. */
  readonly args: readonly unknown[];
  /** How many results are wanted. */
  readonly results: number;
}

export type CallResults = readonly Encoded[];

/** Throws a ScriptError. Nothing outlives the call: the script finds the same world each time. */
export function runScript(call: ScriptCall, limits: Limits = DEFAULT_LIMITS, world: World = REAL_WORLD): CallResults {
  const chunk = compiled(call.source);
  const run = new Run(globals(), limits, world);
  try {
    chunk(run)(run, []);
    const values = functionNamed(run, call.functionName)(run, call.args.map(fromJson));
    return Array.from({ length: call.results }, (_, index) => toJson(values[index], run, limits.outputBytes));
  } catch (error) {
    if (error instanceof RangeError) throw run.error('stack overflow');
    throw error;
  }
}

function functionNamed(run: Run, name: string): LuaFunction {
  const found = run.globals.field(name);
  if (typeof found === 'function') return found;
  const problem = found === undefined ? `not found function ${name}` : `${name} is not a function: ${typeName(found)}`;
  throw new LuaError(problem, problem, undefined);
}

/** Scripts compiled last. They are pure code and may be shared by all who run them. */
const cache = new Map<string, Chunk>();
const CACHED = 500;

function compiled(source: string): Chunk {
  const known = cache.get(source);
  if (known) return known;
  const chunk = compile(source);
  if (cache.size >= CACHED) for (const oldest of cache.keys()) if (cache.delete(oldest)) break;
  cache.set(source, chunk);
  return chunk;
}
