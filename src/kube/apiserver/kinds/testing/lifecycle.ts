/**
 * The life of an object as its kind sees it, without a server around it: decoded, defaulted, prepared, judged.
 *
 * The same steps the API server takes, in the same order. Tests and the generated documentation of kinds use it.
 */
import { type Draft, draftOf, isObject } from '#base/json.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { validateObjectMeta } from '#kube/meta/object-meta.ts';
import { dropUnknownFields, orderFields } from '#kube/schema/index.ts';
import { builtinResources } from '../builtin-resources.ts';
import type { ServiceAddresses } from '../core/service-addresses.ts';

/** Addresses that count up, so that a test can name what it expects. */
function countingAddresses(): ServiceAddresses {
  let [ips, ports] = [0, 30_000];
  return { clusterIp: () => `10.96.1.${++ips}`, nodePort: () => ++ports };
}

export function definitionOf(kind: string, apiVersion?: string): ResourceDefinition {
  const found = builtinResources({ addresses: countingAddresses() }).find(
    (one) => one.kind === kind && (apiVersion === undefined || apiVersionOf(one) === apiVersion),
  );
  if (!found) throw new Error(`no built-in kind ${apiVersion ?? ''} ${kind}`);
  return found;
}

/** What a client sends, in the kind's own version and in a namespace if it needs one. */
export function manifest(definition: ResourceDefinition, given: object): Draft<KubeObject> {
  const object = draftOf(given) as Draft<KubeObject>;
  object.apiVersion = apiVersionOf(definition);
  object.kind = definition.kind;
  object.metadata = {
    ...(object.metadata as object | undefined),
    name: object.metadata?.name ?? 'example',
    ...(definition.namespaced ? { namespace: object.metadata?.namespace ?? 'default' } : {}),
  };
  return object;
}

/** The object as it would be stored. */
export function created(definition: ResourceDefinition, given: object): Draft<KubeObject> {
  const draft = decoded(definition, given);
  draft.metadata.uid ??= '00000000-0000-4000-8000-000000000001';
  definition.strategy.prepareForCreate?.(draft);
  return orderFields(definition.schema, draft);
}

/** The object as it would be stored in place of `old`. */
export function updated(definition: ResourceDefinition, old: KubeObject, given: object): Draft<KubeObject> {
  const draft = decoded(definition, given);
  definition.strategy.prepareForUpdate?.(draft, old);
  return orderFields(definition.schema, draft);
}

function decoded(definition: ResourceDefinition, given: object): Draft<KubeObject> {
  const draft = manifest(definition, given);
  dropUnknownFields(definition.schema, draft);
  definition.strategy.applyDefaults?.(draft);
  return draft;
}

/** What is wrong with a new object, one line each. */
export function createProblems(definition: ResourceDefinition, given: object): string[] {
  const object = created(definition, given);
  const rules = {
    namespaced: definition.namespaced,
    builtin: true,
    nameProblems: (name: string) => definition.strategy.nameProblems(name),
  };
  return lines([...validateObjectMeta(object.metadata, rules), ...(definition.strategy.validate?.(object) ?? [])]);
}

/** What is wrong with a change, one line each. */
export function updateProblems(definition: ResourceDefinition, old: KubeObject, given: object): string[] {
  const object = updated(definition, old, given);
  return lines(definition.strategy.validateUpdate?.(object, old) ?? []);
}

function lines(errors: readonly { readonly field: string; readonly message: string }[]): string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

/** Values by path: `spec/containers/0/name`; undefined takes a field away. */
export type Change = Readonly<Record<string, unknown>>;

/** A copy with some values changed. */
export function changed(given: object, change: Change): Draft<KubeObject> {
  const draft = draftOf(given) as Draft<KubeObject>;
  for (const [path, value] of Object.entries(change)) set(draft, path.split('/'), value);
  return draft;
}

function set(
  target: Record<string, unknown> | unknown[],
  [key = '', ...rest]: readonly string[],
  value: unknown,
): void {
  const parent = target as Record<string, unknown>;
  if (rest.length === 0) {
    if (value === undefined) delete parent[key];
    else parent[key] = value;
    return;
  }
  if (!isObject(parent[key]) && !Array.isArray(parent[key])) parent[key] = /^\d+$/.test(rest[0] ?? '') ? [] : {};
  set(parent[key] as Record<string, unknown>, rest, value);
}
