/**
 * JSON as it comes in: parsed by the platform, refused in Go's words.
 *
 * A document may be nested {@link MAX_DEPTH} deep, so that nothing that walks it later needs to guard its stack. An
 * object with a key `__proto__` is refused: no Kubernetes field has this name, and code that copies objects is then
 * free to do it the simple way. So is an integer that a number of JavaScript would change (docs/adr/0019-integers.md).
 */
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import { MAX_DEPTH, scanJson } from './json-scanner.ts';

export interface ParsedJson {
  readonly value: unknown;
  /** Paths of keys given more than once (`data.a`, `spec.ports[0].port`), when asked for. */
  readonly duplicates: readonly string[];
}

/** Throws `BadRequest` with Go's message for malformed text. Looking for duplicates costs little while there are none. */
export function parseJson(input: string | Uint8Array, options: { readonly duplicates?: boolean } = {}): ParsedJson {
  const text = textOf(input);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badRequest(scanJson(text, IGNORE, undefined) ?? String(cause));
  }
  if (mayBeDeep(text) && depthOf(value) > MAX_DEPTH) throw badRequest('exceeded max depth');
  if (MAY_BE_LARGE.test(text)) refuseInexact(text);
  const escapes = text.includes('\\');
  if (escapes && MAY_BE_LONE.test(text)) value = wellFormed(value);
  if (mayHaveProto(text, escapes) && hasProto(value)) throw badRequest('the key "__proto__" is not supported');
  return { value, duplicates: options.duplicates && mayHaveDuplicates(text, value) ? duplicatesIn(text) : [] };
}

/** Half of a character: a hint only, for the other half may follow. */
const MAY_BE_LONE = /\\u[dD][89a-fA-F]/;

/** What is no text becomes the replacement character, as Go does it. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]));
}

/** Sixteen digits in a row: a hint only, for they may be within a string. */
const MAY_BE_LARGE = /\d{16}/;

function refuseInexact(text: string): void {
  JSON.parse(text, (key, value: unknown, { source = '' }: { readonly source?: string } = {}) => {
    if (typeof value !== 'number' || !Number.isFinite(value) || !/^-?\d{16,}$/.test(source)) return value;
    if (String(value) === source || BigInt(value) === BigInt(source)) return value;
    throw badRequest(`the integer ${source} of ${JSON.stringify(key)} cannot be kept exactly: it is beyond 2^53`);
  });
}

export function textOf(input: string | Uint8Array): string {
  if (typeof input === 'string') return input;
  return Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('utf8');
}

/** A key's path below `at`, as strict decoding errors tell it. */
export function childPath(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`;
}

const IGNORE = { field: () => undefined, item: () => undefined };

function duplicatesIn(text: string): string[] {
  const found = new Set<string>();
  const visitor = {
    field(at: string, key: string, again: boolean) {
      const path = childPath(at, key);
      if (again) found.add(path);
      return path;
    },
    item: (at: string, index: number) => `${at}[${index}]`,
  };
  scanJson(text, visitor, '');
  return [...found];
}

/**
 * Whether the text has more keys than the value. Every key of the text is followed by `":`; a string that holds these
 * characters is counted too, which is why the answer is only a hint that a closer look is needed.
 */
function mayHaveDuplicates(text: string, value: unknown): boolean {
  if (/"\s+:/.test(text)) return true;
  let keys = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) keys++;
  return keys !== countKeys(value);
}

function countKeys(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
  } else if (isObject(value)) {
    for (const key in value) count += typeof value[key] === 'object' ? 1 + countKeys(value[key]) : 1;
  }
  return count;
}

/** More brackets than the limit, wherever they are. */
function mayBeDeep(text: string): boolean {
  if (text.length < 2 * MAX_DEPTH) return false;
  let brackets = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) brackets++;
  }
  return brackets > MAX_DEPTH;
}

/** Stops below the limit's end: the depth beyond it does not matter. */
function depthOf(value: unknown, above = 0): number {
  if (typeof value !== 'object' || value === null || above > MAX_DEPTH) return above;
  let deepest = above + 1;
  for (const member of Object.values(value)) deepest = Math.max(deepest, depthOf(member, above + 1));
  return deepest;
}

function mayHaveProto(text: string, escapes: boolean): boolean {
  return text.includes('__proto__') || (escapes && /\\u005[fF]/.test(text));
}

function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}
