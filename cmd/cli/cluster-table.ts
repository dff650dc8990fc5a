/**
 * Tables that servers make (`meta.k8s.io/v1 Table`), of several clusters, as one.
 *
 * Columns are matched by name, since servers of different versions have different ones: the first table's come first,
 * what others have besides comes behind. Pure.
 */
import type { KubeObject } from '#kube/meta/object.ts';

export interface ServerTable {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly columnDefinitions: readonly { readonly name: string; readonly priority?: number }[];
  readonly rows?: readonly {
    readonly cells: readonly unknown[];
    readonly object?: Pick<KubeObject, 'metadata'>;
  }[];
}

export interface Part {
  /** Undefined for what is in the instance itself. */
  readonly cluster: string;
  readonly table: ServerTable;
}

export interface Merged {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Shown {
  readonly wide: boolean;
  readonly namespaces: boolean;
  readonly clusters: boolean;
}

/** NAMESPACE CLUSTER NAME … */
export function mergeTables(parts: readonly Part[], { wide, namespaces, clusters }: Shown): Merged {
  const columns = [
    ...new Set(
      parts.flatMap(({ table }) =>
        table.columnDefinitions.filter(({ priority = 0 }) => wide || priority === 0).map(({ name }) => name),
      ),
    ),
  ];
  const [name = 'Name', ...others] = columns;
  const rows = parts.flatMap(({ cluster, table }) => {
    const at = new Map(table.columnDefinitions.map((column, index) => [column.name, index]));
    return (table.rows ?? []).map(({ cells, object }) => [
      ...(namespaces ? [object?.metadata.namespace ?? ''] : []),
      ...(clusters ? [cluster] : []),
      ...[name, ...others].map((column) => cellText(cells[at.get(column) ?? -1])),
    ]);
  });
  const head = [...(namespaces ? ['Namespace'] : []), ...(clusters ? ['Cluster'] : []), name, ...others];
  return { head: head.map((word) => word.toUpperCase()), rows: rows.toSorted(byName(namespaces, clusters)) };
}

/** By namespace and application, then by cluster, so that what belongs together stands together. */
function byName(namespaces: boolean, clusters: boolean) {
  const at = Number(namespaces) + Number(clusters);
  const keysOf = (row: readonly string[]) => [
    namespaces ? (row[0] ?? '') : '',
    applicationOf(row[at] ?? ''),
    clusters ? (row[at - 1] ?? '') : '',
    row[at] ?? '',
  ];
  return (a: readonly string[], b: readonly string[]): number => {
    const theirs = keysOf(b);
    for (const [index, own] of keysOf(a).entries()) {
      const other = theirs[index] ?? '';
      if (own !== other) return own < other ? -1 : 1;
    }
    return 0;
  };
}

/** A name without what controllers put behind it: `web` of `web-7f6gszb5qs-8nkw2`, `db` of `db-0`. */
const applicationOf = (name: string) => name.replace(/(-[a-z0-9]{6,10})?-([a-z0-9]{5}|\d+)$/, '');

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '<none>';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
