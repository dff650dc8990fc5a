import { isObject } from '#base/json.ts';
import { elementText, type FieldElement, fieldElement } from './field-element.ts';
import { goText } from './go-text.ts';
import type { ListForm, MapForm, MergeType, ScalarForm } from './merge-type.ts';
import { formOf, itemElement, ListItemError } from './typed-element.ts';

/** What keeps a value from being of a type, each with its path; empty when nothing does. In the words of Kubernetes. */
export function validateTyped(type: MergeType, value: unknown): readonly string[] {
  return problems(type, value).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}

/** Several problems as one text. */
export function problemsText(found: readonly string[]): string {
  return found.length === 1 ? (found[0] ?? '') : ['errors:', ...found.map((problem) => `  ${problem}`)].join('\n');
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

const NONE: readonly Problem[] = [];
const problem = (message: string): readonly Problem[] => [{ path: '', message }];

function problems(type: MergeType, value: unknown): readonly Problem[] {
  if (value === null) return NONE;
  switch (formOf(type, value)) {
    case 'scalar':
      return scalarProblems(type.scalar ?? 'untyped', value);
    case 'map':
      return isObject(value) && type.map ? mapProblems(type.map, value) : problem(`expected map, got ${shown(value)}`);
    case 'list':
      return Array.isArray(value) && type.list
        ? listProblems(type.list, value)
        : problem(`expected list, got ${shown(value)}`);
  }
}

const shown = (value: unknown): string => `&{${goText(value)}}`;

function scalarProblems(form: ScalarForm, value: unknown): readonly Problem[] {
  const found = typeof value;
  switch (form) {
    case 'numeric':
      return found === 'number' ? NONE : problem(`expected numeric (int or float), got ${goName(value)}`);
    case 'string':
      return found === 'string'
        ? NONE
        : problem(`expected string, got &value.valueUnstructured{Value:${goLiteral(value)}}`);
    case 'boolean':
      return found === 'boolean' ? NONE : problem(`expected boolean, got ${shown(value)}`);
    case 'untyped':
      return found === 'object' ? problem(`expected any scalar, got ${shown(value)}`) : NONE;
  }
}

function goName(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** A value as Go source would spell it. */
function goLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goLiteral).join(', ')}}`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `map[string]interface {}{${members.map((key) => `${JSON.stringify(key)}:${goLiteral(value[key])}`).join(', ')}}`;
}

function mapProblems(map: MapForm, value: Readonly<Record<string, unknown>>): readonly Problem[] {
  const found: Problem[] = [];
  for (const [name, item] of Object.entries(value)) {
    const type = map.field(name)?.type ?? map.element;
    const below = type ? problems(type, item) : problem('field not declared in schema');
    found.push(...below.map((each) => prefixed(fieldElement(name), each)));
    if (!type) break;
  }
  return found;
}

function listProblems(list: ListForm, value: readonly unknown[]): readonly Problem[] {
  const found: Problem[] = [];
  const seen = new Set<FieldElement>();
  for (const [index, item] of value.entries()) {
    const element = elementOf(list, item, index);
    if (typeof element !== 'string') return [...found, element];
    if (seen.has(element)) found.push({ path: '', message: `duplicate entries for key ${elementText(element)}` });
    seen.add(element);
    found.push(...problems(list.element, item).map((each) => prefixed(element, each)));
  }
  return found;
}

function elementOf(list: ListForm, item: unknown, index: number): FieldElement | Problem {
  if (list.relation === 'atomic') return `i:${index}`;
  try {
    return itemElement(list, item);
  } catch (error) {
    if (!(error instanceof ListItemError)) throw error;
    return { path: '', message: `element ${index}: ${error.message}` };
  }
}

function prefixed(element: FieldElement, { path, message }: Problem): Problem {
  return { path: elementText(element) + path, message };
}
