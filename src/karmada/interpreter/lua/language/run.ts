/**
 * One run of a script: its globals, where it is, and what it may still use up.
 *
 * Whatever can take long calls {@link Run.step}, whatever takes memory calls {@link Run.charge}; both throw a
 * {@link LuaLimitError}, which no script can catch. Memory counts everything ever allocated in the run, garbage too, so
 * the bound holds whatever the collector does.
 */
import { LuaError, LuaLimitError } from './lua-error.ts';
import type { LuaTable, Meter } from './lua-table.ts';
import type { LuaValue } from './value.ts';

export interface Limits {
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
}

/** Time as in Karmada; memory and output far above what a script about one object needs. */
export const DEFAULT_LIMITS: Limits = { timeMs: 1_000, memoryBytes: 64 * 2 ** 20, outputBytes: 3 * 2 ** 20 };

const CALL_DEPTH = 200;
/** What a string takes beside its bytes. */
const STRING_BYTES = 32;
/** More than any object holds. Without it, comparing two strings could take as long as many calls. */
const LONGEST_STRING = 2 * 2 ** 20;
/** Looking at the clock costs more than a step. */
const STEPS_BETWEEN_LOOKS = 1_024;

/** What a run sees of the world. */
export interface World {
  /** Milliseconds of any clock that does not go back. */
  readonly now: () => number;
  /** Milliseconds since the epoch. */
  readonly date: () => number;
  readonly random: () => number;
  /** Where `print` writes its lines. */
  readonly print: (line: string) => void;
}

/** Nobody listens to what scripts print. */
export const REAL_WORLD: World = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  print: () => undefined,
};

export class Run implements Meter {
  readonly globals: LuaTable;
  readonly world: World;
  /** The line of the call under way. */
  line: number | undefined;
  /** From which lines the functions that are under way were called. */
  readonly #calls: (number | undefined)[] = [];
  readonly #limits: Limits;
  readonly #deadline: number;
  #stepsToLook = STEPS_BETWEEN_LOOKS;
  #bytes = 0;
  #addresses: Map<LuaValue, number> | undefined;

  constructor(globals: LuaTable, limits: Limits, world: World) {
    this.globals = globals;
    this.world = world;
    this.#limits = limits;
    this.#deadline = world.now() + limits.timeMs;
  }

  /** Work was done: `cost` is one for what takes about as long as a call. */
  step(line: number | undefined = this.line, cost = 1): void {
    this.#stepsToLook -= cost;
    if (this.#stepsToLook > 0) return;
    this.#stepsToLook = STEPS_BETWEEN_LOOKS;
    if (this.world.now() <= this.#deadline) return;
    throw new LuaLimitError('time', `did not end within ${this.#limits.timeMs} ms`, line);
  }

  charge(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#limits.memoryBytes) return;
    throw new LuaLimitError('memory', `took more than ${this.#limits.memoryBytes} bytes of memory`, this.line);
  }

  /** A string the script made. */
  made(string: string): string {
    this.charge(string.length + STRING_BYTES);
    if (string.length <= LONGEST_STRING) return string;
    throw new LuaLimitError('memory', `made a string of more than ${LONGEST_STRING} bytes`, this.line);
  }

  enter(): void {
    if (this.#calls.length >= CALL_DEPTH) throw this.error('stack overflow');
    this.#calls.push(this.line);
    this.step();
  }

  leave(): void {
    this.line = this.#calls.pop();
  }

  get depth(): number {
    return this.#calls.length;
  }

  /** After an error was caught: the calls it ended are over. */
  unwind(depth: number): void {
    this.#calls.length = depth;
  }

  /** The line of the call under way (1), of the call of the function it is in (2), and so on. */
  lineAt(level: number): number | undefined {
    return level <= 1 ? this.line : this.#calls[this.#calls.length - level + 1];
  }

  /** An error with its place in front, as scripts see it. */
  error(message: string, line: number | undefined = this.line): LuaError {
    return this.#errorAt(message, line);
  }

  #errorAt(message: string, line: number | undefined): LuaError {
    return new LuaError(message, line === undefined ? message : `<string>:${line}: ${message}`, line);
  }

  /** What stands for the identity of a table or function where it is printed. */
  addressOf(value: LuaValue): string {
    this.#addresses ??= new Map();
    const address = this.#addresses.get(value) ?? this.#addresses.size + 1;
    this.#addresses.set(value, address);
    return `0x${address.toString(16).padStart(8, '0')}`;
  }

  /** An error whose value the script chose. */
  thrown(value: LuaValue, line: number | undefined): LuaError {
    return typeof value === 'string'
      ? this.#errorAt(value, line)
      : new LuaError(`(error object is a ${typeof value === 'object' ? 'table' : String(value)})`, value, line);
  }
}
