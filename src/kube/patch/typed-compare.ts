import { isObject, jsonEqual } from '#base/json.ts';
import { type FieldElement, fieldElement } from './field-element.ts';
import { type FieldSet, inOrder, isEmpty, MEMBER, nodeOf, NOTHING } from './field-set.ts';
import type { ListForm, MapForm, MergeType } from './merge-type.ts';
import { formOf, itemElement, memberType } from './typed-element.ts';

/**
 * What differs between two values of a type: the fields only the new one has, those both have with different values, and
 * those only the old one has.
 *
 * Where the type is a Go struct, a field that is always written counts as present even if the JSON leaves it out, and
 * one that is left out when empty counts as absent even if the JSON has it empty. Equal parts cost one comparison when
 * they are shared, and nothing is made for them.
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

type Values = Readonly<Record<string, unknown>>;

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
  if (isBare(map, old) && isBare(map, now)) return compareLeaves(before, after);
  const change: Change = {};
  for (const name in now) note(change, fieldElement(name), compareMember(map, name, old, now));
  for (const name in old) {
    if (!mentions(now, name)) note(change, fieldElement(name), compareMember(map, name, old, now));
  }
  if (!old || !now) for (const [name] of map.always) noteUnmentioned(change, map, name, old, now);
  return settled(change);
}

const asMap = (value: unknown): Values | undefined => (isObject(value) ? value : undefined);

/** Without any member, even one that is always there. */
function isBare(map: MapForm, value: Values | undefined): boolean {
  if (!value) return true;
  for (const name in value) if (memberOf(map, value, name) !== undefined) return false;
  return map.always.length === 0;
}

function compareMember(map: MapForm, name: string, old: Values | undefined, now: Values | undefined) {
  return compareValues(memberType(map, name), memberOf(map, old, name), memberOf(map, now, name));
}

/** A field that neither side spells out is still there on the side that exists. */
function noteUnmentioned(change: Change, map: MapForm, name: string, old?: Values, now?: Values): void {
  if (!mentions(old, name) && !mentions(now, name)) {
    note(change, fieldElement(name), compareMember(map, name, old, now));
  }
}

function mentions(values: Values | undefined, name: string): boolean {
  return values !== undefined && Object.hasOwn(values, name) && values[name] !== undefined;
}

function memberOf(map: MapForm, values: Values | undefined, name: string): unknown {
  if (!values) return undefined;
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const field = map.field(name);
  if (!field) return value;
  if (value === undefined) return field.zero;
  return field.omitEmpty && isBlank(value) ? undefined : value;
}

function isBlank(value: unknown): boolean {
  if (typeof value !== 'object') return !value;
  if (Array.isArray(value)) return value.length === 0;
  return value === null || isEmpty(value as FieldSet);
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

function wholeMap(map: MapForm, value: Values): FieldSet {
  const branches: Record<FieldElement, FieldSet> = {};
  const add = (name: string) => {
    const item = memberOf(map, value, name);
    if (item !== undefined) branches[fieldElement(name)] = wholeOf(memberType(map, name), item);
  };
  for (const name in value) add(name);
  for (const [name] of map.always) if (!mentions(value, name)) add(name);
  return nodeOf(branches, true);
}

function wholeList(list: ListForm, value: readonly unknown[]): FieldSet {
  const branches: Record<FieldElement, FieldSet> = {};
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
