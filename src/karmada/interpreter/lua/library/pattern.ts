/**
 * Lua's patterns: classes, sets, the four repetitions, captures, `%b` and back references.
 *
 * A pattern is parsed once into a list of parts and matched by backtracking. Every attempt of a part is a step of the
 * run, so a pattern that would take forever ends with the time limit like any other loop.
 */
import type { Run } from '../language/index.ts';

type Matches = (byte: number) => boolean;

type Part =
  | { readonly type: 'one'; readonly matches: Matches }
  | { readonly type: 'repeat'; readonly matches: Matches; readonly how: '*' | '+' | '-' | '?' }
  | { readonly type: 'open' | 'close'; readonly capture: number }
  | { readonly type: 'position'; readonly capture: number }
  | { readonly type: 'balanced'; readonly opening: number; readonly closing: number }
  | { readonly type: 'again'; readonly capture: number }
  | { readonly type: 'end' };

export interface Pattern {
  /** Only at the beginning of the search. */
  readonly anchored: boolean;
  readonly parts: readonly Part[];
  readonly captures: number;
}

/** A text captured, or a position (from 1). */
export type Capture = string | number;

export interface Match {
  /** From 0; the end is behind the last byte. */
  readonly start: number;
  readonly end: number;
  readonly captures: readonly Capture[];
}

/** Finds the first match at or after `from`. */
export function findMatch(pattern: Pattern, subject: string, from: number, run: Run): Match | undefined {
  for (let start = from; start <= subject.length; start++) {
    const match = matchAt(pattern, subject, start, run);
    if (match) return match;
    if (pattern.anchored) return undefined;
  }
  return undefined;
}

function matchAt({ parts, captures }: Pattern, subject: string, start: number, run: Run): Match | undefined {
  const starts: number[] = Array.from({ length: captures }, () => -1);
  const ends: number[] = Array.from({ length: captures }, () => -1);

  /** The end of the match of all parts from `index` on at `at`, or -1. */
  function match(index: number, position: number): number {
    let at = position;
    for (let next = index; ; next++) {
      run.step(undefined, 0.25);
      const part = parts[next];
      if (!part) return at;
      switch (part.type) {
        case 'one':
          if (at >= subject.length || !part.matches(subject.charCodeAt(at))) return -1;
          at++;
          break;
        case 'end':
          return at === subject.length ? at : -1;
        case 'repeat':
          return repeat(part, next, at);
        case 'open':
        case 'close':
          return capture(part.type === 'open' ? starts : ends, part.capture, next, at);
        case 'position':
          starts[part.capture] = at;
          ends[part.capture] = POSITION;
          break;
        case 'balanced':
          at = balanced(subject, at, part.opening, part.closing);
          if (at < 0) return -1;
          break;
        case 'again': {
          const text = subject.slice(starts[part.capture], ends[part.capture]);
          if (!subject.startsWith(text, at)) return -1;
          at += text.length;
          break;
        }
      }
    }
  }

  function capture(places: number[], index: number, next: number, at: number): number {
    const before = places[index] ?? -1;
    places[index] = at;
    const end = match(next + 1, at);
    if (end < 0) places[index] = before;
    return end;
  }

  function repeat({ matches, how }: Extract<Part, { type: 'repeat' }>, next: number, at: number): number {
    const fits = (offset: number) => at + offset < subject.length && matches(subject.charCodeAt(at + offset));
    if (how === '-') {
      for (let count = 0; ; count++) {
        const end = match(next + 1, at + count);
        if (end >= 0 || !fits(count)) return end;
      }
    }
    const most = how === '?' ? 1 : Number.POSITIVE_INFINITY;
    let count = 0;
    while (count < most && fits(count)) count++;
    run.step(undefined, count / 16);
    for (const least = how === '+' ? 1 : 0; count >= least; count--) {
      const end = match(next + 1, at + count);
      if (end >= 0) return end;
    }
    return -1;
  }

  const end = match(0, start);
  if (end < 0) return undefined;
  const captured = starts.map((from, index) =>
    ends[index] === POSITION ? from + 1 : subject.slice(from, ends[index]),
  );
  return { start, end, captures: captured };
}

/** In place of an end: the capture is of a position. */
const POSITION = -2;

function balanced(subject: string, at: number, opening: number, closing: number): number {
  if (subject.charCodeAt(at) !== opening) return -1;
  let depth = 1;
  for (let index = at + 1; index < subject.length; index++) {
    const byte = subject.charCodeAt(index);
    if (byte === closing) {
      if (--depth === 0) return index + 1;
    } else if (byte === opening) depth++;
  }
  return -1;
}

