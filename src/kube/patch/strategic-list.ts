import { isObject } from '#base/json.ts';
import type { Schema } from '#kube/schema/schema.ts';
import { goText } from './go-text.ts';
import { inPatchOrder } from './list-order.ts';
import { type Members, member } from './member.ts';
import { DIRECTIVE, plain, plainMembers } from './strategic-directive.ts';
import {
  listOfLists,
  noMergeKey,
  orderMismatch,
  unexplained,
  unknownDirective,
  wrongType,
} from './strategic-failure.ts';

/**
 * Lists in a strategic merge patch.
 *
 * A list with the strategy `merge` is a set of scalars, or of objects named by its merge key; any other is replaced as
 * a whole. Elements the patch names come in the patch's order (or that of `$setElementOrder`), elements only the server
 * has keep their place between them.
 */
export type MergeElement = (schema: Schema | undefined, original: Members, patch: Members) => Members;
type List = readonly unknown[];
type Present = { readonly value: unknown } | undefined;

export function mergeLists(
  schema: Schema | undefined,
  original: List,
  patch: List,
  deleting: boolean,
  merge: MergeElement,
): unknown {
  if (!deleting && !schema?.patchStrategy?.includes('merge')) return plain(patch);
  if (original.length === 0 && patch.length === 0) return original;
  if (elementType(original, patch) === 'object') return mergeObjectLists(schema, original, patch, merge);
  if (deleting) return withoutItems(original, new Set(patch));
  return inPatchOrder([...new Set([...original, ...patch])], patch, original, (item) => item);
}

function withoutItems(list: List, unwanted: ReadonlySet<unknown>): List {
  return list.filter((item) => !unwanted.has(item));
}

/** The list that `$setElementOrder` is about; undefined when neither side has it. */
export function orderedList(
  schema: Schema | undefined,
  order: unknown,
  original: Present,
  patch: Present,
  merge: MergeElement,
): unknown {
  if (!Array.isArray(order)) throw wrongType([], order);
  const before = original ? asList(original.value) : [];
  const change = patch ? asList(patch.value) : [];
  const mergeKey = schema?.patchMergeKey ?? '';
  checkOrder(change, order, mergeKey);
  if (!original && !patch) return undefined;
  const merged = !patch ? before : !original ? plain(change) : mergeLists(schema, before, change, false, merge);
  if (before.length + change.length === 0) throw unexplained('no elements in any of the given slices');
  const identity = mergeKey === '' ? (item: unknown) => item : keyOf(mergeKey);
  return inPatchOrder(asList(merged), order, before, identity);
}

/** The patch may only name what the order names, and in that order; deletions may come anywhere. */
function checkOrder(patch: List, order: List, mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const identity = mergeKey === '' ? (item: unknown) => item : keyOf(mergeKey);
  const wanted = patch.filter((item) => !isObject(item) || !Object.hasOwn(item, DIRECTIVE));
  let next = 0;
  for (const item of order) if (next < wanted.length && identity(wanted[next]) === identity(item)) next++;
  if (next < wanted.length) throw orderMismatch(patch, order);
}

function mergeObjectLists(schema: Schema | undefined, original: List, patch: List, merge: MergeElement): unknown[] {
  const mergeKey = schema?.patchMergeKey ?? '';
  if (mergeKey === '') throw unexplained('cannot merge lists without merge key for struct');
  const identity = keyOf(mergeKey);
  const { before, changes } = obeyDirectives(original, patch, mergeKey);
  const merged = [...before];
  const found = new Map<unknown, number>();
  merged.forEach((item, index) => found.set(identity(item), found.get(identity(item)) ?? index));
  for (const change of changes) {
    const key = identity(change);
    const index = found.get(key);
    if (index === undefined) found.set(key, merged.push(plainMembers(change)) - 1);
    else merged[index] = merge(schema?.items, merged[index] ?? {}, change);
  }
  return inPatchOrder(merged, changes, before, identity);
}

/** Takes the elements with a `$patch` directive out of the patch and does what they say. */
function obeyDirectives(original: List, patch: List, mergeKey: string): { before: Members[]; changes: Members[] } {
  const changes: Members[] = [];
  const deleted = new Set<unknown>();
  let replace = false;
  for (const element of patch as readonly Members[]) {
    const directive = element[DIRECTIVE];
    if (directive === undefined) changes.push(element);
    else if (directive === 'delete') deleted.add(keyOf(mergeKey)(element));
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw unexplained('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, element);
  }
  if (replace) return { before: changes.map(plainMembers), changes: [] };
  const before = original as readonly Members[];
  return { before: before.filter((item) => !deleted.has(member(item, mergeKey))), changes };
}

/** The value of the merge key, which every object in such a list must have. */
function keyOf(mergeKey: string): (item: unknown) => unknown {
  return (item) => {
    if (!isObject(item)) throw wrongType({}, item);
    if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
    return item[mergeKey];
  };
}

function asList(value: unknown): List {
  if (!Array.isArray(value)) throw wrongType([], value);
  return value;
}

/** The one type all elements have. */
function elementType(original: List, patch: List): string {
  const types = new Set([...original, ...patch].map(typeName));
  if (types.has('list')) throw listOfLists();
  const [type] = types;
  if (type === undefined || types.size > 1) {
    throw unexplained(`list element types are not identical: ${goText([original, patch])}`);
  }
  return type;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
