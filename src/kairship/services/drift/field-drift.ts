/**
 * Where an object in a cluster differs from what was sent there, field by field. Pure.
 *
 * Only what was sent is compared: what a cluster fills in by itself is no drift. Elements of a list that carry a name
 * are compared by it; one that was added there is drift, and so is an entry added to what a config map holds. Labels
 * and annotations that others put on the object are theirs.
 */
import { isObject, type Json, jsonEqual } from '#base/json.ts';
import { MANAGED_ANNOTATIONS, MANAGED_LABELS } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { LAST_APPLIED } from '#kube/patch/last-applied.ts';
import { compareQuantities, tryParseQuantity } from '#kube/meta/quantity.ts';

export interface FieldDifference {
  /** A JSON pointer into what was sent, or would have been. */
  readonly path: string;
  /** The same field where the object lives: elements of lists may stand elsewhere there. */
  readonly livePath: string;
  /** Absent where there is none. */
  readonly sent?: Json;
  readonly live?: Json;
}

const NOT_SENT = new Set(['apiVersion', 'kind', 'metadata', 'status']);
/** Where one number may be written in several ways. */
const HOLDS_QUANTITY = /\/(limits|requests|hard|capacity)\/[^/]+$|\/sizeLimit$/;
/** Maps of which every entry is somebody's. */
const WHOLE = new Set(['data', 'binaryData', 'stringData']);

export function fieldDrift(sent: KubeObject, live: KubeObject): readonly FieldDifference[] {
  const found: FieldDifference[] = [];
  const at = { path: '', livePath: '' };
  for (const part of ['labels', 'annotations'] as const)
    compare(withoutMarks(sent.metadata[part]), live.metadata[part] ?? {}, below(at, 'metadata', part), found);
  for (const [key, value] of Object.entries(sent))
    if (!NOT_SENT.has(key)) compare(value, (live as Record<string, unknown>)[key], below(at, key), found);
  for (const key of WHOLE) addedEntries(sent[key], live[key], below(at, key), found);
  return found;
}

/**
 * What the engine writes on objects to know them again follows by itself; what kubectl wrote down of an earlier apply is
 * nobody's wish, and not in the index.
 */
const MARKS = new Set([...MANAGED_LABELS, ...MANAGED_ANNOTATIONS, LAST_APPLIED]);

function withoutMarks(entries: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !MARKS.has(key)));
}

interface At {
  readonly path: string;
  readonly livePath: string;
}

const below = (at: At, ...keys: readonly string[]): At => ({
  path: [at.path, ...keys.map(escape)].join('/'),
  livePath: [at.livePath, ...keys.map(escape)].join('/'),
});

function compare(sent: unknown, live: unknown, at: At, found: FieldDifference[]): void {
  if (sent === undefined || sent === null || isSame(sent, live, at.path)) return;
  if (isObject(sent) && isObject(live)) {
    for (const [key, value] of Object.entries(sent)) compare(value, live[key], below(at, key), found);
  } else if (Array.isArray(sent) && Array.isArray(live) && areNamed(sent) && areNamed(live)) {
    compareNamed(sent, live, at, found);
  } else {
    found.push({ ...at, sent: sent as Json, ...(live === undefined ? {} : { live: live as Json }) });
  }
}

type Named = Readonly<Record<string, unknown>> & { readonly name: string };

function compareNamed(sent: readonly Named[], live: readonly Named[], at: At, found: FieldDifference[]): void {
  const place = new Map(live.map(({ name }, index) => [name, index]));
  for (const [index, element] of sent.entries()) {
    const there = place.get(element.name);
    place.delete(element.name);
    const here = { path: `${at.path}/${index}`, livePath: `${at.livePath}/${there ?? live.length}` };
    compare(element, there === undefined ? undefined : live[there], here, found);
  }
  for (const index of place.values())
    found.push({ path: `${at.path}/-`, livePath: `${at.livePath}/${index}`, live: live[index] as Json });
}

function addedEntries(sent: unknown, live: unknown, at: At, found: FieldDifference[]): void {
  if (!isObject(live)) return;
  const known = isObject(sent) ? sent : {};
  for (const [key, value] of Object.entries(live))
    if (!Object.hasOwn(known, key)) found.push({ ...below(at, key), live: value as Json });
}

/** An empty value and none are the same to Kubernetes, and so are two ways to write one quantity. */
function isSame(sent: unknown, live: unknown, path: string): boolean {
  if (jsonEqual(sent, live)) return true;
  if (live === undefined) return isEmpty(sent);
  if (!HOLDS_QUANTITY.test(path) || !isScalar(sent) || !isScalar(live)) return false;
  const [a, b] = [tryParseQuantity(sent), tryParseQuantity(live)];
  return a !== undefined && b !== undefined && compareQuantities(a, b) === 0;
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === '' || value === false || value === 0 || (isObject(value) && Object.values(value).every(isEmpty));
}

function areNamed(list: readonly unknown[]): list is readonly Named[] {
  const names = list.map((element) => (isObject(element) ? element['name'] : undefined));
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
}

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys of a JSON pointer. */
export function pointerKeys(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a JSON pointer. */
export function valueAt(object: unknown, pointer: string): Json | undefined {
  let at: unknown = object;
  for (const key of pointerKeys(pointer)) {
    if (Array.isArray(at)) at = (at as readonly unknown[])[Number(key)];
    else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at as Json | undefined;
}
