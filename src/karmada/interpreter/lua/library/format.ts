/** `string.format`, which in gopher-lua is Go's: `%g` gives the shortest form, `%d` cuts off, `%s` takes anything. */
import { type LuaValue, numberOf, type Run, shortest, signedExponent } from '../language/index.ts';
import type { Arguments } from './arguments.ts';
import { tostring } from './base.ts';

const DIRECTIVE = /%([-+ #0]*)(\d*)(?:\.(\d*))?([a-zA-Z%])/g;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly verb: string;
}

export function format(args: Arguments, run: Run): string {
  let position = 1;
  return args.string(1).replaceAll(DIRECTIVE, (_whole, flags: string, width: string, precision, verb: string) => {
    if (verb === '%') return '%';
    position++;
    if (position > args.count) throw args.wrong(position, 'no value');
    const directive = {
      flags,
      width: Math.min(Number(width), WIDEST),
      precision: precision === undefined ? undefined : Math.min(Number(precision), MOST_DIGITS),
      verb,
    };
    return padded(formatted(directive, args.get(position), args, position, run), directive);
  });
}

/** Wider than any message; a wider one would only be a way to waste memory. */
const WIDEST = 1_000;
/** As many as JavaScript gives. */
const MOST_DIGITS = 100;

function formatted(directive: Directive, value: LuaValue, args: Arguments, position: number, run: Run): string {
  const { verb, precision } = directive;
  switch (verb) {
    case 's':
    case 'v':
      return tostring(value, run).slice(0, precision);
    case 'q':
      return JSON.stringify(tostring(value, run));
    case 'd':
    case 'i':
      // As gopher-lua: a string is put in as it is, if it is a number, and counts as 0 otherwise.
      if (typeof value === 'string') return numberOf(value) === undefined ? '0' : value;
      return signed(integer(number(value, args, position), 10, precision), directive);
    case 'x':
    case 'X':
    case 'o':
    case 'b': {
      const digits = integer(number(value, args, position), { x: 16, X: 16, o: 8, b: 2 }[verb], precision);
      return verb === 'X' ? digits.toUpperCase() : digits;
    }
    case 'c':
      return String.fromCharCode(Math.trunc(number(value, args, position)) & 255);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return signed(float(number(value, args, position), verb, precision), directive);
    default:
      throw run.error(`invalid option '%${verb}' to 'format'`);
  }
}

function number(value: LuaValue, args: Arguments, position: number): number {
  if (typeof value === 'number') return value;
  return args.number(position);
}

function integer(value: number, base: number, precision: number | undefined): string {
  const whole = Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
  const digits = (whole < 0n ? -whole : whole).toString(base).padStart(precision ?? 0, '0');
  return whole < 0n ? `-${digits}` : digits;
}

function float(value: number, verb: string, precision: number | undefined): string {
  if (!Number.isFinite(value)) return shortest(value);
  const text = finite(value, verb.toLowerCase(), precision);
  return verb === 'E' || verb === 'G' ? text.toUpperCase() : text;
}

function finite(value: number, verb: string, precision: number | undefined): string {
  if (verb === 'f') return fixed(value, precision ?? 6);
  if (verb === 'e') return exponential(value, precision ?? 6);
  if (precision === undefined) return shortest(value);
  const digits = Math.max(precision, 1);
  const power = Number(value.toExponential(digits - 1).split('e')[1]);
  const trimmed = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (power >= -4 && power < digits) return trimmed(fixed(value, digits - 1 - power));
  const [mantissa = '', exponent = ''] = exponential(value, digits - 1).split('e');
  return `${trimmed(mantissa)}e${exponent}`;
}

/** Exact ties go to the even digit, as in Go; JavaScript rounds them up. Above 1e21 it would write an exponent. */
function fixed(value: number, digits: number): string {
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;
  const rounded = value.toFixed(digits);
  if (digits >= MOST_DIGITS) return rounded;
  const exact = value.toFixed(MOST_DIGITS);
  const end = exact.indexOf('.') + 1 + digits;
  const below = exact.slice(0, digits === 0 ? end - 1 : end);
  return /^50*$/.test(exact.slice(end)) && /[02468]$/.test(below) ? below : rounded;
}

function exponential(value: number, digits: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(digits).split('e');
  return `${mantissa}e${signedExponent(Number(exponent))}`;
}

function signed(text: string, { flags }: Directive): string {
  if (text.startsWith('-') || text.startsWith('+')) return text;
  if (flags.includes('+')) return `+${text}`;
  return flags.includes(' ') ? ` ${text}` : text;
}

function padded(text: string, { flags, width, verb }: Directive): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0') || verb === 's' || verb === 'q') return text.padStart(width);
  const [sign = ''] = /^[-+ ]?/.exec(text) ?? [];
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}
