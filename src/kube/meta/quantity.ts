/**
 * Kubernetes quantities (`500m`, `1.5Gi`, `12e6`), exact.
 *
 * A quantity is a whole number of billionths and the family of suffixes it was written in; sums and differences keep
 * the family of their left side, as Kubernetes does, so that what a user wrote in Gi is reported in Gi. What is finer
 * than a billionth is rounded away from zero. Start at {@link parseQuantity} and {@link formatQuantity}.
 */
import { badRequest } from '#base/status-error.ts';

export interface Quantity {
  readonly nanos: bigint;
  readonly family: 'decimal' | 'binary' | 'exponent';
}

export const ZERO: Quantity = { nanos: 0n, family: 'decimal' };

const NANO = 1_000_000_000n;
const MILLI = 1_000_000n;
/** Kubernetes caps what it cannot keep in 63 bits. */
const MAX_NANOS = (2n ** 63n - 1n) * NANO;
const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]*)([+-]?\d*)$/;
const WRONG_SHAPE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Reads a quantity, or a plain JSON number, which users write for `cpu: 2`. */
export function parseQuantity(input: string | number): Quantity {
  const parsed = tryParseQuantity(input);
  if (!parsed) throw badRequest(WRONG_SHAPE);
  return parsed;
}

export function isQuantity(input: unknown): boolean {
  return (typeof input === 'string' || typeof input === 'number') && tryParseQuantity(input) !== undefined;
}

/** Undefined for what is no quantity. */
export function tryParseQuantity(input: string | number): Quantity | undefined {
  const match = SHAPE.exec(String(input));
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix = '', exponent = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const scale = scaleOf(suffix, exponent);
  if (!scale) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const nanos = ceilDivide(digits * NANO * scale.times, 10n ** BigInt(fraction.length) * scale.over);
  const capped = nanos > MAX_NANOS ? MAX_NANOS : nanos;
  return { nanos: sign === '-' ? -capped : capped, family: scale.family };
}

interface Suffix {
  readonly times: bigint;
  readonly over: bigint;
  readonly family: Quantity['family'];
}

function scaleOf(suffix: string, exponent: string): Suffix | undefined {
  if (exponent !== '') return /^[eE]$/.test(suffix) ? powerOfTen(Number(exponent), 'exponent') : undefined;
  const binary = BINARY_SUFFIXES.indexOf(suffix as (typeof BINARY_SUFFIXES)[number]);
  if (binary > 0) return { times: 1024n ** BigInt(binary), over: 1n, family: 'binary' };
  const decimal = DECIMAL_SUFFIXES.indexOf(suffix as (typeof DECIMAL_SUFFIXES)[number]);
  return decimal < 0 ? undefined : powerOfTen((decimal - 3) * 3, 'decimal');
}

function powerOfTen(power: number, family: Quantity['family']): Suffix {
  // Beyond what a quantity can hold in either direction the result is the cap or one billionth anyway.
  const bounded = Math.max(-400, Math.min(400, power));
  return bounded >= 0
    ? { times: 10n ** BigInt(bounded), over: 1n, family }
    : { times: 1n, over: 10n ** BigInt(-bounded), family };
}

/** The canonical form: no fraction, the largest suffix that needs none. */
export function formatQuantity({ nanos, family }: Quantity): string {
  const size = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  if (size === 0n) return '0';
  // Binary suffixes write whole numbers of at least 1Ki; rather than round, anything else is written in decimal ones.
  if (family === 'binary' && size >= 1024n * NANO && size % NANO === 0n) {
    const [mantissa, power] = reduce(size / NANO, 1024n, BINARY_SUFFIXES.length - 1);
    return `${sign}${mantissa}${BINARY_SUFFIXES[power]}`;
  }
  const [mantissa, power] = reduce(size, 1000n, DECIMAL_SUFFIXES.length - 1);
  if (family !== 'exponent') return `${sign}${mantissa}${DECIMAL_SUFFIXES[power]}`;
  return power === 3 ? `${sign}${mantissa}` : `${sign}${mantissa}e${(power - 3) * 3}`;
}

/** Divides by `base` while that leaves no rest, at most `limit` times. */
function reduce(value: bigint, base: bigint, limit: number): [mantissa: bigint, power: number] {
  let mantissa = value;
  let power = 0;
  while (power < limit && mantissa % base === 0n) {
    mantissa /= base;
    power++;
  }
  return [mantissa, power];
}

/** The canonical form of what a user wrote. */
export function canonicalQuantity(input: string | number): string {
  return formatQuantity(parseQuantity(input));
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, family: a.nanos === 0n ? b.family : a.family };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos - b.nanos, family: a.nanos === 0n ? b.family : a.family };
}

/** `times` a whole number, such as replicas. */
export function multiplyQuantity({ nanos, family }: Quantity, times: number | bigint): Quantity {
  return { nanos: nanos * BigInt(times), family };
}

/** Whole units, rounded away from zero. */
export function quantityValue({ nanos }: Quantity): number {
  return Number(roundAway(nanos, NANO));
}

/** Thousandths, rounded away from zero: what CPU is counted in. */
export function quantityMilliValue({ nanos }: Quantity): number {
  return Number(roundAway(nanos, MILLI));
}

/** A quantity of whole units. */
export function quantityOf(units: number | bigint, family: Quantity['family'] = 'decimal'): Quantity {
  return { nanos: BigInt(units) * NANO, family };
}

/** A quantity of thousandths. */
export function milliQuantityOf(millis: number | bigint, family: Quantity['family'] = 'decimal'): Quantity {
  return { nanos: BigInt(millis) * MILLI, family };
}

function roundAway(nanos: bigint, unit: bigint): bigint {
  return nanos < 0n ? -ceilDivide(-nanos, unit) : ceilDivide(nanos, unit);
}

/** Division of a non-negative number that rounds up. */
function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
