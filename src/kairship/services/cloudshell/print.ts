/** What commands print: tables as the server lays them out, and whole objects. Pure. */
import { stringify } from 'yaml';
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export interface Rows {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function tableText({ head, rows }: Rows): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(column === cells.length - 1 ? 0 : (widths[column] ?? 0) + 3))
      .join('')
      .trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}

/** A server's `Table`; with the namespace of each row if it is asked for, and the columns of little interest if wanted. */
export function rowsOf(
  table: unknown,
  { wide, namespaces }: { readonly wide: boolean; readonly namespaces: boolean },
): Rows {
  if (!isObject(table)) return { head: [], rows: [] };
  const columns = list(table['columnDefinitions']).map((one, index) => ({
    title: cellText(one['name']).toUpperCase(),
    isShown: wide || Number(one['priority'] ?? 0) === 0,
    index,
  }));
  const shown = columns.filter(({ isShown }) => isShown);
  const rows = list(table['rows']).map((row) => {
    const cells = Array.isArray(row['cells']) ? (row['cells'] as readonly unknown[]) : [];
    const own = shown.map(({ index }) => cellText(cells[index]));
    return namespaces ? [namespaceOf(row), ...own] : own;
  });
  const head = shown.map(({ title }) => title);
  return { head: namespaces ? ['NAMESPACE', ...head] : head, rows };
}

/** What stands in a cell: a word or a number, and nothing else. */
export function cellText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function namespaceOf(row: Readonly<Record<string, unknown>>): string {
  const object = isObject(row['object']) ? row['object'] : {};
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return cellText(metadata['namespace']);
}

function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return (Array.isArray(value) ? value : []).filter(isObject);
}

export function objectText(object: unknown, format: string): string {
  if (format === 'json') return `${JSON.stringify(object, undefined, 2)}\n`;
  if (format === 'yaml') return stringify(object, { lineWidth: 0 });
  throw badRequest(`-o ${format}: one of wide, yaml, json, name`);
}

export function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
