/** `math`. Numbers are doubles; what a function needs as a whole number is cut off. */
import { modulo, NOTHING, type Run } from '../language/index.ts';
import type { Arguments, Builtin, Library } from './arguments.ts';

const of =
  (compute: (x: number) => number): Builtin =>
  (args) =>
    compute(args.number(1));
const ofTwo =
  (compute: (x: number, y: number) => number): Builtin =>
  (args) =>
    compute(args.number(1), args.number(2));

export const MATH: Library = {
  abs: of(Math.abs),
  acos: of(Math.acos),
  asin: of(Math.asin),
  atan: of(Math.atan),
  atan2: ofTwo(Math.atan2),
  ceil: of(Math.ceil),
  cos: of(Math.cos),
  cosh: of(Math.cosh),
  deg: of((radians) => (radians * 180) / Math.PI),
  exp: of(Math.exp),
  floor: of(Math.floor),
  fmod: ofTwo((x, y) => x % y),
  frexp: (args) => frexp(args.number(1)),
  ldexp: ofTwo((mantissa, exponent) => mantissa * 2 ** Math.trunc(exponent)),
  log: of(Math.log),
  log10: of(Math.log10),
  max: (args, run) => extreme(args, run, (a, b) => a > b),
  min: (args, run) => extreme(args, run, (a, b) => a < b),
  mod: ofTwo(modulo),
  modf(args) {
    const whole = Math.trunc(args.number(1));
    return [whole, args.number(1) - whole];
  },
  pow: ofTwo((base, exponent) => base ** exponent),
  rad: of((degrees) => (degrees * Math.PI) / 180),
  random: (args, run) => random(args, run),
  randomseed: () => NOTHING,
  sin: of(Math.sin),
  sinh: of(Math.sinh),
  sqrt: of(Math.sqrt),
  tan: of(Math.tan),
  tanh: of(Math.tanh),
};

export const MATH_CONSTANTS = { pi: Math.PI, huge: Number.MAX_VALUE } as const;

function extreme(args: Arguments, run: Run, isBetter: (a: number, b: number) => boolean): number {
  if (args.count === 0) throw run.error('wrong number of arguments');
  let best = args.number(1);
  for (let position = 2; position <= args.count; position++) {
    const candidate = args.number(position);
    if (isBetter(candidate, best)) best = candidate;
  }
  return best;
}

function frexp(value: number): readonly [mantissa: number, exponent: number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.floor(Math.log2(Math.abs(value))) + 1;
  // Rounding of the logarithm may be off by one next to a power of two.
  if (Math.abs(value) / 2 ** exponent >= 1) exponent++;
  return [value / 2 ** exponent, exponent];
}

function random(args: Arguments, run: Run): number {
  if (args.count === 0) return run.world.random();
  const [from, to] = args.count === 1 ? [1, args.integer(1)] : [args.integer(1), args.integer(2)];
  if (from > to) throw args.wrong(args.count, 'interval is empty');
  return from + Math.floor(run.world.random() * (to - from + 1));
}
