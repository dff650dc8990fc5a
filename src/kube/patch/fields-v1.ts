import { isObject } from '#base/json.ts';
import { canonicalElement, compareElements, type FieldElement, SELF } from './field-element.ts';
import { type FieldSet, inOrder, MEMBER, NOTHING, union } from './field-set.ts';

/**
 * FieldsV1 as it was sent, read into a {@link FieldSet}; the very same object when it was canonical already.
 *
 * Elements of kinds this version does not know are left out, as Kubernetes does. Throws a SyntaxError for anything that
 * is no FieldsV1. To write a set, write it: it is in wire form.
 */
export function parseFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return NOTHING;
  if (isCanonical(fields) && !Object.hasOwn(fields, SELF)) return fields;
  const { [SELF]: _, ...rest } = parseNode(fields);
  return rest;
}

/** Whether a node could be written as it is; most are, and then nothing has to be made. */
function isCanonical(node: unknown): node is FieldSet {
  if (!isObject(node)) return false;
  let last: FieldElement | undefined;
  for (const key in node) {
    if (elementOf(key) !== key || (last !== undefined && compareElements(last, key) >= 0)) return false;
    if (!isCanonical(node[key])) return false;
    last = key;
  }
  return last !== SELF;
}

function parseNode(node: unknown): FieldSet {
  if (node === null) return MEMBER;
  if (!isObject(node)) throw new SyntaxError('a field set consists of objects');
  const result: Record<FieldElement, FieldSet> = {};
  for (const [key, value] of Object.entries(node)) {
    const element = elementOf(key);
    const child = key === SELF ? MEMBER : parseNode(value);
    if (element !== undefined) result[element] = joined(result[element], child);
  }
  return withoutLoneSelf(inOrder(result));
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
const MAX_LENGTH = 200;

function elementOf(key: string): FieldElement | undefined {
  if (key === SELF || key.startsWith('f:')) return key;
  if (key.length > MAX_LENGTH) return canonicalElement(key);
  if (spellings.has(key)) return spellings.get(key);
  if (spellings.size >= MAX_SPELLINGS) spellings.clear();
  const element = canonicalElement(key);
  spellings.set(key, element);
  return element;
}
