/** Puts a kind's schema, names and columns together as a CustomResourceDefinition. */
import type { KubeObject } from '#kube/meta/object.ts';
import type { KindNames } from './kind-names.ts';
import { type CrdSchema, object, type Properties, string } from './schema.ts';

export interface CustomResourceDefinition extends KubeObject {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly CrdVersion[];
  };
}

interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: CrdSchema };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly subresources?: { readonly status: Record<string, never> };
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface KindDefinition {
  readonly names: KindNames;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly shortName?: string;
  readonly category?: string | undefined;
  readonly description: string;
  /** Everything beside apiVersion, kind and metadata; `spec` is required unless told otherwise. */
  readonly properties: Properties;
  readonly required?: readonly string[];
  readonly columns?: readonly PrinterColumn[];
  readonly hasStatus: boolean;
  /** Versions that are served beside the one above, for those who still use them. */
  readonly olderVersions?: readonly OlderVersion[];
}

export interface OlderVersion {
  readonly version: string;
  readonly properties: Properties;
}

export const AGE: PrinterColumn = { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' };

export function column(name: string, jsonPath: string, type: PrinterColumn['type'] = 'string'): PrinterColumn {
  return { name, type, jsonPath };
}

export function conditionPath(type: string): string {
  return `.status.conditions[?(@.type=="${type}")].status`;
}

export function definition(kind: KindDefinition): CustomResourceDefinition {
  const { names, scope, shortName, category } = kind;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.resource}.${names.group}` },
    spec: {
      group: names.group,
      scope,
      names: {
        kind: names.kind,
        listKind: `${names.kind}List`,
        plural: names.resource,
        singular: names.kind.toLowerCase(),
        ...(shortName === undefined ? {} : { shortNames: [shortName] }),
        ...(category === undefined ? {} : { categories: [category] }),
      },
      versions: [version(kind), ...(kind.olderVersions ?? []).map((older) => olderVersion(kind, older))],
    },
  };
}

function version({
  names,
  description,
  properties,
  required = ['spec'],
  columns,
  hasStatus,
}: KindDefinition): CrdVersion {
  const whole = { apiVersion: string(), kind: string(), metadata: { type: 'object' as const }, ...properties };
  return {
    name: names.version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: object(whole, required, description) },
    ...(columns === undefined ? {} : { additionalPrinterColumns: columns }),
    ...(hasStatus ? { subresources: { status: {} } } : {}),
  };
}

/** Served, not stored, and shown without columns of its own. */
function olderVersion(kind: KindDefinition, older: OlderVersion): CrdVersion {
  const { additionalPrinterColumns: _, ...rest } = version({ ...kind, properties: older.properties });
  return { ...rest, name: older.version, storage: false };
}