export function parsePattern(source: string, malformed: (problem: string) => Error): Pattern {
  const anchored = source.startsWith('^');
  const parts: Part[] = [];
  const unclosed: number[] = [];
  let captures = 0;
  let at = anchored ? 1 : 0;

  function special(): Part | undefined {
    const two = source.slice(at, at + 2);
    if (two === '()') {
      at += 2;
      return { type: 'position', capture: captures++ };
    }
    if (two.startsWith('(')) {
      at++;
      unclosed.push(captures);
      return { type: 'open', capture: captures++ };
    }
    if (two.startsWith(')')) {
      at++;
      const capture = unclosed.pop();
      if (capture === undefined) throw malformed('invalid pattern capture');
      return { type: 'close', capture };
    }
    if (two === '$') {
      at++;
      return { type: 'end' };
    }
    if (two === '%b') return balance();
    return /^%\d$/.test(two) ? reference(Number(two[1])) : undefined;
  }

  function balance(): Part {
    if (at + 4 > source.length) throw malformed("missing arguments to '%b'");
    at += 4;
    return { type: 'balanced', opening: source.charCodeAt(at - 2), closing: source.charCodeAt(at - 1) };
  }

  function reference(number: number): Part {
    const capture = number - 1;
    if (capture < 0 || capture >= captures || unclosed.includes(capture)) throw malformed('invalid capture index');
    at += 2;
    return { type: 'again', capture };
  }

  while (at < source.length) {
    const part = special();
    if (part) {
      parts.push(part);
      continue;
    }
    const [matches, end] = parseClass(source, at, malformed);
    at = end;
    const how = source[at];
    if (how === '*' || how === '+' || how === '-' || how === '?') {
      at++;
      parts.push({ type: 'repeat', matches, how });
    } else parts.push({ type: 'one', matches });
  }
  if (unclosed.length > 0) throw malformed('unfinished capture');
  return { anchored, parts, captures };
}

/** One class at a position, and where it ends. */
function parseClass(
  source: string,
  at: number,
  malformed: (problem: string) => Error,
): [matches: Matches, end: number] {
  const char = source.charCodeAt(at);
  switch (source[at]) {
    case '.':
      return [() => true, at + 1];
    case '[':
      return parseSet(source, at + 1, malformed);
    case '%':
      if (at + 1 >= source.length) throw malformed("malformed pattern (ends with '%')");
      return [classOf(source.charCodeAt(at + 1)), at + 2];
    default:
      return [(byte) => byte === char, at + 1];
  }
}

function parseSet(
  source: string,
  begin: number,
  malformed: (problem: string) => Error,
): [matches: Matches, end: number] {
  const negated = source[begin] === '^';
  const members: Matches[] = [];
  let at = negated ? begin + 1 : begin;
  // A bracket in the first place is a member, not the end.
  for (let first = true; first || source[at] !== ']'; first = false) {
    if (at >= source.length) throw malformed("malformed pattern (missing ']')");
    const low = source.charCodeAt(at);
    if (source[at] === '%' && at + 1 < source.length) {
      members.push(classOf(source.charCodeAt(at + 1)));
      at += 2;
    } else if (source[at + 1] === '-' && at + 2 < source.length && source[at + 2] !== ']') {
      const high = source.charCodeAt(at + 2);
      members.push((byte) => low <= byte && byte <= high);
      at += 3;
    } else {
      members.push((byte) => byte === low);
      at++;
    }
  }
  return [(byte) => members.some((member) => member(byte)) !== negated, at + 1];
}

const CLASSES: Readonly<Record<string, Matches>> = {
  a: matching(/[A-Za-z]/),
  c: (byte) => byte < 32 || byte === 127,
  d: matching(/[0-9]/),
  l: matching(/[a-z]/),
  p: matching(/[!-/:-@[-`{-~]/),
  s: matching(/[ \f\n\r\t\v]/),
  u: matching(/[A-Z]/),
  w: matching(/[0-9A-Za-z]/),
  x: matching(/[0-9A-Fa-f]/),
  z: (byte) => byte === 0,
};

function matching(members: RegExp): Matches {
  const table = Array.from({ length: 256 }, (_, byte) => members.test(String.fromCharCode(byte)));
  return (byte) => table[byte] === true;
}

/** `%a` and its like; the capital is the opposite; of anything else the character itself. */
function classOf(code: number): Matches {
  const letter = String.fromCharCode(code);
  const matches = CLASSES[letter.toLowerCase()];
  if (!matches) return (byte) => byte === code;
  return letter === letter.toLowerCase() ? matches : (byte) => !matches(byte);
}
