/**
 * Text in columns, as kubectl prints them: upper-case heads, three spaces between, nothing trailing.
 *
 * The last column may wrap: given a width, its text continues below itself instead of running off the screen.
 */
export interface TableOptions {
  /** The screen's width; absent: never wrap. */
  readonly width?: number;
}

const GAP = '   ';
/** A last column narrower than this is not worth wrapping into. */
const NARROWEST = 24;

export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width }: TableOptions = {},
): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => displayWidth(row[column] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(NARROWEST, width - before);
  return all.flatMap((row) => linesOf(row, widths, before, room)).join('\n');
}

function linesOf(row: readonly string[], widths: readonly number[], before: number, room: number): string[] {
  const cells = widths.slice(0, -1).map((one, column) => pad(row[column] ?? '', one));
  const [first = '', ...more] = wrap(row[widths.length - 1] ?? '', room);
  return [[...cells, first].join(GAP).trimEnd(), ...more.map((line) => ' '.repeat(before) + line)];
}

function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - displayWidth(text)));

/** How many columns a terminal uses: CJK and full-width characters take two, colour codes none. */
export function displayWidth(text: string): number {
  let width = 0;
  // eslint-disable-next-line no-control-regex -- colour codes are control characters
  for (const char of text.replaceAll(/\u001b\[[\d;]*m/g, '')) width += isWide(char.codePointAt(0) ?? 0) ? 2 : 1;
  return width;
}

function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff)
  );
}
