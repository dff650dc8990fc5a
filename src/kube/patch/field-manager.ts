import type { Schema } from '#kube/schema/schema.ts';
import { fieldElement } from './field-element.ts';
import { difference, type FieldSet, isEmpty, NOTHING, recursiveDifference, setOf, union } from './field-set.ts';
import { type Identity, type Manager, managerOf, type Managers, textOrder, timeOrder } from './managed-fields.ts';
import { type MergeType, mergeTypeOf } from './merge-type.ts';
import { type Comparison, compare } from './typed-compare.ts';
import { reconciled } from './typed-paths.ts';

/**
 * What updates and applies have in common: who is asking, through which door, and what a change does to the managers.
 */
export interface Writer {
  /** The schema of the kind in the version of the request. */
  readonly schema: Schema;
  readonly apiVersion: string;
  /** The name of the field manager; empty is `unknown`. */
  readonly manager: string;
  readonly subresource?: string | undefined;
  /** The time of the request, in milliseconds. */
  readonly now: number;
  /**
   * Paths that this door does not let through: nobody comes to own anything below them. Left out, that is the status on
   * the object itself and the spec on its status.
   */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /**
   * The schema of another version of the kind, for managers who wrote in it; undefined when there is no such version
   * any more, and what they owned is forgotten. Left out, all versions have the same schema.
   */
  readonly schemaOf?: ((apiVersion: string) => Schema | undefined) | undefined;
}

/** Fields the server fills in, or that name the object: they have no owner. */
const UNOWNED: FieldSet = setOf(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields']
    .concat('resourceVersion')
    .map((name) => [fieldElement('metadata'), fieldElement(name)]),
);

export const withoutUnowned = (fields: FieldSet): FieldSet => difference(fields, UNOWNED);

const RESET_BY_DEFAULT: Readonly<Record<string, FieldSet>> = {
  '': setOf([fieldElement('status')]),
  status: setOf([fieldElement('spec')]),
};

/** What a request through this door may own of a set. */
export function withoutReset({ resetFields, subresource = '' }: Writer, fields: FieldSet): FieldSet {
  const reset = resetFields ? resetOf(resetFields) : (RESET_BY_DEFAULT[subresource] ?? NOTHING);
  return recursiveDifference(fields, reset);
}

const resets = new WeakMap<readonly (readonly string[])[], FieldSet>();

function resetOf(paths: readonly (readonly string[])[]): FieldSet {
  let set = resets.get(paths);
  if (!set) resets.set(paths, (set = setOf(...paths.map((path) => path.map(fieldElement)))));
  return set;
}

export function identityOf(writer: Writer, operation: 'Apply' | 'Update', manager = writer.manager): Identity {
  const { apiVersion, subresource } = writer;
  return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource };
}

/** The comparison of two objects in whatever version a manager wrote in; undefined for a version that is gone. */
export type CompareIn = (apiVersion: string) => Comparison | undefined;

export function comparer(writer: Writer, live: unknown, next: unknown): CompareIn {
  const known = new Map<string, Comparison | undefined>();
  return (apiVersion) => {
    if (known.has(apiVersion)) return known.get(apiVersion);
    const type = typeIn(writer, apiVersion);
    const comparison = type && letThrough(writer, compare(type, live, next));
    known.set(apiVersion, comparison);
    return comparison;
  };
}

function letThrough(writer: Writer, { added, modified, removed }: Comparison): Comparison {
  return {
    added: withoutReset(writer, added),
    modified: withoutReset(writer, modified),
    removed: withoutReset(writer, removed),
  };
}

export function typeIn({ apiVersion, schema, schemaOf }: Writer, version: string): MergeType | undefined {
  const found = version === apiVersion || !schemaOf ? schema : schemaOf(version);
  return found && mergeTypeOf(found);
}

/** The managers as the schema is today: without those of versions that are gone, and owning wholes of what is atomic. */
export function currentManagers(writer: Writer, managers: Managers): Map<string, Manager> {
  const result = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const type = typeIn(writer, manager.identity.apiVersion);
    if (type) result.set(id, owning(manager, fitting(type, manager.fields)));
  }
  return result;
}

/** The type a set is known to fit, so that a set is walked once. */
const fits = new WeakMap<FieldSet, MergeType>();

function fitting(type: MergeType, fields: FieldSet): FieldSet {
  if (fits.get(fields) === type) return fields;
  const result = reconciled(type, fields);
  fits.set(result, type);
  return result;
}

/** The manager with other fields, which fit what its old ones did. */
export function owning(manager: Manager, fields: FieldSet): Manager {
  if (fields === manager.fields) return manager;
  const type = fits.get(manager.fields);
  if (type) fits.set(fields, type);
  return { ...manager, fields, entry: undefined };
}

/** Takes from everyone but one what the change touched; who is left with nothing is no longer a manager. */
export function dispossess(managers: Map<string, Manager>, compareIn: CompareIn, except?: string): void {
  for (const [id, manager] of managers) {
    if (id === except) continue;
    const change = compareIn(manager.identity.apiVersion);
    const fields = change ? withoutChange(manager.fields, change) : NOTHING;
    if (isEmpty(fields)) managers.delete(id);
    else managers.set(id, owning(manager, fields));
  }
}

function withoutChange(fields: FieldSet, { added, modified, removed }: Comparison): FieldSet {
  return difference(difference(difference(fields, added), modified), removed);
}

const MAX_UPDATERS = 10;
const OLD_UPDATES = 'ancient-changes';

/** Merges the oldest updates of a version into one entry when there are too many. */
export function capUpdaters(managers: Map<string, Manager>): void {
  const updaters = [...managers.values()].filter(({ identity }) => identity.operation === 'Update');
  let excess = updaters.length - MAX_UPDATERS;
  if (excess <= 0) return;
  const firstOf = new Map<string, Manager>();
  for (const manager of updaters.sort(oldestFirst)) {
    const { apiVersion } = manager.identity;
    const first = firstOf.get(apiVersion);
    if (first) {
      mergeIntoBucket(managers, first, manager);
      if (--excess === 0) return;
    } else firstOf.set(apiVersion, manager);
  }
}

/** The bucket starts with the first manager of its version, and has the time of the last that went into it. */
function mergeIntoBucket(managers: Map<string, Manager>, first: Manager, manager: Manager): void {
  const { apiVersion } = manager.identity;
  const empty = managerOf({ manager: OLD_UPDATES, operation: 'Update', apiVersion }, NOTHING, undefined);
  const known = managers.get(empty.id);
  if (!known) managers.delete(first.id);
  managers.delete(manager.id);
  const fields = union((known ?? first).fields, manager.fields);
  managers.set(empty.id, { ...empty, fields, time: manager.time });
}

function oldestFirst(a: Manager, b: Manager): number {
  return timeOrder(a.time, b.time) || textOrder(a.id, b.id);
}
