/** Durations as Go writes and reads them: `1h30m`, `1.5s`. */

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

/** Nanoseconds; undefined for what is no duration. */
export function parseDuration(text: string): bigint | undefined {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0n;
  let nanos = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < unsigned.length) {
    const start = PART.lastIndex;
    const match = PART.exec(unsigned);
    if (!match || start === unsigned.length) return undefined;
    const [, whole = '', fraction = '', unit = ''] = match;
    if (whole === '' && fraction === '') return undefined;
    const scale = UNITS[unit] ?? 0n;
    nanos += BigInt(whole || '0') * scale + (BigInt(fraction || '0') * scale) / 10n ** BigInt(fraction.length);
  }
  return unsigned === '' ? undefined : text.startsWith('-') ? -nanos : nanos;
}

/** Seconds with their fraction, as CEL writes a duration: `90s`, `0.5s`. */
export function formatSeconds(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = (size % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}
