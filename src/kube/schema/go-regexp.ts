/**
 * Regular expressions in Go's syntax (RE2), run by the platform's engine.
 *
 * What Go writes differently is translated; what Go does not have (look-around, back-references) is refused in Go's
 * words, so that a schema accepted here is accepted by a real server. Unlike Go's, the platform's engine may take
 * exponential time for a pattern made to do so: patterns come from whoever may define custom resources.
 */

const compiled = new Map<string, RegExp>();
const CACHE_SIZE = 2000;

/** Throws an Error with Go's message when the pattern is none. */
export function goRegExp(pattern: string): RegExp {
  let regexp = compiled.get(pattern);
  if (regexp) return regexp;
  const source = translate(pattern);
  try {
    regexp = new RegExp(source, 'u');
  } catch (cause) {
    throw new Error(`error parsing regexp: ${problemOf(pattern)}`, { cause });
  }
  if (compiled.size >= CACHE_SIZE) compiled.clear();
  compiled.set(pattern, regexp);
  return regexp;
}

/** Go's message for a pattern that cannot be compiled; undefined when it can. */
export function goRegExpProblem(pattern: string): string | undefined {
  try {
    goRegExp(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

interface Reader {
  readonly pattern: string;
  at: number;
  /** `.` also matches a line break. */
  dotAll: boolean;
}

function translate(pattern: string): string {
  const reader: Reader = { pattern, at: 0, dotAll: false };
  let source = '';
  let open = '';
  while (reader.at < pattern.length) {
    const char = pattern[reader.at++] ?? '';
    if (char === '\\') source += translateEscape(reader, false);
    else if (char === '[') source += translateClass(reader);
    else if (char === '.') source += reader.dotAll ? '[^]' : '[^\\n]';
    else if (char === '(' && pattern[reader.at] === '?') {
      const group = translateGroup(reader);
      source += group.source;
      // Flags set in the middle of a group hold until its end: they open a group of their own.
      if (group.flags) open += ')';
    } else if (char === '{' && !/^\d+(?:,\d*)?\}/.test(pattern.slice(reader.at))) source += '\\{';
    else source += char === '}' && !/\{\d+(?:,\d*)?$/.test(pattern.slice(0, reader.at - 1)) ? '\\}' : char;
  }
  return source + open;
}

/** `(?P<name>`, `(?i)`, `(?i:`, `(?:`; the reader stands at the question mark. */
function translateGroup(reader: Reader): { readonly source: string; readonly flags: boolean } {
  const rest = reader.pattern.slice(reader.at);
  const named = /^\?P?<(\w+)>/.exec(rest);
  if (named) {
    reader.at += named[0].length;
    return { source: `(?<${named[1]}>`, flags: false };
  }
  const flags = /^\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
  if (!flags) throw new Error(`error parsing regexp: invalid or unsupported Perl syntax: \`(${rest.slice(0, 2)}\``);
  const [text, on = '', off = '', end] = flags;
  reader.at += text.length;
  if (on.includes('s')) reader.dotAll = true;
  if (off.includes('s')) reader.dotAll = false;
  const kept = (letters: string) => letters.replaceAll(/[sU]/g, '');
  const modifiers = kept(on) + (kept(off) === '' ? '' : `-${kept(off)}`);
  return { source: `(?${modifiers}:`, flags: end === ')' };
}

function translateEscape(reader: Reader, inClass: boolean): string {
  const rest = reader.pattern.slice(reader.at);
  const char = rest[0];
  if (char === undefined) throw new Error('error parsing regexp: trailing backslash at end of expression: ``');
  const property = /^([pP])(?:\{(\^?)(\w+)\}|(\w))/.exec(rest);
  if (property) return translateProperty(reader, property);
  const code = /^x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/.exec(rest);
  if (code) {
    reader.at += code[0].length;
    return `\\u{${code[1] ?? code[2]}}`;
  }
  if (char === 'Q') return translateQuoted(reader);
  reader.at++;
  if (/[1-9]/.test(char)) throw new Error(`error parsing regexp: invalid escape sequence: \`\\${char}\``);
  if (char === 's') return inClass ? '\\t\\n\\f\\r ' : '[\\t\\n\\f\\r ]';
  if (char === 'S' && !inClass) return '[^\\t\\n\\f\\r ]';
  if (char === 'A') return '(?<![^])';
  if (char === 'z') return '(?![^])';
  if (char === 'a') return '\\x07';
  if (/[dDwWSbBfnrtv]/.test(char)) return `\\${char}`;
  if (/[A-Za-z0-9]/.test(char)) throw new Error(`error parsing regexp: invalid escape sequence: \`\\${char}\``);
  return literal(char);
}

function literal(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

const SCRIPT = /^[A-Z][a-z]+(?:_[A-Z][a-z]+)*$/;

function translateProperty(reader: Reader, [text, letter = 'p', negated, long, short]: RegExpExecArray): string {
  reader.at += text.length;
  const name = long ?? short ?? '';
  const sign = negated ? (letter === 'p' ? 'P' : 'p') : letter;
  return name.length > 2 && SCRIPT.test(name) ? `\\${sign}{Script=${name}}` : `\\${sign}{${name}}`;
}

function translateQuoted(reader: Reader): string {
  const end = reader.pattern.indexOf('\\E', reader.at);
  const text = reader.pattern.slice(reader.at + 1, end < 0 ? undefined : end);
  reader.at = end < 0 ? reader.pattern.length : end + 2;
  return Array.from(text, literal).join('');
}

/** A bracket expression; the reader stands after the opening bracket. */
function translateClass(reader: Reader): string {
  const { pattern } = reader;
  const start = reader.at - 1;
  let source = '[';
  if (pattern[reader.at] === '^') {
    source += '^';
    reader.at++;
  }
  for (let first = true; ; first = false) {
    const char = pattern[reader.at++];
    if (char === undefined) throw new Error(`error parsing regexp: missing closing ]: \`${pattern.slice(start)}\``);
    if (char === ']' && !first) return `${source}]`;
    const posix = char === '[' ? /^:(\w+):\]/.exec(pattern.slice(reader.at)) : null;
    if (posix) {
      reader.at += posix[0].length;
      source += POSIX[posix[1] ?? ''] ?? '';
    } else if (char === '\\') source += translateEscape(reader, true);
    else source += '[]'.includes(char) ? `\\${char}` : char;
  }
}

/** The platform's words differ; these are the mistakes people make. */
function problemOf(pattern: string): string {
  const opened = pattern.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/g, '').split('');
  const depth = opened.reduce((depth, char) => depth + (char === '(' ? 1 : char === ')' ? -1 : 0), 0);
  if (depth > 0) return `missing closing ): \`${pattern}\``;
  if (depth < 0) return `unexpected ): \`${pattern}\``;
  const repeat = /(?:^|[(|])([*+?])/.exec(pattern)?.[1];
  return repeat ? `missing argument to repetition operator: \`${repeat}\`` : `invalid expression: \`${pattern}\``;
}
