/** `Table`: what `kubectl get` prints, made by the server from the kind's columns. */
import { badRequest } from '#base/status-error.ts';
import type { Entry } from '../cache/entry.ts';
import type { Column } from '../resource.ts';
import type { Served } from '../served.ts';
import { partialMetadata } from './partial-metadata.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface TableOptions {
  readonly include: IncludeObject;
  readonly version: string;
  readonly now: number;
  /** Later events of a watch do not repeat the columns. */
  readonly withoutColumns?: boolean;
}

export function includeObject(value: string | null): IncludeObject {
  if (value === null || value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'None' || value === 'Object') return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

export function table(served: Served, entries: readonly Entry[], metadata: TableMetadata, options: TableOptions) {
  const columns = columnsOf(served);
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.withoutColumns ? [] : columns.map(definitionOf),
    rows:
      entries.length === 0 && isPlain(columns) ? null : entries.map((entry) => rowOf(served, entry, columns, options)),
  };
}

function rowOf({ definition }: Served, entry: Entry, columns: readonly Column[], options: TableOptions) {
  const cells = columns.map((column) => column.cell(entry.object, options.now) ?? null);
  return { cells, object: included(entry, definition.custom, options) };
}

/** Kubernetes writes no rows of its plainest table as null; its clients expect either. */
function isPlain(columns: readonly Column[]): boolean {
  return columns[1]?.name === 'Created At';
}

function included({ object }: Entry, custom: boolean, { include, version }: TableOptions) {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialMetadata(object, custom, version);
}

const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique among those of its kind and namespace.',
  priority: 0,
  cell: (object) => object.metadata.name,
};

function columnsOf({ definition }: Served): readonly Column[] {
  return definition.columns.length > 0 ? definition.columns : [NAME];
}

function definitionOf({ name, type, format = '', description = '', priority }: Column) {
  return { name, type, format, description, priority };
}
