/** Lua source as tokens. Reserved words and symbols are their own type; the rest is a name, a string or a number. */
import { LuaSyntaxError } from './lua-error.ts';
import { parseNumber } from './number.ts';
import { luaString } from './value.ts';

export interface Token {
  /** `name`, `string`, `number`, `end of script`, or the word or symbol itself. */
  readonly type: string;
  /** Of a name or string its text, of a number its digits, of others the type again. */
  readonly text: string;
  readonly line: number;
}

const WORDS = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

const BLANK = /(?:[ \t\v\f]+)/y;
const NEWLINE = /\r\n|\n\r|\n|\r/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9a-fA-F]*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?/y;
const LONG_OPENING = /\[(=*)\[/y;
const SYMBOL = /\.\.\.|\.\.|==|~=|<=|>=|::|[-+*/%^#<>=(){}[\];:,.]/y;
const REST_OF_LINE = /[^\r\n]*/y;

export interface Lexer {
  next(): Token;
}

export function lexer(script: string): Lexer {
  const source = luaString(script);
  let at = 0;
  let line = 1;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    at += found?.length ?? 0;
    return found;
  }

  function skipped(): boolean {
    if (take(NEWLINE) !== undefined) {
      line++;
      return true;
    }
    if (take(BLANK) !== undefined) return true;
    if (!source.startsWith('--', at)) return false;
    at += 2;
    if (longString('comment') === undefined) take(REST_OF_LINE);
    return true;
  }

  /** `[[…]]`, `[=[…]=]` and so on; a line break right after the opening does not belong to it. */
  function longString(what: 'string' | 'comment'): string | undefined {
    const opening = take(LONG_OPENING);
    if (opening === undefined) return undefined;
    const closing = opening.replaceAll('[', ']');
    const begun = line;
    const end = source.indexOf(closing, at);
    if (end < 0) throw new LuaSyntaxError(`unfinished long ${what}`, begun);
    const text = source.slice(at, end).replaceAll(/\r\n|\n\r|\r/g, '\n');
    line += text.split('\n').length - 1;
    at = end + closing.length;
    return text.startsWith('\n') ? text.slice(1) : text;
  }

  function quoted(quote: string): string {
    let text = '';
    for (;;) {
      const char = source[at++];
      if (char === quote) return text;
      if (char === undefined || char === '\n' || char === '\r') throw new LuaSyntaxError('unfinished string', line);
      text += char === '\\' ? escaped() : char;
    }
  }

  function escaped(): string {
    const code = take(/\d{1,3}/y);
    if (code !== undefined) {
      if (Number(code) > 255) throw new LuaSyntaxError('escape sequence too large', line);
      return String.fromCharCode(Number(code));
    }
    if (take(NEWLINE) !== undefined) {
      line++;
      return '\n';
    }
    const char = source[at++] ?? '';
    return ESCAPES[char] ?? char;
  }

  function number(): Token | undefined {
    const text = take(NUMBER);
    if (text === undefined) return undefined;
    if (parseNumber(text) === undefined) throw new LuaSyntaxError(`malformed number near '${text}'`, line);
    return { type: 'number', text, line };
  }

  return {
    next() {
      while (skipped());
      if (at >= source.length) return { type: 'end of script', text: 'end of script', line };
      const name = take(NAME);
      if (name !== undefined) return { type: WORDS.has(name) ? name : 'name', text: name, line };
      const digits = number();
      if (digits) return digits;
      const begun = line;
      const quote = take(/["']/y);
      const string = quote === undefined ? longString('string') : quoted(quote);
      if (string !== undefined) return { type: 'string', text: string, line: begun };
      const symbol = take(SYMBOL);
      if (symbol !== undefined) return { type: symbol, text: symbol, line };
      throw new LuaSyntaxError(`unexpected symbol near '${source[at]}'`, line);
    },
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
