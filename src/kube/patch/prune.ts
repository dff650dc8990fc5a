import { difference, type FieldSet, intersection, isEmpty, NOTHING, union } from './field-set.ts';
import type { Manager } from './managed-fields.ts';
import type { MergeType } from './merge-type.ts';
import { toFieldSet } from './typed-field-set.ts';
import { withNamedFields } from './typed-paths.ts';
import { removeTyped } from './typed-remove.ts';

/**
 * A merged object without what its applier applied last time, no longer applies, and no one else owns.
 *
 * `managers` holds the applier with its new fields, `last` with its old ones. A struct goes with the last of its fields
 * that had an owner, and takes along what was in it without one, such as defaults.
 */
export function prune(
  typeOf: (apiVersion: string) => MergeType | undefined,
  merged: unknown,
  managers: readonly Manager[],
  last: Manager,
): unknown {
  const version = last.identity.apiVersion;
  const type = typeOf(version);
  if (!type || isEmpty(notAnyMore(managers, last))) return merged;
  const applied = withNamedFields(type, last.fields);
  const all = namedFieldsOf(type, merged);
  let pruned = removeTyped(type, merged, applied);
  for (const [other, owned] of ownedByVersion(managers, version)) {
    const otherType = other === version ? type : typeOf(other);
    if (!otherType) continue;
    const before = otherType === type ? all : namedFieldsOf(otherType, merged);
    pruned = withOwned(otherType, merged, before, pruned, owned);
  }
  const removable = intersection(difference(all, namedFieldsOf(type, pruned)), applied);
  return isEmpty(removable) ? merged : removeTyped(type, merged, removable);
}

function notAnyMore(managers: readonly Manager[], last: Manager): FieldSet {
  const now = managers.find((manager) => manager.id === last.id);
  return difference(last.fields, now?.fields ?? NOTHING);
}

/** What is owned in each version, the one given first. */
function ownedByVersion(managers: readonly Manager[], first: string): ReadonlyMap<string, FieldSet> {
  const result = new Map<string, FieldSet>([[first, NOTHING]]);
  for (const { identity, fields } of managers) {
    result.set(identity.apiVersion, union(result.get(identity.apiVersion) ?? NOTHING, fields));
  }
  return result;
}

/** Adds back to a pruned object what has an owner. */
function withOwned(type: MergeType, merged: unknown, all: FieldSet, pruned: unknown, owned: FieldSet): unknown {
  const kept = union(namedFieldsOf(type, pruned), withNamedFields(type, owned));
  return removeTyped(type, merged, difference(all, kept));
}

function namedFieldsOf(type: MergeType, value: unknown): FieldSet {
  return withNamedFields(type, toFieldSet(type, value));
}
