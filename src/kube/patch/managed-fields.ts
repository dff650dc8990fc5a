import { type Draft, isObject } from '#base/json.ts';
import type { ManagedFieldsEntry } from '#kube/meta/object.ts';
import type { FieldSet } from './field-set.ts';
import { parseFieldsV1 } from './fields-v1.ts';

/**
 * The entries of `metadata.managedFields`, read into who manages what.
 *
 * An entry is read once and kept as long as the object it came with, so the managers of a cached object cost nothing to
 * look at again; and an entry that nothing happened to is written back as the very same object.
 */
export interface Manager {
  /** What makes an entry someone's: name, operation, subresource and, for updates, version. */
  readonly id: string;
  readonly identity: Identity;
  readonly fields: FieldSet;
  /** Absent when nothing it did changed the object. */
  readonly time: string | undefined;
  /** The entry this was read from, as long as it still says the same. */
  readonly entry: ManagedFieldsEntry | undefined;
}

export type Managers = ReadonlyMap<string, Manager>;

export interface Identity {
  /** Empty when the entry names nobody. */
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
}

/** The identity of a manager as a string; the order of these strings is the order in which messages list managers. */
export function managerId({ manager, operation, apiVersion, subresource }: Identity): string {
  // What is undefined is not written.
  return JSON.stringify({
    manager: manager || undefined,
    operation,
    apiVersion: operation === 'Apply' ? undefined : apiVersion,
    subresource: subresource || undefined,
  });
}

/** A manager in a new state, of which there is no entry yet. */
export function managerOf(identity: Identity, fields: FieldSet, time: string | undefined): Manager {
  return { id: managerId(identity), identity, fields, time, entry: undefined };
}

/** Reads entries; undefined when one of them is no valid entry. */
export function decodeManagers(entries: unknown): Managers | undefined {
  if (entries === undefined || entries === null) return new Map();
  if (!Array.isArray(entries)) return undefined;
  const managers = new Map<string, Manager>();
  for (const entry of entries) {
    const manager = decodeEntry(entry);
    if (!manager) return undefined;
    managers.set(manager.id, manager);
  }
  return managers;
}

const decoded = new WeakMap<object, Manager>();

function decodeEntry(entry: unknown): Manager | undefined {
  if (!isObject(entry)) return undefined;
  const known = decoded.get(entry);
  if (known) return known;
  const manager = readEntry(entry);
  if (manager) decoded.set(entry, manager);
  return manager;
}

function readEntry(entry: Record<string, unknown>): Manager | undefined {
  const { manager = '', operation, apiVersion, subresource, fieldsType, fieldsV1, time } = entry as ManagedFieldsEntry;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (typeof apiVersion !== 'string' || apiVersion === '' || fieldsType !== 'FieldsV1') return undefined;
  const fields = readFields(fieldsV1);
  if (!fields) return undefined;
  const identity: Identity = { manager, operation, apiVersion, subresource };
  return { ...managerOf(identity, fields, time ?? undefined), entry: fields === fieldsV1 ? entry : undefined };
}

function readFields(fieldsV1: unknown): FieldSet | undefined {
  try {
    return parseFieldsV1(fieldsV1);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The entries in the order Kubernetes keeps them: appliers first, then by time. */
export function encodeManagers(managers: Managers): readonly ManagedFieldsEntry[] {
  return [...managers.values()].map(encodeManager).sort(byOperationAndTime);
}

function encodeManager(manager: Manager): ManagedFieldsEntry {
  if (manager.entry) return manager.entry;
  const fields = alike(manager.fields);
  const last = latest.get(fields);
  if (last?.entry && last.id === manager.id && last.time === manager.time) return last.entry;
  const entry = writeEntry({ ...manager, fields });
  const written = { ...manager, fields, entry };
  decoded.set(entry, written);
  latest.set(fields, written);
  return entry;
}

/** Who last owned exactly these fields: whoever makes many objects alike writes the same entry into all of them. */
const latest = new WeakMap<FieldSet, Manager>();

/** Sets that say the same, as one object: a kind has few of them, and every stored object some. */
const sets = new Map<string, FieldSet>();
const MAX_SETS = 2_000;

function alike(fields: FieldSet): FieldSet {
  if (latest.has(fields)) return fields;
  const text = JSON.stringify(fields);
  const known = sets.get(text);
  if (known) return known;
  if (sets.size >= MAX_SETS) sets.clear();
  sets.set(text, fields);
  return fields;
}

function writeEntry({ identity, time, fields }: Manager): ManagedFieldsEntry {
  const { manager: name, operation, apiVersion, subresource } = identity;
  const entry: Draft<ManagedFieldsEntry> = {};
  if (name !== '') entry.manager = name;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = fields;
  if (subresource !== undefined && subresource !== '') entry.subresource = subresource;
  return entry;
}

function byOperationAndTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    textOrder(a.operation, b.operation) ||
    timeOrder(a.time, b.time) ||
    textOrder(a.manager, b.manager) ||
    textOrder(a.apiVersion, b.apiVersion) ||
    textOrder(a.subresource, b.subresource)
  );
}

export function textOrder(a = '', b = ''): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** By the second; no time is the earliest. */
export function timeOrder(a: string | undefined, b: string | undefined): number {
  return a === b ? 0 : secondsOf(a) - secondsOf(b);
}

function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000) || 0;
}
