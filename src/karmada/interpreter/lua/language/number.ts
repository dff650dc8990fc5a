/** Numbers as text and back, as gopher-lua (and so Go) writes and reads them. */

/** Whole numbers without a fraction or an exponent; of others the shortest form that reads back the same. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63) return BigInt(value).toString();
  return shortest(value);
}

/** As Go's `%g` without a precision. */
export function shortest(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  return power < -4 || power >= 6 ? `${mantissa}e${signedExponent(power)}` : String(value);
}

/** Go writes at least two digits of an exponent. */
export function signedExponent(power: number): string {
  return `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const HEXADECIMAL = /^[+-]?0[xX][0-9a-fA-F]+$/;

/** The number a string spells, white space around it ignored; undefined when it spells none. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (DECIMAL.test(trimmed)) return Number(trimmed);
  if (!HEXADECIMAL.test(trimmed)) return undefined;
  const digits = Number(trimmed.replace(/^[+-]/, ''));
  return trimmed.startsWith('-') ? -digits : digits;
}
