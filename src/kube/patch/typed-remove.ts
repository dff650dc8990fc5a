import { isObject } from '#base/json.ts';
import { type FieldElement, fieldElement } from './field-element.ts';
import { type FieldSet, isMember } from './field-set.ts';
import { type Members, setMember } from './member.ts';
import type { ListForm, MapForm, MergeType } from './merge-type.ts';
import { formOf, itemElement, memberType } from './typed-element.ts';

/**
 * A value without the fields and elements of a set. A container of which nothing is left becomes null, which is what is
 * stored of it; what the set does not touch is shared.
 */
export function removeTyped(type: MergeType, value: unknown, fields: FieldSet): unknown {
  switch (formOf(type, value)) {
    case 'scalar':
      return value;
    case 'map':
      return isObject(value) && type.map && !type.map.atomic ? removeFromMap(type.map, value, fields) : null;
    case 'list':
      return Array.isArray(value) && type.list && type.list.relation !== 'atomic'
        ? removeFromList(type.list, value, fields)
        : null;
  }
}

function removeFromMap(map: MapForm, value: Members, fields: FieldSet): unknown {
  const result: Members = {};
  let size = 0;
  for (const name of Object.keys(value)) {
    const kept = keep(memberType(map, name), value[name], fields[fieldElement(name)]);
    if (kept === undefined) continue;
    setMember(result, name, kept);
    size++;
  }
  return size > 0 ? result : null;
}

function removeFromList(list: ListForm, value: readonly unknown[], fields: FieldSet): unknown {
  const result: unknown[] = [];
  for (const item of value) {
    const element: FieldElement = itemElement(list, item);
    const kept = keep(list.element, item, fields[element]);
    if (kept !== undefined) result.push(kept);
  }
  return result.length > 0 ? result : null;
}

/** What stays of a part, given what the set says about it; undefined when the part itself goes. */
function keep(type: MergeType, value: unknown, node: FieldSet | undefined): unknown {
  if (node === undefined) return value;
  return isMember(node) ? undefined : removeTyped(type, value, node);
}
