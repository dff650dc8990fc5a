/** Strings (cel-go's extension, version 2) and regular expressions (`find`, `findAll`). Positions count characters. */
import { CelError } from '../cel-error.ts';
import { global, member, type Overload, T } from '../function.ts';
import { type CelList, items, list } from '../value.ts';
import { formatText } from './format-text.ts';
import { regExp } from './standard.ts';

function charAt(text: string, index: bigint): string {
  const chars = Array.from(text);
  if (index < 0n || index > BigInt(chars.length)) throw new CelError(`index out of range: ${index}`);
  return chars[Number(index)] ?? '';
}

function indexOf(text: string, part: string, from: bigint): bigint {
  const chars = Array.from(text);
  if (part === '') return from;
  if (from < 0n) throw new CelError(`index out of range: ${from}`);
  if (from >= BigInt(chars.length)) return -1n;
  const found = chars.slice(Number(from)).join('').indexOf(part);
  return found < 0 ? -1n : from + BigInt(Array.from(chars.slice(Number(from)).join('').slice(0, found)).length);
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const chars = Array.from(text);
  if (part === '') return from ?? BigInt(chars.length);
  if (from !== undefined && (from < 0n || from >= BigInt(chars.length))) {
    throw new CelError(`index out of range: ${from}`);
  }
  const wanted = Array.from(part);
  const last = Math.min(Number(from ?? BigInt(chars.length)), chars.length - wanted.length);
  for (let at = last; at >= 0; at--) if (wanted.every((char, index) => chars[at + index] === char)) return BigInt(at);
  return -1n;
}

function substring(text: string, start: bigint, end?: bigint): string {
  const chars = Array.from(text);
  const size = BigInt(chars.length);
  const until = end ?? size;
  if (end !== undefined && start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  for (const index of [start, until])
    if (index < 0n || index > size) throw new CelError(`index out of range: ${index}`);
  return chars.slice(Number(start), Number(until)).join('');
}

function split(text: string, separator: string, limit = -1n): CelList {
  if (limit === 0n) return list([]);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return list(parts);
  const kept = parts.slice(0, Number(limit) - 1);
  return list([...kept, parts.slice(Number(limit) - 1).join(separator)]);
}

function replace(text: string, from: string, to: string, limit = -1n): string {
  if (limit < 0n) return text.replaceAll(from, () => to);
  let result = text;
  let at = 0;
  for (let times = 0n; times < limit; times++) {
    const found = result.indexOf(from, at);
    if (found < 0) break;
    result = result.slice(0, found) + to + result.slice(found + from.length);
    at = found + to.length;
  }
  return result;
}

function texts(all: CelList): string[] {
  return items(all).map((item) => {
    if (typeof item !== 'string') throw new CelError('no such overload');
    return item;
  });
}

function ascii(text: string, change: (letter: string) => string): string {
  return text.replaceAll(/[A-Za-z]/g, change);
}

/** As Go's `strings.TrimSpace`. */
function trim(text: string): string {
  return text.replaceAll(/^[\s\u0085\u180e]+|[\s\u0085\u180e]+$/g, '');
}

function findAll(text: string, pattern: string, limit = -1n): CelList {
  const found = [...text.matchAll(new RegExp(regExp(pattern), 'gu'))].map((match) => match[0]);
  return list(limit < 0n ? found : found.slice(0, Number(limit)));
}

export const STRINGS: readonly Overload[] = [
  member('charAt', [T.string, T.int], T.string, charAt),
  member('indexOf', [T.string, T.string], T.int, (text, part) =>
    part === '' ? 0n : text === '' ? -1n : indexOf(text, part, 0n),
  ),
  member('indexOf', [T.string, T.string, T.int], T.int, indexOf),
  member('lastIndexOf', [T.string, T.string], T.int, (text, part) => lastIndexOf(text, part)),
  member('lastIndexOf', [T.string, T.string, T.int], T.int, lastIndexOf),
  member('lowerAscii', [T.string], T.string, (text) => ascii(text, (letter) => letter.toLowerCase())),
  member('upperAscii', [T.string], T.string, (text) => ascii(text, (letter) => letter.toUpperCase())),
  member('replace', [T.string, T.string, T.string], T.string, (text, from, to) => replace(text, from, to)),
  member('replace', [T.string, T.string, T.string, T.int], T.string, replace),
  member('split', [T.string, T.string], T.list(T.string), (text, separator) => split(text, separator)),
  member('split', [T.string, T.string, T.int], T.list(T.string), split),
  member('substring', [T.string, T.int], T.string, (text, start) => substring(text, start)),
  member('substring', [T.string, T.int, T.int], T.string, substring),
  member('trim', [T.string], T.string, trim),
  member('join', [T.list(T.string)], T.string, (all) => texts(all).join('')),
  member('join', [T.list(T.string), T.string], T.string, (all, separator) => texts(all).join(separator)),
  member('format', [T.string, T.list(T.dyn)], T.string, (text, all) => formatText(text, items(all))),
  global('strings.quote', [T.string], T.string, (text) => JSON.stringify(text)),
  member('find', [T.string, T.string], T.string, (text, pattern) => regExp(pattern).exec(text)?.[0] ?? ''),
  member('findAll', [T.string, T.string], T.list(T.string), (text, pattern) => findAll(text, pattern)),
  member('findAll', [T.string, T.string, T.int], T.list(T.string), findAll),
];
