import { isObject } from '#base/json.ts';
import { type FieldElement, fieldElement } from './field-element.ts';
import { type FieldSet, isEmpty, MEMBER, nodeOf, NOTHING } from './field-set.ts';
import type { ListForm, MapForm, MergeType } from './merge-type.ts';
import { formOf, itemElement, memberType } from './typed-element.ts';

/**
 * Every leaf and list element a value mentions: what someone owns who applies it.
 *
 * A struct is not a leaf, so it is owned only through its fields; an element of a list and a member of a map are owned
 * themselves, and with everything in them.
 */
export function toFieldSet(type: MergeType, value: unknown): FieldSet {
  return branchesOf(type, value) ?? NOTHING;
}

/** The branches below a value; undefined when the value is a leaf. */
function branchesOf(type: MergeType, value: unknown): FieldSet | undefined {
  switch (formOf(type, value)) {
    case 'scalar':
      return undefined;
    case 'map':
      return type.map?.atomic ? undefined : mapBranches(type.map, value);
    case 'list':
      return type.list?.relation === 'atomic' ? undefined : listBranches(type.list, value);
  }
}

function mapBranches(map: MapForm | undefined, value: unknown): FieldSet {
  if (!map || !isObject(value)) return NOTHING;
  const branches: Record<FieldElement, FieldSet> = {};
  for (const name in value) {
    const item = value[name];
    if (item === undefined) continue;
    const field = map.field(name);
    const below = branchesOf(memberType(map, name), item);
    const leaf = below === undefined || item === null || (isObject(item) && isEmpty(item as FieldSet));
    if (leaf || !field || !isEmpty(below)) branches[fieldElement(name)] = nodeOf(below ?? NOTHING, leaf || !field);
  }
  return nodeOf(branches, false);
}

function listBranches(list: ListForm | undefined, value: unknown): FieldSet {
  if (!list || !Array.isArray(value)) return NOTHING;
  const branches: Record<FieldElement, FieldSet> = {};
  for (const item of value) {
    const element = itemElement(list, item);
    // Elements that share their name cannot be told apart: together they are one leaf.
    if (branches[element]) branches[element] = MEMBER;
    else branches[element] = nodeOf(branchesOf(list.element, item) ?? NOTHING, true);
  }
  return nodeOf(branches, false);
}
