import { isObject } from '#base/json.ts';
import type { FieldElement } from './field-element.ts';
import { type Members, member, setMember } from './member.ts';
import type { ListForm, MapForm, MergeType } from './merge-type.ts';
import { formOf, itemElement, memberType } from './typed-element.ts';

/**
 * A live value with a partial one merged over it: nothing is removed, what the partial one says wins.
 *
 * A container the partial value does not mention stays as it is, and is shared. In a list, elements both have are merged
 * and take the order of the partial value; elements only the live one has keep their place between them.
 */
export function mergeTyped(type: MergeType, live: unknown, config: unknown): unknown {
  if (config === undefined || live === config) return live;
  if (live === undefined) return config;
  const form = formOf(type, config);
  if (form === 'map' && type.map && !type.map.atomic) return mergeMaps(type.map, live, config);
  if (form === 'list' && type.list && type.list.relation !== 'atomic') return mergeLists(type.list, live, config);
  return config;
}

function mergeMaps(map: MapForm, live: unknown, config: unknown): unknown {
  const [before, change] = [isObject(live) ? live : {}, isObject(config) ? config : {}];
  if (Object.keys(change).length === 0) return Object.keys(before).length === 0 ? config : live;
  const result: Members = { ...before };
  for (const name of Object.keys(change)) {
    setMember(result, name, mergeTyped(memberType(map, name), member(before, name), change[name]));
  }
  return result;
}

function mergeLists(list: ListForm, live: unknown, config: unknown): unknown {
  const before = itemsOf(list, Array.isArray(live) ? live : []);
  const change = itemsOf(list, Array.isArray(config) ? config : []);
  if (change.length === 0) return before.length === 0 ? config : live;
  const old = new Map<FieldElement, unknown>();
  // Of elements that share their name none is merged: there is no telling which was meant.
  for (const [element, item] of before) old.set(element, old.has(element) ? undefined : item);
  const wanted = new Map(change);
  return inConfigOrder(before, change).map(([element, item]) =>
    wanted.has(element) ? mergeTyped(list.element, old.get(element), wanted.get(element)) : item,
  );
}

type Item = readonly [element: FieldElement, item: unknown];

function itemsOf(list: ListForm, items: readonly unknown[]): readonly Item[] {
  return items.map((item) => [itemElement(list, item), item]);
}

/**
 * Both lists as one. Walks the live list; an element the config has too waits for its turn in the config's order, and
 * the config's own elements come right before the shared one that follows them.
 */
function inConfigOrder(live: readonly Item[], config: readonly Item[]): readonly Item[] {
  const inLive = new Set(live.map(([element]) => element));
  const inConfig = new Set(config.map(([element]) => element));
  const shared = config.filter(([element]) => inLive.has(element)).map(([element]) => element);
  const result: Item[] = [];
  const taken = new Set<FieldElement>();
  let [l, c, s] = [0, 0, 0];
  const take = (item: Item) => {
    taken.add(item[0]);
    result.push(item);
    if (shared[s] === item[0]) s++;
    c++;
  };
  while (l < live.length || c < config.length) {
    const [theirs, ours] = [live[l], config[c]];
    if (theirs && ours && theirs[0] === ours[0]) {
      take(ours);
      l++;
    } else if (theirs && ours && inConfig.has(theirs[0]) && s < shared.length && shared[s] !== theirs[0]) {
      l++;
    } else if (theirs && !inConfig.has(theirs[0])) {
      result.push(theirs);
      l++;
    } else {
      if (theirs && taken.has(theirs[0])) l++;
      if (ours) take(ours);
    }
  }
  return result;
}
