import { rfc3339 } from '#base/clock.ts';
import { isObject, jsonEqual } from '#base/json.ts';
import type { ManagedFieldsEntry } from '#kube/meta/object.ts';
import type { Schema } from '#kube/schema/schema.ts';
import { createsAlike } from './creates-alike.ts';
import {
  capUpdaters,
  comparer,
  currentManagers,
  dispossess,
  identityOf,
  owning,
  withoutUnowned,
  type Writer,
} from './field-manager.ts';
import { difference, type FieldSet, isEmpty, NOTHING, union } from './field-set.ts';
import { decodeManagers, encodeManagers, type Manager, managerOf, type Managers } from './managed-fields.ts';
import { ListItemError } from './typed-element.ts';
import { writtenForm } from './written-form.ts';

/** An object as it is on the wire, seen only as far as its metadata. */
export type AnyObject = Readonly<Record<string, unknown>>;

export interface Update extends Writer {
  /** The stored object; undefined for a create. */
  readonly live: AnyObject | undefined;
  /** The object to be stored, defaulted, with the `managedFields` the client sent or left out. */
  readonly next: AnyObject;
}

/**
 * The managers of an object after a create, an update, or a patch that was no apply.
 *
 * Whoever changes a field owns it, alone; what they set to the value it had stays whose it was. The time of an entry
 * moves only when it gains fields. An object that is not tracked (its managers were cleared) stays so until someone
 * applies. If the object is such that its fields cannot be told apart, the answer is that nobody manages it.
 *
 * A client may rewrite the entries: valid ones in `next` replace the stored ones, `[]` or `[{}]` clears them, and what
 * is not valid is ignored; through a subresource nothing of this is possible. The array of the live object itself comes
 * back when nothing changed.
 */
export function manageUpdate(update: Update): readonly ManagedFieldsEntry[] {
  const { live, next } = update;
  const isNew = !live && managedFieldsOf(next) === undefined;
  const known = isNew ? alike.known(update, next, rfc3339(update.now)) : undefined;
  if (known) return known;
  const managers = managersToStartFrom(update);
  if (managers.size === 0 && live) return [];
  try {
    const before = live ? storedForm(update.schema, live) : emptyForm(update.schema);
    const after = storedForm(update.schema, next);
    const updated = updatedManagers(update, managers, before, after, update.manager);
    for (const creator of isNew ? updated.values() : []) alike.learn(update, next, creator);
    return entriesLike(live, updated);
  } catch (error) {
    if (error instanceof ListItemError) return [];
    throw error;
  }
}

const alike = createsAlike();

function managersToStartFrom({ live, next, subresource = '' }: Update): Managers {
  const sent = subresource === '' ? managedFieldsOf(next) : undefined;
  if (isReset(sent)) return new Map();
  const stored = managedFieldsOf(live);
  // Most clients send back what they read, and that has been decoded before.
  const managers = sent === undefined || jsonEqual(sent, stored) ? undefined : decodeManagers(sent);
  return managers && managers.size > 0 ? managers : (decodeManagers(stored) ?? new Map());
}

function isReset(entries: unknown): boolean {
  if (!Array.isArray(entries)) return false;
  return entries.length === 0 || (entries.length === 1 && jsonEqual(entries[0], {}));
}

const emptyForms = new WeakMap<Schema, AnyObject>();

/** What every new object differs from. */
function emptyForm(schema: Schema): AnyObject {
  let form = emptyForms.get(schema);
  if (!form) emptyForms.set(schema, (form = storedForm(schema, {})));
  return form;
}

/** What of an object has owners. */
export function storedForm(schema: Schema, object: AnyObject): AnyObject {
  return writtenForm(schema, withManagedFields(object, undefined));
}

/** The managers after `manager` turned `live` into `next`, both in stored form. */
export function updatedManagers(
  writer: Writer,
  managers: Managers,
  live: AnyObject,
  next: AnyObject,
  manager: string,
): Managers {
  const result = currentManagers(writer, managers);
  const compareIn = comparer(writer, live, next);
  const change = compareIn(writer.apiVersion);
  const touched = change ? union(change.modified, change.added) : NOTHING;
  const gained = withoutUnowned(touched);
  const updater = managerOf(identityOf(writer, 'Update', manager), gained, rfc3339(writer.now));
  const known = result.get(updater.id);
  // Usually one manager writes new values into fields that are its own: nothing to take away and to give back.
  const same = known && change && isUntouched(known.fields, touched, gained, change.removed) ? known : undefined;
  dispossess(result, compareIn, same?.id);
  if (!isEmpty(gained)) {
    const before = same ?? result.get(updater.id);
    result.set(updater.id, before ? gaining(before, gained, updater.time) : updater);
  }
  capUpdaters(result);
  return result;
}

/** Whether fields that lose what was touched and removed, and get what was gained, are what they were. */
function isUntouched(fields: FieldSet, touched: FieldSet, gained: FieldSet, removed: FieldSet): boolean {
  if (union(fields, gained) !== fields || difference(fields, removed) !== fields) return false;
  return touched === gained || difference(fields, difference(touched, gained)) === fields;
}

function gaining(manager: Manager, gained: FieldSet, time: string | undefined): Manager {
  const { entry, ...rest } = owning(manager, union(manager.fields, gained));
  return { ...rest, time, entry: time === manager.time ? entry : undefined };
}

export function managedFieldsOf(object: AnyObject | undefined): unknown {
  const metadata = object?.['metadata'];
  return isObject(metadata) ? metadata['managedFields'] : undefined;
}

/** The entries of the managers; the live object's own array when it says the same. */
export function entriesLike(live: AnyObject | undefined, managers: Managers): readonly ManagedFieldsEntry[] {
  const entries = encodeManagers(managers);
  const before = managedFieldsOf(live);
  if (!Array.isArray(before) || before.length !== entries.length) return entries;
  return entries.every((entry, index) => entry === before[index]) ? before : entries;
}

/** The object with these entries, or without any when there are none; the object itself when it has them already. */
export function withManagedFields<T extends AnyObject>(
  object: T,
  entries: readonly ManagedFieldsEntry[] | undefined,
): T {
  const present = entries === undefined || entries.length === 0 ? undefined : entries;
  if (managedFieldsOf(object) === present) return object;
  const { managedFields: _, ...metadata } = isObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: present ? { ...metadata, managedFields: present } : metadata };
}

/**
 * `next` with the times of `live` in its entries, if these times are all that differs: a write that changes nothing is
 * no write. To be asked when nothing else will change the object before it is stored.
 */
export function keepTimes<T extends AnyObject>(live: AnyObject, next: T): T {
  const [before, after] = [managedFieldsOf(live), managedFieldsOf(next)];
  if (before === after || !Array.isArray(before) || !Array.isArray(after)) return next;
  if (before.length !== after.length || before.length === 0) return next;
  const same = after.every((entry, index) => sameButForTime(entry, before[index]));
  return same && jsonEqual(withManagedFields(live, undefined), withManagedFields(next, undefined))
    ? withManagedFields(next, before as ManagedFieldsEntry[])
    : next;
}

function sameButForTime(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  for (const key in a) if (key !== 'time' && !jsonEqual(a[key], b[key])) return false;
  for (const key in b) if (key !== 'time' && b[key] !== undefined && a[key] === undefined) return false;
  return true;
}
