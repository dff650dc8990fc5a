/** `string`. As in Karmada, `gsub`, `rep` and `dump` are refused, and arguments of more than a million bytes. */
import { luaString, type LuaValue, NOTHING, type Run, textOf } from '../language/index.ts';
import type { Arguments, Builtin, Library } from './arguments.ts';
import { format } from './format.ts';
import { findMatch, type Match, type Pattern, parsePattern } from './pattern.ts';

const LONGEST_ARGUMENT = 1_000_000;

function text(args: Arguments, position: number, run: Run): string {
  const string = args.string(position);
  run.step(undefined, 1 + string.length / 256);
  if (string.length <= LONGEST_ARGUMENT) return string;
  throw run.error(
    `string length ${string.length} exceeds the maximum allowed input string length ${LONGEST_ARGUMENT} in Karmada lua string lib, please check your lua script.`,
  );
}

function refusal(name: string): Builtin {
  return (_args, run) => {
    throw run.error(
      `The Lua function string.${name} is not supported by Karmada. If you believe this function is essential for your use case, please submit an issue to let us know why you need it.`,
    );
  };
}

/** A script's patterns are few; those of one run are parsed once. */
function pattern(args: Arguments, position: number, run: Run): Pattern {
  return parsePattern(text(args, position, run), (problem) => run.error(problem));
}

export const STRING: Library = {
  byte: (args, run) => bytes(text(args, 1, run), args, run),
  char: (args, run) =>
    run.made(String.fromCharCode(...args.all.map((_, index) => Math.trunc(args.number(index + 1)) & 255))),
  dump: refusal('dump'),
  find: (args, run) => find(args, run),
  format(args, run) {
    text(args, 1, run);
    return run.made(format(args, run));
  },
  gfind: (args, run) => gmatch(args, run),
  gmatch: (args, run) => gmatch(args, run),
  gsub: refusal('gsub'),
  len: (args) => args.string(1).length,
  lower: (args, run) => run.made(luaString(textOf(text(args, 1, run)).toLowerCase())),
  match(args, run) {
    const subject = text(args, 1, run);
    const match = findMatch(pattern(args, 2, run), subject, offset(subject, args.integer(3, 1)), run);
    return match ? captured(match, subject) : NOTHING;
  },
  rep: refusal('rep'),
  reverse: (args, run) =>
    run.made(
      Array.from(text(args, 1, run))
        .reverse()
        .join(''),
    ),
  sub(args, run) {
    const subject = text(args, 1, run);
    const end = args.integer(3, -1);
    return run.made(subject.slice(offset(subject, args.integer(2)), end < 0 ? subject.length + end + 1 : end));
  },
  upper: (args, run) => run.made(luaString(textOf(text(args, 1, run)).toUpperCase())),
};

/** Positions count from 1, or from the end when negative; the offset counts from 0. */
function offset(subject: string, position: number): number {
  return Math.max(position < 0 ? subject.length + position : position - 1, 0);
}

function bytes(subject: string, args: Arguments, run: Run): readonly LuaValue[] {
  const from = args.integer(2, 1);
  const to = args.integer(3, from);
  const end = to < 0 ? subject.length + to + 1 : to;
  const codes = Array.from(subject.slice(offset(subject, from), end), (char) => char.charCodeAt(0));
  run.charge(codes.length * 8);
  return codes;
}

function find(args: Arguments, run: Run): readonly LuaValue[] {
  const subject = text(args, 1, run);
  const wanted = text(args, 2, run);
  const from = offset(subject, args.integer(3, 1));
  if (wanted === '') return [1, 0];
  const plain = args.get(4);
  if (plain !== undefined && plain !== false) {
    const at = subject.indexOf(wanted, from);
    return at < 0 ? [undefined] : [at + 1, at + wanted.length];
  }
  const match = findMatch(pattern(args, 2, run), subject, from, run);
  return match ? [match.start + 1, match.end, ...match.captures] : [undefined];
}

/** The captures, or the whole match of a pattern that has none. */
function captured({ start, end, captures }: Match, subject: string): readonly LuaValue[] {
  return captures.length > 0 ? captures : [subject.slice(start, end)];
}

function gmatch(args: Arguments, run: Run): LuaValue {
  const subject = text(args, 1, run);
  const wanted = pattern(args, 2, run);
  let at = 0;
  return () => {
    const match = at <= subject.length ? findMatch(wanted, subject, at, run) : undefined;
    if (!match) return NOTHING;
    // An empty match moves on by one, or it would be found forever; an anchored pattern is found once.
    at = wanted.anchored ? subject.length + 1 : Math.max(match.end, match.start + 1);
    return captured(match, subject);
  };
}
