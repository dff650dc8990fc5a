/**
 * What the API server needs to know to serve one resource. Built-in kinds define theirs in `kinds/`, custom resources
 * get one made from their CRD; the verbs know no kind by name.
 */
import type { Draft } from '#base/json.ts';
import type { StatusCause } from '#base/status-error.ts';
import type { Gvk, Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Schema } from '#kube/schema/schema.ts';

export interface ResourceDefinition extends Gvk, Gvr {
  readonly singular: string;
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
  /** DELETE answers with the object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /** Seconds the object lives on after DELETE before something (a kubelet) removes it; 0 or absent: none. */
  gracePeriod?(object: KubeObject, asked: number | undefined): number;
}

/** One thing wrong with one field; the API server words the whole `Invalid` answer from a list of them. */
export interface FieldError {
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueDuplicate'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid'
    | 'FieldValueNotFound';
  /** As Kubernetes writes paths: `spec.template.spec.containers[0].image`, `metadata.labels`. */
  readonly field: string;
  /** As Kubernetes words it, with the value: `Invalid value: "N": a lowercase RFC 1123 …`. */
  readonly message: string;
}

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
