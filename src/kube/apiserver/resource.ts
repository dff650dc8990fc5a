/**
 * What the API server needs to know to serve one resource. Built-in kinds define theirs in `kinds/`, custom resources
 * get one made from their CRD; the verbs know no kind by name.
 */
import type { Draft } from '#base/json.ts';
import type { StatusCause } from '#base/status-error.ts';
import type { FieldError } from '#kube/meta/field-error.ts';
import type { Gvk, Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Schema } from '#kube/schema/schema.ts';

export type { FieldError } from '#kube/meta/field-error.ts';

export interface ResourceDefinition extends Gvk, Gvr {
  readonly singular: string;
  /** The kind of its lists where that is not the kind with `List` appended. */
  readonly listKind?: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Custom resources differ in key order, list items, patch types and update guards. */
  readonly custom: boolean;
  /** The whole object's type, metadata included. */
  readonly schema: Schema;
  readonly strategy: Strategy;
  /** Columns of the server-side Table, after which `kubectl get` prints. */
  readonly columns: readonly Column[];
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly selectableFields: Readonly<Record<string, (object: KubeObject) => string>>;
  /** Served under the resource besides the object itself. `status` and `scale` are built in, see {@link Scale}. */
  readonly subresources: readonly string[];
  readonly scale?: Scale;
  /** A hint for whoever still uses this version, sent with every answer. */
  readonly deprecation?: string;
  /** What discovery offers on the resource itself, where it is not all of them. */
  readonly verbs?: readonly string[];
  /** The definition whose objects these are in another version: they are stored under its key and in its form. */
  readonly storedAs?: Gvr;
  /** The schema of another version of a custom resource, for those who wrote in it; undefined when it is gone. */
  readonly schemaOf?: (apiVersion: string) => Schema | undefined;
  /**
   * The object in the form of another definition of the same storage (`autoscaling/v1` of one stored as
   * `autoscaling/v2`). Absent: the versions differ in their apiVersion only.
   */
  convert?(object: KubeObject, apiVersion: string): KubeObject;
}

/** The rules of a kind. All functions are pure but for changing the draft they are handed. */
export interface Strategy {
  /** Problems with a name, as Kubernetes words them; empty when it is fine. */
  nameProblems(name: string): readonly string[];
  /** Fills in what the user left out, on create and update alike. */
  applyDefaults?(draft: Draft<KubeObject>): void;
  /** Server-owned fields on create: by default `status` is dropped when the kind has a status subresource. */
  prepareForCreate?(draft: Draft<KubeObject>): void;
  /** Server-owned fields on update of the main resource: by default status is kept from `old`. */
  prepareForUpdate?(draft: Draft<KubeObject>, old: KubeObject): void;
  /** Server-owned fields on update of the status, which already has all but its status and metadata from `old`. */
  prepareForStatusUpdate?(draft: Draft<KubeObject>, old: KubeObject): void;
  /** What of the metadata an update of the status leaves alone: of a built-in kind nothing, of a custom one all. */
  readonly statusKeeps?: readonly MetaField[];
  /** Paths that nobody comes to own by writing to a subresource (or, under '', the object itself), if not the usual. */
  readonly resetFields?: Readonly<Record<string, readonly (readonly string[])[]>>;
  validate?(object: KubeObject): readonly FieldError[];
  validateUpdate?(object: KubeObject, old: KubeObject): readonly FieldError[];
  validateStatusUpdate?(object: KubeObject, old: KubeObject): readonly FieldError[];
  /** Non-fatal hints, sent as Warning headers. */
  warnings?(object: KubeObject, old: KubeObject | undefined): readonly string[];
  /** `none`: the kind has no generation; `spec`: bumped when anything but metadata and status changes. */
  readonly generation: 'none' | 'spec' | ((object: KubeObject, old: KubeObject) => boolean);
  readonly hasStatus: boolean;
  /** PUT to a missing name creates it. */
  readonly createOnUpdate?: boolean;
  /** PUT without a resourceVersion is allowed. */
  readonly unconditionalUpdate: boolean;
  /**
   * For kinds that end in their own way (namespaces wait for their content): marks the draft as ending and tells
   * whether it stays for now. Without it, finalizers and the grace period decide.
   */
  terminate?(draft: Draft<KubeObject>): 'stays' | 'goes';
  /** What becomes of dependents when a DELETE does not say; background deletion when absent. */
  readonly defaultPropagation?: 'Orphan';
  /** DELETE answers with the object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /** Seconds the object lives on after DELETE before something (a kubelet) removes it; 0 or absent: none. */
  gracePeriod?(object: KubeObject, asked: number | undefined): number;
}

/** What of the metadata is its writers' own. */
export const META_FIELDS = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;
export type MetaField = (typeof META_FIELDS)[number];

export function causeOf({ reason, field, message }: FieldError): StatusCause {
  return { reason, message, field };
}

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, greater only with `-o wide`. */
  readonly priority: number;
  /** A cell's value; `now` is for ages. */
  cell(object: KubeObject, now: number): string | number | boolean | undefined;
}

/** Where an object keeps what `autoscaling/v1 Scale` shows. */
export interface Scale {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** The selector as a string, for autoscalers. */
  selector?(object: KubeObject): string | undefined;
}
