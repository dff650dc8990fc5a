import { isObject, jsonEqual } from '#base/json.ts';
import { type FieldElement, fieldElement } from './field-element.ts';
import { type FieldSet, inOrder, MEMBER, nodeOf, NOTHING } from './field-set.ts';
import { type Members, member } from './member.ts';
import type { ListForm, MapForm, MergeType } from './merge-type.ts';
import { formOf, itemElement, memberType } from './typed-element.ts';

/**
 * What differs between two values of a type: the fields only the new one has, those both have with different values, and
 * those only the old one has.
 *
 * Equal parts cost one comparison when they are shared, and nothing is made for them.
 */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compare(type: MergeType, before: unknown, after: unknown): Comparison {
  const { added = NOTHING, modified = NOTHING, removed = NOTHING } = compareValues(type, before, after) ?? {};
  return { added, modified, removed };
}

/** Below the root a node says whether the value itself is meant, as in a {@link FieldSet}. Absent parts are equal. */
interface Change {
  added?: Branches;
  modified?: Branches;
  removed?: Branches;
}
type Branches = Record<FieldElement, FieldSet>;

/** Undefined stands for a value that is not there; null is one. */
function compareValues(type: MergeType, before: unknown, after: unknown): Change | undefined {
  if (before === after) return undefined;
  if (before === undefined) return { added: wholeOf(type, after) };
  if (after === undefined) return { removed: wholeOf(type, before) };
  const form = formOf(type, after);
  const formBefore = formOf(type, before);
  const change = compareAs(type, form, before, after);
  return formBefore === form ? change : joinChanges(change, compareAs(type, formBefore, before, after));
}

function joinChanges(a: Change | undefined, b: Change | undefined): Change | undefined {
  return a && b ? { ...b, ...a } : (a ?? b);
}

function compareAs(type: MergeType, form: 'map' | 'scalar' | 'list', before: unknown, after: unknown) {
  if (form === 'map' && type.map && !type.map.atomic) return compareMaps(type.map, before, after);
  if (form === 'list' && type.list && type.list.relation !== 'atomic') return compareLists(type.list, before, after);
  return compareLeaves(before, after);
}

function compareLeaves(before: unknown, after: unknown): Change | undefined {
  return jsonEqual(before, after) ? undefined : { modified: MEMBER };
}

function compareMaps(map: MapForm, before: unknown, after: unknown): Change | undefined {
  const [old, now] = [asMap(before), asMap(after)];
  if (isBare(old) && isBare(now)) return compareLeaves(before, after);
  const change: Change = {};
  for (const name in now) {
    note(change, fieldElement(name), compareValues(memberType(map, name), member(old, name), now[name]));
  }
  for (const name in old) {
    if (member(now, name) !== undefined) continue;
    note(change, fieldElement(name), compareValues(memberType(map, name), old[name], undefined));
  }
  return settled(change);
}

const NO_MEMBERS: Members = {};
const asMap = (value: unknown): Members => (isObject(value) ? value : NO_MEMBERS);

function isBare(value: Members): boolean {
  for (const name in value) if (value[name] !== undefined) return false;
  return true;
}

function compareLists(list: ListForm, before: unknown, after: unknown): Change | undefined {
  const [old, now] = [asList(before), asList(after)];
  if (old.length === 0 && now.length === 0) return compareLeaves(before, after);
  const change: Change = {};
  const [oldItems, nowItems] = [itemsOf(list, old), itemsOf(list, now)];
  for (const [element, items] of nowItems) {
    note(change, element, compareItems(list.element, oldItems.get(element) ?? [], items));
  }
  for (const [element, items] of oldItems) {
    if (!nowItems.has(element)) note(change, element, compareItems(list.element, items, []));
  }
  return settled(change);
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function itemsOf(list: ListForm, items: readonly unknown[]): ReadonlyMap<FieldElement, readonly unknown[]> {
  const result = new Map<FieldElement, unknown[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    const known = result.get(element);
    if (known) known.push(item);
    else result.set(element, [item]);
  }
  return result;
}

/** Elements that share their name are compared as one piece. */
function compareItems(type: MergeType, old: readonly unknown[], now: readonly unknown[]): Change | undefined {
  if (old.length <= 1 && now.length <= 1) return compareValues(type, old[0], now[0]);
  if (old.length > 1 && now.length > 1) return compareLeaves(old, now);
  const one = old.length > 1 ? compareValues(type, undefined, now[0]) : compareValues(type, old[0], undefined);
  return old.length > 1 ? { ...one, removed: MEMBER } : { ...one, added: MEMBER };
}

/** All a value consists of, itself included: what comes and goes with it. */
function wholeOf(type: MergeType, value: unknown): FieldSet {
  const form = formOf(type, value);
  const map = form === 'map' && type.map && !type.map.atomic ? type.map : undefined;
  const list = form === 'list' && type.list && type.list.relation !== 'atomic' ? type.list : undefined;
  if (map && isObject(value)) return wholeMap(map, value);
  return list && Array.isArray(value) ? wholeList(list, value) : MEMBER;
}

function wholeMap(map: MapForm, value: Members): FieldSet {
  const branches: Branches = {};
  for (const name in value) {
    if (value[name] !== undefined) branches[fieldElement(name)] = wholeOf(memberType(map, name), value[name]);
  }
  return nodeOf(branches, true);
}

function wholeList(list: ListForm, value: readonly unknown[]): FieldSet {
  const branches: Branches = {};
  for (const [element, items] of itemsOf(list, value)) {
    branches[element] = items.length > 1 ? MEMBER : wholeOf(list.element, items[0]);
  }
  return nodeOf(branches, true);
}

function note(change: Change, element: FieldElement, below: Change | undefined): void {
  if (!below) return;
  if (below.added) (change.added ??= {})[element] = below.added;
  if (below.modified) (change.modified ??= {})[element] = below.modified;
  if (below.removed) (change.removed ??= {})[element] = below.removed;
}

/** The branches of a change in order; undefined when there is none. */
function settled(change: Change): Change | undefined {
  if (change.added) change.added = inOrder(change.added);
  if (change.modified) change.modified = inOrder(change.modified);
  if (change.removed) change.removed = inOrder(change.removed);
  return change.added || change.modified || change.removed ? change : undefined;
}
