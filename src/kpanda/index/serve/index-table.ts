/**
 * Tables, from which kubectl prints: the columns of the kind, with the cluster before them when there may be several.
 *
 * Built-in kinds have the columns of Kubernetes; custom ones those of their definition, which is itself in the index.
 * What has neither shows its name and age.
 */
import { isObject } from '#base/json.ts';
import {
  ageColumn,
  builtinResources,
  jsonPathColumn,
  nameColumn,
  type PrinterColumn,
} from '#kube/apiserver/kinds/index.ts';
import type { Column } from '#kube/apiserver/resource.ts';
import type { IncludeObject } from '#kube/apiserver/representations/table.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { CLUSTER_ANNOTATION } from '../indexed-object.ts';
import type { IndexedKind, IndexReader } from '../store/index-store.ts';

const CLUSTER: Column = {
  name: 'Cluster',
  type: 'string',
  format: '',
  description: 'The cluster in which the object was found.',
  priority: 0,
  cell: (object) => object.metadata.annotations?.[CLUSTER_ANNOTATION],
};

let builtin: ReadonlyMap<string, readonly Column[]> | undefined;

function builtinColumns(kind: IndexedKind): readonly Column[] | undefined {
  builtin ??= new Map(
    builtinResources().map((each) => [`${each.group}/${each.version}/${each.resource}`, each.columns]),
  );
  const columns = builtin.get(`${kind.group}/${kind.version}/${kind.resource}`);
  return columns && columns.length > 0 ? columns : undefined;
}

export type ColumnsOf = (kind: IndexedKind, cluster: string | undefined) => Promise<readonly Column[]>;

const KNOWN_FOR_MS = 10_000;

/** Looks columns up, and keeps those of custom kinds for a few seconds. */
export function columnLookup(reader: IndexReader, now: () => number): ColumnsOf {
  const known = new Map<string, { readonly at: number; readonly columns: Promise<readonly Column[]> }>();

  async function customColumns({ group, version, resource }: IndexedKind, cluster: string | undefined) {
    const definitions = (await reader.kinds()).filter(
      (each) => each.resource === 'customresourcedefinitions' && each.group === 'apiextensions.k8s.io',
    );
    if (definitions.length === 0) return [nameColumn, ageColumn];
    const { objects } = await reader.page(
      {
        kinds: definitions.map(({ id }) => id),
        names: [`${resource}.${group}`],
        limit: 1,
        ...(cluster === undefined ? {} : { clusters: [cluster] }),
      },
      'everything', // what columns a kind has is no secret
    );
    return columnsIn(JSON.parse(objects[0]?.body ?? '{}'), version);
  }

  return (kind, cluster) => {
    const fixed = builtinColumns(kind);
    if (fixed) return Promise.resolve(fixed);
    const id = `${kind.id}/${cluster ?? ''}`;
    let found = known.get(id);
    if (!found || now() - found.at > KNOWN_FOR_MS) {
      if (known.size > 1_000) known.clear();
      known.set(id, (found = { at: now(), columns: customColumns(kind, cluster) }));
      found.columns.catch(() => known.delete(id));
    }
    return found.columns;
  };
}

function columnsIn(definition: unknown, version: string): readonly Column[] {
  const spec = isObject(definition) ? definition['spec'] : undefined;
  const versions = isObject(spec) && Array.isArray(spec['versions']) ? spec['versions'] : [];
  const found: unknown = versions.find((each: unknown) => isObject(each) && each['name'] === version);
  const columns = isObject(found) ? found['additionalPrinterColumns'] : undefined;
  if (!Array.isArray(columns) || columns.length === 0) return [nameColumn, ageColumn];
  return [nameColumn, ...columns.map((each: PrinterColumn) => jsonPathColumn(each))];
}

export function withCluster(columns: readonly Column[]): readonly Column[] {
  return [CLUSTER, ...columns];
}

export function definitionOf({ name, type, format = '', description = '', priority }: Column) {
  return { name, type, format, description, priority };
}

export interface RowOptions {
  readonly include: IncludeObject;
  readonly version: string;
  readonly now: number;
}

export function tableRow(columns: readonly Column[], object: KubeObject, { include, version, now }: RowOptions) {
  const partial = { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
  return {
    cells: columns.map((column) => cellOf(column, object, now)),
    object: include === 'None' ? null : include === 'Object' ? object : partial,
  };
}

/** An object of another version than the columns were made for must not spoil the whole table. */
function cellOf(column: Column, object: KubeObject, now: number): unknown {
  try {
    return column.cell(object, now) ?? null;
  } catch {
    return '<invalid>';
  }
}
