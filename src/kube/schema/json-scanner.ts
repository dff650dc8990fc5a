/**
 * Reads JSON text for what `JSON.parse` does not tell: where a key is given twice, and what is wrong with malformed
 * text in the words Go uses. Values are not built; {@link scanJson} is only for the cases where something is wrong.
 */

/** Follows the scanner into the document; `C` is what the visitor knows about the place it is at. */
export interface JsonVisitor<C> {
  /** At each key of an object; `again` when the object had it before. Returns the place of its value. */
  field(at: C, key: string, again: boolean): C;
  item(at: C, index: number): C;
}

/** How deep arrays and objects may be nested. Go stops at 10,000; the recursive walkers here need less stack than that. */
export const MAX_DEPTH = 1000;

/** What is wrong with the text, as Go's scanner says it; undefined when it is well-formed. */
export function scanJson<C>(text: string, visitor: JsonVisitor<C>, root: C): string | undefined {
  const scanner = { text, at: 0, depth: 0 };
  try {
    scanValue(scanner, visitor, root);
    skipSpace(scanner);
    if (scanner.at < text.length) fail(scanner, 'after top-level value');
    return undefined;
  } catch (error) {
    if (error instanceof Malformed) return error.message;
    throw error;
  }
}

class Malformed extends Error {}

interface Scanner {
  readonly text: string;
  at: number;
  depth: number;
}

function scanValue<C>(scanner: Scanner, visitor: JsonVisitor<C>, place: C): void {
  skipSpace(scanner);
  switch (scanner.text[scanner.at]) {
    case '{':
      return nested(scanner, () => scanObject(scanner, visitor, place));
    case '[':
      return nested(scanner, () => scanArray(scanner, visitor, place));
    case '"':
      scanString(scanner);
      return;
    case 't':
      return scanLiteral(scanner, 'true');
    case 'f':
      return scanLiteral(scanner, 'false');
    case 'n':
      return scanLiteral(scanner, 'null');
    default:
      return scanNumber(scanner);
  }
}

function nested(scanner: Scanner, scan: () => void): void {
  if (++scanner.depth > MAX_DEPTH) throw new Malformed('exceeded max depth');
  scanner.at++;
  scan();
  scanner.depth--;
}

function scanObject<C>(scanner: Scanner, visitor: JsonVisitor<C>, place: C): void {
  const seen = new Set<string>();
  skipSpace(scanner);
  if (take(scanner, '}')) return;
  for (;;) {
    skipSpace(scanner);
    if (scanner.text[scanner.at] !== '"') fail(scanner, 'looking for beginning of object key string');
    const key = scanString(scanner);
    const value = visitor.field(place, key, seen.has(key));
    seen.add(key);
    skipSpace(scanner);
    if (!take(scanner, ':')) fail(scanner, 'after object key');
    scanValue(scanner, visitor, value);
    skipSpace(scanner);
    if (take(scanner, '}')) return;
    if (!take(scanner, ',')) fail(scanner, 'after object key:value pair');
  }
}

function scanArray<C>(scanner: Scanner, visitor: JsonVisitor<C>, place: C): void {
  skipSpace(scanner);
  if (take(scanner, ']')) return;
  for (let index = 0; ; index++) {
    scanValue(scanner, visitor, visitor.item(place, index));
    skipSpace(scanner);
    if (take(scanner, ']')) return;
    if (!take(scanner, ',')) fail(scanner, 'after array element');
  }
}

function scanString(scanner: Scanner): string {
  const { text } = scanner;
  const start = scanner.at++;
  for (; scanner.at < text.length; scanner.at++) {
    const char = text.charCodeAt(scanner.at);
    if (char === 0x22) return JSON.parse(text.slice(start, ++scanner.at));
    if (char < 0x20) fail(scanner, 'in string literal');
    if (char === 0x5c) scanEscape(scanner);
  }
  return fail(scanner, '');
}

function scanEscape(scanner: Scanner): void {
  scanner.at++;
  const char = scanner.text[scanner.at];
  if (char === undefined || !'bfnrt\\/"u'.includes(char)) fail(scanner, 'in string escape code');
  if (char !== 'u') return;
  for (let digit = 0; digit < 4; digit++) {
    scanner.at++;
    if (!/^[0-9a-fA-F]$/.test(scanner.text[scanner.at] ?? '')) fail(scanner, 'in \\u hexadecimal character escape');
  }
}

function scanLiteral(scanner: Scanner, literal: string): void {
  for (let index = 0; index < literal.length; index++, scanner.at++) {
    if (scanner.text[scanner.at] !== literal[index]) {
      fail(scanner, `in literal ${literal} (expecting '${literal[index]}')`);
    }
  }
}

function scanNumber(scanner: Scanner): void {
  const negative = take(scanner, '-');
  if (!isDigit(scanner)) fail(scanner, negative ? 'in numeric literal' : 'looking for beginning of value');
  // A leading zero ends the number: what follows it is then out of place.
  if (!take(scanner, '0')) scanDigits(scanner);
  if (take(scanner, '.')) {
    if (!isDigit(scanner)) fail(scanner, 'after decimal point in numeric literal');
    scanDigits(scanner);
  }
  if (take(scanner, 'e') || take(scanner, 'E')) {
    if (!take(scanner, '+')) take(scanner, '-');
    if (!isDigit(scanner)) fail(scanner, 'in exponent of numeric literal');
    scanDigits(scanner);
  }
}

function scanDigits(scanner: Scanner): void {
  while (isDigit(scanner)) scanner.at++;
}

function isDigit(scanner: Scanner): boolean {
  const char = scanner.text.charCodeAt(scanner.at);
  return char >= 0x30 && char <= 0x39;
}

function skipSpace(scanner: Scanner): void {
  while (' \t\r\n'.includes(scanner.text[scanner.at] ?? 'x')) scanner.at++;
}

function take(scanner: Scanner, char: string): boolean {
  if (scanner.text[scanner.at] !== char) return false;
  scanner.at++;
  return true;
}

function fail(scanner: Scanner, where: string): never {
  const char = scanner.text[scanner.at];
  if (char === undefined) throw new Malformed('unexpected end of JSON input');
  throw new Malformed(`invalid character ${quoted(char)} ${where}`);
}

/** Go looks at bytes: of a character beyond ASCII it names the first byte only. */
function quoted(char: string): string {
  if (char === "'") return `'\\''`;
  if (char === '"') return `'"'`;
  const byte = Buffer.from(char)[0] ?? 0;
  const escapes: Readonly<Record<number, string>> = {
    7: '\\a',
    8: '\\b',
    9: '\\t',
    10: '\\n',
    11: '\\v',
    12: '\\f',
    13: '\\r',
  };
  if (byte < 0x20 || byte === 0x7f) return `'${escapes[byte] ?? `\\x${byte.toString(16).padStart(2, '0')}`}'`;
  return char === '\\' ? `'\\\\'` : `'${String.fromCharCode(byte)}'`;
}
