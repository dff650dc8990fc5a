import { isObject } from '#base/json.ts';
import { canonicalElement, type FieldElement, SELF } from './field-element.ts';
import { type FieldSet, inOrder, isEmpty, MEMBER, NOTHING, union } from './field-set.ts';

/**
 * FieldsV1 as it was sent, read into a {@link FieldSet}; the very same object when it was canonical already.
 *
 * Elements of kinds this version does not know are left out, as Kubernetes does. Throws a SyntaxError for anything that
 * is no FieldsV1. To write a set, write it: it is in wire form.
 */
export function parseFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return NOTHING;
  const node = parseNode(fields);
  if (!Object.hasOwn(node, SELF)) return node;
  const { [SELF]: _, ...rest } = node;
  return rest;
}

function parseNode(node: unknown): FieldSet {
  if (node === null) return MEMBER;
  if (!isObject(node)) throw new SyntaxError('a field set consists of objects');
  const result: Record<FieldElement, FieldSet> = {};
  let canonical = true;
  for (const [key, value] of Object.entries(node)) {
    const element = elementOf(key);
    const child = key === SELF ? MEMBER : parseNode(value);
    canonical &&= element === key && (child === value || (key === SELF && isObject(value) && isEmpty(child)));
    if (element !== undefined) result[element] = joined(result[element], child);
  }
  const ordered = withoutLoneSelf(inOrder(result));
  return canonical && ordered === result ? (node as FieldSet) : ordered;
}

function joined(known: FieldSet | undefined, child: FieldSet): FieldSet {
  return known === undefined ? child : (union({ x: known }, { x: child })['x'] ?? MEMBER);
}

/** A node that names itself and nothing else is written empty. */
function withoutLoneSelf(node: FieldSet): FieldSet {
  for (const element in node) if (element !== SELF) return node;
  return Object.hasOwn(node, SELF) ? MEMBER : node;
}

/** Keys and values of list elements repeat from object to object, and reading one costs more than all else here. */
const spellings = new Map<string, FieldElement | undefined>();
const MAX_SPELLINGS = 10_000;

function elementOf(key: string): FieldElement | undefined {
  if (key === SELF || key.startsWith('f:')) return key;
  if (spellings.has(key)) return spellings.get(key);
  if (spellings.size >= MAX_SPELLINGS) spellings.clear();
  const element = canonicalElement(key);
  spellings.set(key, element);
  return element;
}
