/**
 * How a built-in kind is described: its rules in its own type, made into the untyped definition the API server serves.
 *
 * A kind's file holds what sets the kind apart (defaults, rules, columns) and nothing else; its resource name, scope,
 * verbs and subresources come from the table of Kubernetes' own discovery. Functions see a {@link Given}: whatever a
 * client may leave out, the types say may be missing. Metadata is checked for all kinds alike by the API server.
 */
import type { Draft } from '#base/json.ts';
import type { Column, FieldError, ResourceDefinition, Scale, Strategy } from '#kube/apiserver/resource.ts';
import type { Gvk, Gvr } from '#kube/meta/gvk.ts';
import { dnsSubdomainProblems } from '#kube/meta/names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type BuiltinKind, builtinKinds, builtinSchema } from '#kube/schema/builtin.ts';
import type { Schema } from '#kube/schema/schema.ts';
import { presentOnly } from './present.ts';

/** A value as a client sent it: of the right types, but with anything missing. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Given<T[Key]> | undefined }
    : T;

/** Rules tell what is wrong one by one; most are generators, so that a rule reads as a list of sentences. */
export type Errors = Iterable<FieldError>;

/** A {@link Given} that its holder may still change. */
export type Making<T> = Draft<Given<T>>;

export interface KindRules<T> {
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Problems with a name; a DNS subdomain unless told otherwise. */
  readonly name?: (name: string) => readonly string[];
  readonly generation?: 'none' | 'spec' | ((object: Given<T>, old: Given<T>) => boolean);
  /** The status a client sends with a new object is kept (nodes register with theirs). */
  readonly keepsStatus?: boolean;
  readonly createOnUpdate?: boolean;
  readonly unconditionalUpdate?: boolean;
  readonly deleteReturnsObject?: boolean;
  readonly defaults?: (draft: Making<T>) => void;
  /** Server-owned fields of a new object, after its status was dropped. */
  readonly create?: (draft: Making<T>) => void;
  /** Server-owned fields of a changed object, after its status was taken back. */
  readonly update?: (draft: Making<T>, old: Given<T>) => void;
  /** Server-owned fields of a changed status. */
  readonly status?: (draft: Making<T>, old: Given<T>) => void;
  readonly statusKeeps?: Strategy['statusKeeps'];
  readonly resetFields?: Strategy['resetFields'];
  readonly validate?: (object: Given<T>) => Errors;
  /** In place of {@link validate} when an object changes: most call it and add what may not change. */
  readonly validateUpdate?: (object: Given<T>, old: Given<T>) => Errors;
  readonly validateStatus?: (object: Given<T>, old: Given<T>) => Errors;
  readonly warnings?: (object: Given<T>, old: Given<T> | undefined) => readonly string[];
  readonly gracePeriod?: (object: Given<T>, asked: number | undefined) => number;
  /** Marks an object as ending in the kind's own way, and tells whether it stays for now. */
  readonly terminate?: (draft: Making<T>) => 'stays' | 'goes';
  readonly defaultPropagation?: 'Orphan';
  readonly columns?: readonly Column[];
  readonly fields?: Readonly<Record<string, (object: Given<T>) => string>>;
  readonly scale?: Scale;
  /** Of a version that is stored in the form of another: see {@link ResourceDefinition.storedAs}. */
  readonly storedAs?: Gvr;
  readonly convert?: (object: KubeObject, apiVersion: string) => KubeObject;
}

/** The definition of a built-in kind. */
export function kind<T>(gvk: Gvk, rules: KindRules<T>): ResourceDefinition {
  const { resource = '', namespaced, verbs, subresources } = served(gvk);
  let schema: Schema | undefined;
  return {
    group: gvk.group,
    version: gvk.version,
    kind: gvk.kind,
    resource,
    singular: gvk.kind.toLowerCase(),
    shortNames: rules.shortNames ?? [],
    categories: rules.categories ?? [],
    namespaced,
    custom: false,
    get schema() {
      return (schema ??= builtinSchema(gvk) ?? {});
    },
    strategy: strategyOf(rules, subresources.includes('status')),
    columns: rules.columns ?? [],
    selectableFields: (rules.fields ?? {}) as unknown as ResourceDefinition['selectableFields'],
    subresources,
    verbs,
    ...(rules.scale ? { scale: rules.scale } : {}),
    ...(rules.storedAs ? { storedAs: rules.storedAs } : {}),
    ...(rules.convert ? { convert: rules.convert } : {}),
  };
}

