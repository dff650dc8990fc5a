/** The columns of server-side Tables: those every kind shares, and how a kind writes its own. */
import type { Column } from '#kube/apiserver/resource.ts';
import { ageOf } from '#kube/meta/age.ts';
import { parseJsonPath, printJsonValue } from '#kube/meta/json-path.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Given } from './kind.ts';
import { presentOnly } from './present.ts';

type Cell = string | number | boolean | undefined;

interface Options {
  readonly type?: Column['type'];
  readonly format?: string;
}

/** A column that is always shown; the description is what `kubectl get` never prints and programs may. */
export function column<T>(
  name: string,
  description: string,
  cell: (object: Given<T>, now: number) => Cell,
  { type = 'string', format = '' }: Options = {},
): Column {
  const read = cell as unknown as Column['cell'];
  return { name, type, format, description, priority: 0, cell: (object, now) => read(presentOnce(object), now) };
}

/** A column that only `-o wide` shows. */
export function wideColumn<T>(
  name: string,
  description: string,
  cell: (object: Given<T>, now: number) => Cell,
  options: Options = {},
): Column {
  return { ...column(name, description, cell, options), priority: 1 };
}

const seen = new WeakMap<KubeObject, KubeObject>();

/** What is shown in a table does not change any more: all its columns share one look. */
function presentOnce(object: KubeObject): KubeObject {
  let present = seen.get(object);
  if (!present) seen.set(object, (present = presentOnly(object)));
  return present;
}

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique within its scope.',
  priority: 0,
  cell: (object) => object.metadata.name,
};

export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  format: '',
  description: 'How long ago the object was created.',
  priority: 0,
  cell: (object, now) => ageOf(object.metadata.creationTimestamp, now),
};

const createdAtColumn: Column = {
  name: 'Created At',
  type: 'date',
  format: '',
  description: 'When the object was created.',
  priority: 0,
  cell: (object) => object.metadata.creationTimestamp,
};

/** What kinds without columns of their own show. */
export const plainColumns: readonly Column[] = [nameColumn, createdAtColumn];

/** A printer column as a CustomResourceDefinition declares it. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** The column of a custom resource; a value of another type than declared leaves its cell empty. */
export function jsonPathColumn({
  name,
  type,
  format = '',
  description,
  priority = 0,
  jsonPath,
}: PrinterColumn): Column {
  const path = parseJsonPath(jsonPath);
  return {
    name,
    type: type as Column['type'],
    format,
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
    cell: (object, now) => jsonCell(type, path.find(object)[0], now),
  };
}

function jsonCell(type: string, value: unknown, now: number): Cell {
  if (value === undefined || value === null) return undefined;
  switch (type) {
    case 'string':
      return printJsonValue(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : undefined;
    case 'number':
      return typeof value === 'number' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'date':
      return typeof value !== 'string' ? undefined : Number.isNaN(Date.parse(value)) ? '<invalid>' : ageOf(value, now);
    default:
      return undefined;
  }
}

/** Names and images of containers, laid out on one line each. */
export function containerColumns<T extends KubeObject>(
  containersOf: (
    object: Given<T>,
  ) => readonly { readonly name?: string | undefined; readonly image?: string | undefined }[] | undefined,
): readonly Column[] {
  const join = (field: 'name' | 'image') => (object: Given<T>) =>
    (containersOf(object) ?? []).map((container) => container[field] ?? '').join(',');
  return [
    wideColumn<T>('Containers', 'Names of the containers in the template.', join('name')),
    wideColumn<T>('Images', 'Images of the containers in the template.', join('image')),
  ];
}

/** The first three of a list, and how many more there are. */
export function firstThree(items: readonly string[], none: string): string {
  if (items.length === 0) return none;
  const shown = items.slice(0, 3).join(',');
  return items.length > 3 ? `${shown} + ${items.length - 3} more...` : shown;
}
