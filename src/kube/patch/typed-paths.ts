import { type FieldElement, fieldName } from './field-element.ts';
import { type FieldSet, isEmpty, isMember, MEMBER, nodeOf, NOTHING, recursiveDifference, union } from './field-set.ts';
import type { MergeType } from './merge-type.ts';
import { memberType } from './typed-element.ts';

/**
 * The set together with every struct field that leads to a member. Sets do not list these, but who owns all that is in
 * a struct is to be taken for the owner of the struct.
 */
export function withNamedFields(type: MergeType | undefined, set: FieldSet): FieldSet {
  const branches: Record<FieldElement, FieldSet> = {};
  for (const element in set) {
    const node = set[element];
    if (!node || element === '.') continue;
    const name = fieldName(element);
    const below = isEmpty(node) ? NOTHING : withNamedFields(typeBelow(type, name), node);
    const named = name !== undefined && type?.map?.field(name) !== undefined;
    branches[element] = nodeOf(below, named || isMember(node));
  }
  return nodeOf(branches, false);
}

function typeBelow(type: MergeType | undefined, name: string | undefined): MergeType | undefined {
  if (name === undefined) return type?.list?.element;
  return type?.map && memberType(type.map, name);
}

/**
 * A set that was written under another schema, brought to this one: who owned parts of what is atomic now owns all of
 * it. The set itself when nothing changed.
 */
export function reconciled(type: MergeType, set: FieldSet): FieldSet {
  const atomic = grownAtomic(type, set);
  return isEmpty(atomic) ? set : union(recursiveDifference(set, atomic), atomic);
}

/** The paths in the set that lead into something atomic. */
function grownAtomic(type: MergeType, node: FieldSet): FieldSet {
  const branches: Record<FieldElement, FieldSet> = {};
  for (const element in node) {
    const below = node[element];
    if (!below || element === '.') continue;
    const next = typeBelow(type, fieldName(element));
    if (!next) continue;
    if (!isEmpty(below) && isAtomic(next)) branches[element] = MEMBER;
    else if (!isEmpty(below)) {
      const deeper = grownAtomic(next, below);
      if (!isEmpty(deeper)) branches[element] = deeper;
    }
  }
  return nodeOf(branches, false);
}

function isAtomic({ map, list, scalar }: MergeType): boolean {
  return map ? map.atomic : !scalar && list?.relation === 'atomic';
}
