/**
 * A recorded conversation with a real kube-apiserver, played again to ours.
 *
 * What differs from run to run is translated as it appears: when an answer of ours stands where the recording has a
 * uid, a resourceVersion, a page token or a generated name, later requests are sent with ours in their place, and later
 * answers are compared with ours put back. Times are the recording's own: the server's clock is set by it.
 */
import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { isObject } from '#base/json.ts';
import type { TestAnswer } from '../testing.ts';

export interface Turn {
  readonly label: string;
  readonly req: {
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
  readonly res: { readonly code: number; readonly headers: Record<string, string>; readonly body: unknown };
}

export function readDialogue(): readonly Turn[] {
  const file = new URL('../../../../e2e/fixtures/kube-dialogue.jsonl', import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Turn);
}

/** The latest moment a recorded answer names, other than ends still to come: for a write, when it was made. */
export function timeOf({ res }: Turn): number | undefined {
  const text = typeof res.body === 'string' ? res.body : JSON.stringify(res.body);
  const graceful = text.includes('"deletionGracePeriodSeconds":30');
  const names = `time|creationTimestamp|lastTransitionTime${graceful ? '' : '|deletionTimestamp'}`;
  const times = [...text.matchAll(new RegExp(`"(?:${names})": ?"(\\d{4}-[^"]+Z)`, 'g'))]
    .map(([, time]) => Date.parse(time ?? ''))
    .filter((time) => time > RECORDED);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The day the recording was made; earlier times are part of what was sent. */
const RECORDED = Date.parse('2026-11-15T00:00:00Z');

/** From the recording's values to ours and back. */
export interface Translation {
  readonly toOurs: (text: string) => string;
  /** Learns the pairs an answer holds. */
  readonly learn: (turn: Turn, answer: TestAnswer) => void;
}

const TRANSLATED = new Set(['uid', 'resourceVersion', 'continue', 'name', 'clusterIP', 'token']);

export function translation(): Translation {
  // The recording's server kept its objects under another key.
  const pairs = new Map([['/reg-a/', '/registry/']]);
  function pair(recorded: unknown, ours: unknown, key = ''): void {
    if (Array.isArray(recorded) && Array.isArray(ours)) {
      recorded.forEach((item, index) => pair(item, ours[index]));
    } else if (isObject(recorded) && isObject(ours)) {
      for (const name in recorded) pair(recorded[name], ours[name], name);
    } else if (typeof recorded === 'string' && typeof ours === 'string' && recorded !== ours) {
      const generated = key !== 'name' || recorded.startsWith('gen-');
      if (TRANSLATED.has(key) && generated && recorded !== '' && !pairs.has(recorded)) pairs.set(recorded, ours);
    }
  }
  return {
    learn: (turn, answer) => pair(contentOf(turn.res.body), contentOf(answer.text)),
    toOurs(text) {
      let result = text;
      for (const [theirs, ours] of pairs) {
        result = /^\d+$/.test(theirs)
          ? result.replace(new RegExp(`(?<![\\w.-])${theirs}(?![\\w.-])`, 'g'), ours)
          : result.replaceAll(theirs, ours);
      }
      return result;
    },
  };
}

/** Header by header and field by field: where our answer is not the recorded one. Empty when they are the same. */
export function differences(turn: Turn, answer: TestAnswer, toOurs: (text: string) => string): readonly string[] {
  const found: string[] = [];
  if (answer.code !== turn.res.code) found.push(`code: ${turn.res.code} expected, ${answer.code} found`);
  for (const [name, value] of Object.entries(turn.res.headers)) {
    if (VARYING_HEADERS.has(name)) continue;
    if (answer.headers[name] !== value)
      found.push(`header ${name}: ${value} expected, ${String(answer.headers[name])} found`);
  }
  if (typeof turn.res.body === 'string' && turn.res.body.includes('left out')) return found;
  compare(recordedContent(turn, toOurs), contentOf(answer.text), '', found);
  return found;
}

function recordedContent({ res }: Turn, toOurs: (text: string) => string): unknown {
  return typeof res.body === 'string' ? contentOf(toOurs(res.body)) : JSON.parse(toOurs(JSON.stringify(res.body)));
}

const VARYING_HEADERS = new Set(['etag', 'last-modified', 'accept-ranges', 'date', 'content-length', 'expires']);

/** A body as a value: JSON, lines of JSON, YAML, or the lines of a text. */
function contentOf(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  const lines = body.split('\n').filter((line) => line !== '');
  try {
    const values = lines.map((line) => JSON.parse(line) as unknown);
    return values.length === 1 ? values[0] : values;
  } catch {
    // No line of JSON each: perhaps one value over several lines.
  }
  for (const parse of [(text: string) => JSON.parse(text) as unknown, (text: string) => parseYaml(text) as unknown]) {
    try {
      const value: unknown = parse(body);
      if (isObject(value)) return value;
    } catch {
      // The next one may do.
    }
  }
  return lines;
}

function compare(expected: unknown, ours: unknown, at: string, found: string[]): void {
  if (Array.isArray(expected) && Array.isArray(ours)) {
    if (expected.length !== ours.length) found.push(`${at}: ${expected.length} items expected, ${ours.length} found`);
    expected.forEach((item, index) => compare(item, ours[index], `${at}[${index}]`, found));
  } else if (isObject(expected) && isObject(ours)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(ours)])) {
      if (!isFree(at, key)) compare(expected[key], ours[key], `${at}.${key}`, found);
    }
    const [wanted, got] = [expected, ours].map((object) =>
      Object.keys(object).filter((key) => key in expected && key in ours),
    );
    if (wanted?.join() !== got?.join())
      found.push(`${at}: keys in order ${wanted?.join()} expected, ${got?.join()} found`);
  } else if (expected !== ours && anyNumbers(at, expected) !== anyNumbers(at, ours)) {
    found.push(`${at}: ${shown(expected)} expected, ${shown(ours)} found`);
  }
}

/** What is ours to word or to choose: descriptions, addresses, tokens, what depends on everything ever written. */
function isFree(at: string, key: string): boolean {
  if (key === 'description' || key === 'storageVersionHash' || key === 'serverAddress') return true;
  if (key === 'resourceVersion') return at === '.metadata';
  return key === 'clusterIP' || key === 'clusterIPs';
}

/** How far the recording's server had counted, and how long it took, is not ours to repeat. */
function anyNumbers(at: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (at.endsWith('.message')) return value.replace(/current: \d+|\(\d+\)/g, '#');
  return at.includes('.cells[') ? value.replace(/^\d+s$/, '#s') : value;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
