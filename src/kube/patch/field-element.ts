import { isObject } from '#base/json.ts';

/**
 * One step of a field path, spelled as in FieldsV1: `f:name` a field, `k:{"name":"web"}` the list element with these
 * keys, `v:"x"` the element of a set, `i:0` an index. `.` stands for the container itself.
 */
export type FieldElement = string;

export const SELF: FieldElement = '.';

export function fieldElement(name: string): FieldElement {
  let element = elements.get(name);
  if (element === undefined) {
    element = `f:${name}`;
    if (elements.size >= MAX_ELEMENTS) elements.clear();
    elements.set(name, element);
  }
  return element;
}

/** Names repeat from object to object, and a string that was a key before is found faster than made. */
const elements = new Map<string, FieldElement>();
const MAX_ELEMENTS = 10_000;

export const valueElement = (value: unknown): FieldElement => `v:${JSON.stringify(value)}`;

/** The element of a list by its keys, which must come sorted by name. */
export function keyElement(keys: readonly (readonly [name: string, value: unknown])[]): FieldElement {
  let text = '';
  for (const [name, value] of keys) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  return `k:{${text}}`;
}

/** The field's name, if the element is one. */
export function fieldName(element: FieldElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/** The order in which Kubernetes writes elements: itself, fields, keys, values, indices. */
export function compareElements(a: FieldElement, b: FieldElement): number {
  if (a === b) return 0;
  if (a.startsWith('f:') && b.startsWith('f:')) return a < b ? -1 : 1;
  const kind = KINDS.indexOf(a[0] ?? '') - KINDS.indexOf(b[0] ?? '');
  if (kind !== 0) return kind;
  return compareValues(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
}

const KINDS = '.fkvi';

/** Numbers before strings before booleans; objects key by key. */
function compareValues(a: unknown, b: unknown): number {
  if (isObject(a) && isObject(b)) return compareKeys(Object.entries(a), Object.entries(b));
  if (typeof a !== typeof b) return TYPES.indexOf(typeof a) - TYPES.indexOf(typeof b);
  if (a === b) return 0;
  return (a as string) < (b as string) ? -1 : 1;
}

const TYPES: readonly string[] = ['number', 'string', 'boolean', 'object'];

function compareKeys(a: readonly [string, unknown][], b: readonly [string, unknown][]): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (!other) return 1;
    if (name !== other[0]) return name < other[0] ? -1 : 1;
    const order = compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The element as messages print it: `.name`, `[name="web"]`, `[="x"]`, `[0]`. */
export function elementText(element: FieldElement): string {
  const rest = element.slice(2);
  if (element[0] === 'f') return `.${rest}`;
  if (element[0] === 'v') return `[=${rest}]`;
  if (element[0] === 'i') return `[${rest}]`;
  const keys = Object.entries(JSON.parse(rest) as Record<string, unknown>);
  return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
}

/**
 * An element that was sent, in the one spelling it has here; undefined for kinds of a later version, which Kubernetes
 * leaves out. Throws for what no version could mean.
 */
export function canonicalElement(element: string): FieldElement | undefined {
  if (element[1] !== ':') throw new SyntaxError(`${JSON.stringify(element)} is no field path element`);
  switch (element[0]) {
    case 'f':
      return element;
    case 'v':
      return valueElement(JSON.parse(element.slice(2)));
    case 'k':
      return canonicalKeys(JSON.parse(element.slice(2)));
    case 'i':
      if (!/^i:-?\d+$/.test(element)) throw new SyntaxError(`${JSON.stringify(element)} is no index`);
      return `i:${Number(element.slice(2))}`;
    default:
      return undefined;
  }
}

function canonicalKeys(keys: unknown): FieldElement {
  if (!isObject(keys)) throw new SyntaxError('the keys of a list element are an object');
  return keyElement(Object.entries(keys).sort(([a], [b]) => (a < b ? -1 : 1)));
}
