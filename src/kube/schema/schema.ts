import type { Json } from '#base/json.ts';

/**
 * The type of a value, for built-in kinds and custom resources alike.
 *
 * One node says everything that validation, pruning, defaulting, strategic merge, server-side apply, protobuf decoding
 * and OpenAPI need to know. Built-in kinds come from the generated table (`gen/kube`), custom resources from their
 * CRD's structural schema; whoever walks a schema need not know which.
 *
 * Nodes of built-in types form a graph (JSONSchemaProps refers to itself), so walk them along a value, never alone.
 */
export interface Schema {
  /** Absent: any value. */
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  /** `int32`, `int64`, `double`, `byte` (base64), `date-time`, `micro-time`, `quantity`, or a CRD's own format. */
  readonly format?: string;
  /** The OpenAPI component this node is, e.g. `io.k8s.api.apps.v1.DeploymentSpec`; built-in object types only. */
  readonly component?: string;

  readonly properties?: Readonly<Record<string, Schema>>;
  /** The type of the values of a map; `true`: any. */
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly nullable?: boolean;
  readonly default?: Json;
  readonly description?: string;

  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;

  /** x-kubernetes-int-or-string */
  readonly intOrString?: boolean;
  /** x-kubernetes-preserve-unknown-fields */
  readonly preserveUnknownFields?: boolean;
  /** x-kubernetes-embedded-resource */
  readonly embeddedResource?: boolean;
  /** x-kubernetes-validations */
  readonly validations?: readonly ValidationRule[];

  /** x-kubernetes-list-type; lists without one are atomic. */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** x-kubernetes-map-type, for objects and maps; granular when absent. */
  readonly mapType?: 'atomic' | 'granular';
  /** x-kubernetes-patch-strategy and -merge-key: what strategic merge does with this list or object. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
}

/** A CEL rule of a CRD. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}
