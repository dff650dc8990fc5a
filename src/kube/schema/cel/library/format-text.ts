/** `'%s is %d'.format(['a', 5])`: clauses as Go's `fmt` has them, numbers as English writes them. */
import { CelError } from '../cel-error.ts';
import { formatSeconds } from '../duration.ts';
import { type CelValue, isTagged, items, typeNameOf } from '../value.ts';
import { formatDouble } from './number-text.ts';
import { formatTime } from './time.ts';

/** How each argument is printed. Throws for a clause that is none. */
export function clausesOf(text: string): ((value: CelValue) => string)[] {
  return parts(text).filter((part) => typeof part !== 'string');
}

export function formatText(text: string, args: readonly CelValue[]): string {
  let next = 0;
  return parts(text)
    .map((part) => {
      if (typeof part === 'string') return part;
      const argument = args[next];
      if (argument === undefined) throw new CelError(`index ${next} out of range`);
      next++;
      return part(argument);
    })
    .join('');
}

const CLAUSE = /%(?:(%)|(?:\.(\d+))?([a-zA-Z])?)/g;

/** Plain text, and what prints an argument. */
function parts(text: string): (string | ((value: CelValue) => string))[] {
  const found: (string | ((value: CelValue) => string))[] = [];
  let last = 0;
  for (const match of text.matchAll(CLAUSE)) {
    const [whole, percent, precision, verb] = match;
    found.push(text.slice(last, match.index));
    last = match.index + whole.length;
    found.push(percent ?? clause(verb, precision === undefined ? 6 : Number(precision)));
  }
  found.push(text.slice(last));
  return found;
}

function clause(verb: string | undefined, precision: number): (value: CelValue) => string {
  if (verb === undefined) throw new CelError('unexpected end of string');
  const print = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!print) {
    throw new CelError(`could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(verb)}`);
  }
  return (value) => print(value, precision);
}

const VERBS: Readonly<Record<string, (value: CelValue, precision: number) => string>> = {
  s: printed,
  d: (value) => integer(value, 10, 'decimal clause can only be used on integers'),
  o: (value) => integer(value, 8, 'octal clause can only be used on integers'),
  b(value) {
    if (typeof value === 'boolean') return value ? '1' : '0';
    return integer(value, 2, 'only integers and bools can be formatted as binary');
  },
  x: hex,
  X: (value) => hex(value).toUpperCase(),
  f: (value, precision) =>
    double(value, 'fixed-point').toLocaleString('en-US', {
      minimumFractionDigits: precision,
      maximumFractionDigits: precision,
    }),
  e: (value, precision) => scientific(double(value, 'scientific'), precision),
};

function refuse(words: string, value: CelValue): never {
  throw new CelError(`error during formatting: ${words}, was given ${typeNameOf(value)}`);
}

function integer(value: CelValue, base: number, words: string): string {
  if (typeof value === 'bigint') return value.toString(base);
  return isTagged(value, 'uint') ? value.value.toString(base) : refuse(words, value);
}

function hex(value: CelValue): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integer(value, 16, 'only integers, byte buffers, and strings can be formatted as hex');
}

function double(value: CelValue, what: string): number {
  if (value === 'NaN') return Number.NaN;
  if (value === 'Infinity' || value === '-Infinity') return Number(value);
  return typeof value === 'number' ? value : refuse(`${what} clause can only be used on doubles`, value);
}

const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  '-': '⁻',
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
};

/** `1.234500×10⁰³`. */
function scientific(value: number, precision: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(precision).split('e');
  const digits = exponent.replace('+', '').replace(/^(-?)(\d)$/, '$10$2');
  return `${mantissa}×10${digits.replaceAll(/./g, (char) => SUPERSCRIPTS[char] ?? char)}`;
}

/** Any value as `%s` prints it. */
function printed(value: CelValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatDouble(value);
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object') return String(value);
  switch (value.cel) {
    case 'uint':
      return String(value.value);
    case 'timestamp':
      return formatTime(value);
    case 'duration':
      return formatSeconds(value.nanos);
    case 'type':
      return value.name;
    case 'list':
      return `[${items(value).map(quoted).join(', ')}]`;
    case 'map': {
      const entries = value.keys().map((key) => `${quoted(key)}:${quoted(value.get(key) ?? null)}`);
      return `{${entries.sort().join(', ')}}`;
    }
    default:
      return refuse(PRINTABLE, value);
  }
}

const PRINTABLE =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** Members of lists and maps are printed as CEL would write them. */
function quoted(value: CelValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(6) : JSON.stringify(printed(value));
  if (value instanceof Uint8Array) return `b${JSON.stringify(printed(value))}`;
  if (isTagged(value, 'timestamp') || isTagged(value, 'duration'))
    return `${value.cel}(${JSON.stringify(printed(value))})`;
  return printed(value);
}
