import { compareElements, elementText, type FieldElement, SELF } from './field-element.ts';

/**
 * A set of field paths, as a tree in exactly the form FieldsV1 has on the wire.
 *
 * Below the root, `{}` is a member, `{ "f:a": … }` leads to members without being one, and `{ ".": {}, "f:a": … }` is a
 * member and leads to more. Sets are values: no function changes one, and what an operation leaves as it was is shared
 * (an operation without effect returns its argument). So sets need no decoding, and their cost is that of the
 * difference, not of the whole.
 *
 * Every set here is canonical: elements in the order Kubernetes writes them, no branch without members. What comes from
 * outside goes through `parseFieldsV1`.
 */
export interface FieldSet {
  readonly [element: FieldElement]: FieldSet;
}

type Draft = Record<FieldElement, FieldSet>;
export type FieldPath = readonly FieldElement[];

export const NOTHING: FieldSet = Object.freeze({});
/** Below the root: the path that leads here, and nothing beyond. */
export const MEMBER: FieldSet = NOTHING;

export function isEmpty(set: FieldSet): boolean {
  for (const element in set) return element === undefined;
  return true;
}

/** Whether the path that leads to this node is in the set. */
export function isMember(node: FieldSet): boolean {
  for (const element in node) return element === SELF;
  return true;
}

/** A node with the given branches, which need not be in order, and membership. */
export function nodeOf(branches: FieldSet, member: boolean): FieldSet {
  if (isEmpty(branches)) return MEMBER;
  const ordered = inOrder(branches);
  return member ? { [SELF]: MEMBER, ...ordered } : ordered;
}

export function setOf(...paths: readonly FieldPath[]): FieldSet {
  return paths.reduce((set, path) => union(set, chain(path)), NOTHING);
}

function chain([first, ...rest]: FieldPath): FieldSet {
  return first === undefined ? MEMBER : { [first]: chain(rest) };
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a)) return b;
  let result: Draft | undefined;
  let added = false;
  for (const element in b) {
    const [left, right] = [a[element], b[element] ?? MEMBER];
    const joined = left === undefined ? right : unionNodes(left, right);
    if (joined === left) continue;
    result ??= { ...a };
    result[element] = joined;
    added ||= left === undefined;
  }
  return added ? inOrder(result ?? a) : (result ?? a);
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmpty(b)) return asMember(a);
  return isEmpty(a) ? asMember(b) : union(a, b);
}

function asMember(node: FieldSet): FieldSet {
  return isMember(node) ? node : { [SELF]: MEMBER, ...node };
}

/** What is in both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const result: Draft = {};
  for (const element in a) {
    const [left, right] = [a[element], b[element]];
    const shared = left && right && intersectNodes(left, right);
    if (shared) result[element] = shared;
  }
  return result;
}

function intersectNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isEmpty(a)) return isMember(b) ? MEMBER : undefined;
  if (isEmpty(b)) return isMember(a) ? MEMBER : undefined;
  return tidy(intersection(a, b));
}

/** What is in `a` and not in `b`, path by path: to remove a container does not remove what is in it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, differNodes);
}

function differNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isEmpty(a)) return isMember(b) ? undefined : a;
  if (isEmpty(b)) return isMember(a) ? tidy(without(a, JUST_SELF, nothingLeft)) : a;
  return tidy(difference(a, b));
}

/** What is in `a` and neither in `b` nor below a member of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, differBelow);
}

function differBelow(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isMember(b)) return undefined;
  return isEmpty(a) ? a : tidy(recursiveDifference(a, b));
}

const JUST_SELF: FieldSet = { [SELF]: MEMBER };
const nothingLeft = () => undefined;

function without(a: FieldSet, b: FieldSet, subtract: (a: FieldSet, b: FieldSet) => FieldSet | undefined): FieldSet {
  let result: Record<FieldElement, FieldSet | undefined> | undefined;
  let thinned = false;
  for (const element in b) {
    const left = a[element];
    if (left === undefined) continue;
    const rest = subtract(left, b[element] ?? MEMBER);
    if (rest === left) continue;
    result ??= { ...a };
    result[element] = rest;
    thinned ||= rest === undefined;
  }
  return thinned && result ? compact(result) : ((result as FieldSet | undefined) ?? a);
}

/** Made anew, because to delete from an object costs more. */
function compact(branches: Readonly<Record<FieldElement, FieldSet | undefined>>): FieldSet {
  const result: Draft = {};
  for (const element in branches) {
    const node = branches[element];
    if (node) result[element] = node;
  }
  return result;
}

/** A node that an operation has thinned out: undefined when it no longer leads anywhere. */
function tidy(node: FieldSet): FieldSet | undefined {
  let size = 0;
  for (const element in node) {
    if (element !== SELF) return node;
    size++;
  }
  return size === 0 ? undefined : MEMBER;
}

/** The members that lead to no others. */
export function leaves(set: FieldSet): FieldSet {
  const result: Draft = {};
  for (const element in set) if (element !== SELF) result[element] = leaves(set[element] ?? MEMBER);
  return result;
}

export function has(set: FieldSet, path: FieldPath): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return path.length > 0 && node !== undefined && isMember(node);
}

export function sameSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  for (const element in a) {
    const [left, right] = [a[element], b[element]];
    if (!left || !right || !sameSet(left, right)) return false;
  }
  for (const element in b) if (a[element] === undefined) return false;
  return true;
}

/** Every path in the set, in the order Kubernetes lists them: at each level the members first. */
export function* pathsOf(set: FieldSet, prefix: FieldPath = []): Generator<FieldPath> {
  const below = Object.keys(set).filter((element) => element !== SELF);
  for (const element of below) if (isMember(set[element] ?? MEMBER)) yield [...prefix, element];
  for (const element of below) yield* pathsOf(set[element] ?? MEMBER, [...prefix, element]);
}

export function pathText(path: FieldPath): string {
  return path.map(elementText).join('');
}

/** The same branches, in the order Kubernetes writes them. */
export function inOrder(set: FieldSet): FieldSet {
  const elements = Object.keys(set);
  for (let index = 1; index < elements.length; index++) {
    if (compareElements(elements[index - 1] ?? '', elements[index] ?? '') < 0) continue;
    return Object.fromEntries(elements.sort(compareElements).map((element) => [element, set[element] ?? MEMBER]));
  }
  return set;
}