let discovered: ReadonlyMap<string, BuiltinKind> | undefined;

function served({ group, version, kind }: Gvk): BuiltinKind {
  discovered ??= new Map(builtinKinds().map((one) => [`${one.group}/${one.version}/${one.kind}`, one]));
  const found = discovered.get(`${group}/${version}/${kind}`);
  if (!found) throw new Error(`the schema table has no kind ${group}/${version} ${kind}`);
  return found;
}

/** A strategy whose functions take the kind's own type. */
type TypedStrategy<T> = Pick<
  Strategy,
  | 'nameProblems'
  | 'hasStatus'
  | 'unconditionalUpdate'
  | 'createOnUpdate'
  | 'deleteReturnsObject'
  | 'prepareForCreate'
  | 'prepareForUpdate'
  | 'prepareForStatusUpdate'
  | 'statusKeeps'
  | 'resetFields'
  | 'defaultPropagation'
> & {
  readonly generation: NonNullable<KindRules<T>['generation']>;
  readonly applyDefaults?: KindRules<T>['defaults'];
  readonly validate?: (object: Given<T>) => readonly FieldError[];
  readonly validateUpdate?: (object: Given<T>, old: Given<T>) => readonly FieldError[];
  readonly validateStatusUpdate?: (object: Given<T>, old: Given<T>) => readonly FieldError[];
  readonly warnings?: KindRules<T>['warnings'];
  readonly gracePeriod?: KindRules<T>['gracePeriod'];
  readonly terminate?: KindRules<T>['terminate'];
};

function strategyOf<T>(rules: KindRules<T>, hasStatus: boolean): Strategy {
  const { defaults, validate, validateStatus, warnings, gracePeriod, terminate } = rules;
  const changed = rules.validateUpdate ?? validate;
  // Here a kind's own type meets the server's: it only calls a kind with objects of that kind.
  const strategy: TypedStrategy<T> = {
    nameProblems: rules.name ?? dnsSubdomainProblems,
    generation: rules.generation ?? 'none',
    hasStatus,
    unconditionalUpdate: rules.unconditionalUpdate ?? true,
    createOnUpdate: rules.createOnUpdate ?? false,
    deleteReturnsObject: rules.deleteReturnsObject ?? false,
    prepareForCreate: (draft: Draft<KubeObject>) => {
      if (hasStatus && !rules.keepsStatus) delete draft['status'];
      rules.create?.(draft as unknown as Making<T>);
    },
    prepareForUpdate: (draft: Draft<KubeObject>, old: KubeObject) => {
      if (hasStatus) takeBack(draft, old, 'status');
      rules.update?.(draft as unknown as Making<T>, old as unknown as Given<T>);
    },
    prepareForStatusUpdate: (draft: Draft<KubeObject>, old: KubeObject) =>
      rules.status?.(draft as unknown as Making<T>, old as unknown as Given<T>),
    statusKeeps: rules.statusKeeps ?? [],
    ...(rules.resetFields ? { resetFields: rules.resetFields } : {}),
    ...(defaults ? { applyDefaults: defaults } : {}),
    ...(validate ? { validate: (object) => [...validate(presentOnly(object))] } : {}),
    ...(changed ? { validateUpdate: (object, old) => [...changed(presentOnly(object), presentOnly(old))] } : {}),
    ...(validateStatus
      ? { validateStatusUpdate: (object, old) => [...validateStatus(presentOnly(object), presentOnly(old))] }
      : {}),
    ...(warnings ? { warnings: (object, old) => warnings(presentOnly(object), old) } : {}),
    ...(gracePeriod ? { gracePeriod } : {}),
    ...(terminate ? { terminate } : {}),
    ...(rules.defaultPropagation ? { defaultPropagation: rules.defaultPropagation } : {}),
  };
  return strategy as unknown as Strategy;
}

/** Gives a draft the old object's value of a field that its writer has no say in. */
function takeBack(draft: Draft<KubeObject>, old: KubeObject, field: string): void {
  if (old[field] === undefined) delete draft[field];
  else draft[field] = structuredClone(old[field]);
}
