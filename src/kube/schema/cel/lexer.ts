/** The words of an expression. */
import type { Issue } from './cel-error.ts';

export interface Token {
  readonly kind: 'name' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'sign' | 'end';
  /** The source text; of a string, what it means. */
  readonly text: string;
  readonly raw: string;
  readonly bytes?: Uint8Array;
  readonly at: number;
}

const SIGNS = [
  '&&',
  '||',
  '==',
  '!=',
  '<=',
  '>=',
  '.?',
  '[?',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  ':',
  '?',
  '+',
  '-',
  '*',
  '/',
  '%',
  '!',
  '<',
  '>',
];
const NUMBER = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|(?:0x[0-9a-fA-F]+|\d+)[uU]?/y;
const NAME = /[A-Za-z_]\w*/y;
const SPACE = /(?:\s|\/\/[^\n]*)*/y;
const STRING_START = /(?:[bB][rR]?|[rR])?(?:"""|'''|"|')/y;

/** All tokens, and what is wrong with those that are none; they are left out. */
export function tokenize(source: string): { readonly tokens: readonly Token[]; readonly issues: readonly Issue[] } {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  for (;;) {
    at += match(SPACE)?.length ?? 0;
    if (at >= source.length) break;
    const opening = match(STRING_START);
    const token =
      opening === undefined
        ? (numberOrName(match(NUMBER), match(NAME), at) ?? sign(source, at))
        : stringToken(source, at, opening);
    const text = token?.raw ?? strayText(source, at, opening);
    if (token) tokens.push(token);
    else issues.push({ at, message: `Syntax error: token recognition error at: '${text}'` });
    at += text.length;
  }
  tokens.push({ kind: 'end', text: '<EOF>', raw: '<EOF>', at: source.length });
  return { tokens, issues };
}

function numberOrName(number: string | undefined, name: string | undefined, at: number): Token | undefined {
  if (number !== undefined) {
    const isWhole = /^(?:0x[0-9a-fA-F]+|\d+)$/.test(number);
    const kind = /[uU]$/.test(number) ? 'uint' : isWhole ? 'int' : 'double';
    return { kind, text: number, raw: number, at };
  }
  return name === undefined ? undefined : { kind: 'name', text: name, raw: name, at };
}

function sign(source: string, at: number): Token | undefined {
  const text = SIGNS.find((sign) => source.startsWith(sign, at));
  return text === undefined ? undefined : { kind: 'sign', text, raw: text, at };
}

/** What the lexer gives up on: a string to its end, the half of an operator with what follows it, or one character. */
function strayText(source: string, at: number, opening: string | undefined): string {
  if (opening !== undefined) return /^[^\n]*/.exec(source.slice(at))?.[0] ?? opening;
  return source.slice(at, at + ('=&|'.includes(source.charAt(at)) ? 2 : 1));
}

function endOfString(source: string, at: number, opening: string): number | undefined {
  const quote = quoteOf(opening);
  const isRaw = /[rR]/.test(opening);
  for (let place = at + opening.length; place < source.length; place++) {
    if (source.startsWith(quote, place)) return place + quote.length;
    if (source[place] === '\\' && !isRaw) place++;
    else if (quote.length === 1 && /[\n\r]/.test(source.charAt(place))) return undefined;
  }
  return undefined;
}

function quoteOf(opening: string): string {
  return opening.replace(/^[rRbB]+/, '');
}

function stringToken(source: string, at: number, opening: string): Token | undefined {
  const end = endOfString(source, at, opening);
  if (end === undefined) return undefined;
  const body = source.slice(at + opening.length, end - quoteOf(opening).length);
  const isBytes = /[bB]/.test(opening);
  const isRaw = /[rR]/.test(opening);
  const text = isRaw ? body : unescape(body, isBytes);
  if (text === undefined) return undefined;
  const raw = source.slice(at, end);
  if (!isBytes) return { kind: 'string', text, raw, at };
  return { kind: 'bytes', text, raw, bytes: Buffer.from(text, isRaw ? 'utf8' : 'latin1'), at };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};
const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|([0-3][0-7]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([abfnrtv\\?"'`]))|(\\)/g;

/** In bytes, characters stand for their UTF-8 encoding, and numeric escapes for a single byte. */
function unescape(body: string, isBytes: boolean): string | undefined {
  let broken = false;
  const encode = (text: string) => (isBytes ? Buffer.from(text).toString('latin1') : text);
  let result = '';
  let last = 0;
  for (const match of body.matchAll(ESCAPE)) {
    const [whole, hex, upper, octal, short, long, simple] = match;
    result += encode(body.slice(last, match.index));
    last = match.index + whole.length;
    if (hex ?? upper) result += String.fromCharCode(Number.parseInt(hex ?? upper ?? '', 16));
    else if (octal) result += String.fromCharCode(Number.parseInt(octal, 8));
    else if (simple) result += ESCAPES[simple] ?? '';
    else {
      const point = Number.parseInt(short ?? long ?? '', 16);
      if (isBytes || !(point <= 0x10ffff)) broken = true;
      else result += String.fromCodePoint(point);
    }
  }
  return broken ? undefined : result + encode(body.slice(last));
}
