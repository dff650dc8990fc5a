import { rfc3339 } from '#base/clock.ts';
import { isObject, jsonEqual } from '#base/json.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import type { ManagedFieldsEntry } from '#kube/meta/object.ts';
import { applyConflict, type Conflict } from './apply-conflict.ts';
import {
  type CompareIn,
  comparer,
  currentManagers,
  dispossess,
  identityOf,
  typeIn,
  withoutReset,
  withoutUnowned,
  type Writer,
} from './field-manager.ts';
import { difference, intersection, isEmpty, sameSet, union } from './field-set.ts';
import { fieldsLastApplied, KUBECTL, withLastApplied } from './last-applied.ts';
import {
  type AnyObject,
  entriesLike,
  managedFieldsOf,
  storedForm,
  updatedManagers,
  withManagedFields,
} from './manage-update.ts';
import { decodeManagers, type Manager, managerOf, type Managers } from './managed-fields.ts';
import { mergeTypeOf } from './merge-type.ts';
import { prune } from './prune.ts';
import { ListItemError } from './typed-element.ts';
import { toFieldSet } from './typed-field-set.ts';
import { mergeTyped } from './typed-merge.ts';
import { problemsText, validateTyped } from './typed-validate.ts';

export interface Apply extends Writer {
  /** The stored object; undefined when there is none yet. */
  readonly live: AnyObject | undefined;
  /** What was sent: only the fields its sender has an opinion about. */
  readonly config: AnyObject;
  /** Takes conflicting fields from their owners instead of failing. */
  readonly force: boolean;
  /** The kind of the request's resource; when given, a configuration of another kind or version is refused. */
  readonly kind?: string | undefined;
}

export interface Applied {
  /** The object to be stored, with its new managers in place; not yet defaulted. The live object itself if unchanged. */
  readonly object: AnyObject;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/**
 * Server-side apply: merges a configuration into an object and keeps account of who wants what.
 *
 *     merge → remove what the same manager applied before and no one else wants → find conflicts → settle ownership
 *
 * To set a field to the value it has is to share it; to change a field someone else owns is a conflict, and refused with
 * every field and owner named, unless forced. An object nobody applied to before has its fields credited to
 * `before-first-apply`.
 *
 * Of the metadata in the configuration only `managedFields` is refused: whether name, uid and resourceVersion fit the
 * request is for the caller to check on the result.
 */
export function serverSideApply(apply: Apply): Applied {
  checkConfig(apply);
  try {
    return applied(apply);
  } catch (error) {
    if (!(error instanceof ListItemError)) throw error;
    throw new StatusError('Unknown', `failed to merge config: ${error.message}`, { cause: error });
  }
}

function applied(apply: Apply): Applied {
  const { live, config, force, manager } = apply;
  const base = storedForm(apply.schema, live ?? {});
  const managers = managersOf(apply, base);
  let outcome = settle(apply, managers, base, force);
  if (outcome.conflicts && manager === KUBECTL) outcome = settleAsKubectl(apply, managers, base, outcome.conflicts);
  if (outcome.conflicts) throw applyConflict(outcome.conflicts);

  const result = manager === KUBECTL ? withLastApplied(outcome.object, config) : outcome.object;
  const managedFields = entriesLike(live, outcome.managers);
  const unchanged = live !== undefined && result === base;
  return { object: withManagedFields(unchanged ? live : result, managedFields), managedFields };
}

function checkConfig({ config, kind, apiVersion, schema }: Apply): void {
  const found = { apiVersion: config['apiVersion'], kind: config['kind'] };
  if (found.apiVersion !== apiVersion || (kind !== undefined && found.kind !== kind)) {
    throw badRequest(`invalid object type: ${gvkText(config)}`);
  }
  const managedFields = managedFieldsOf(config);
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil');
  const problems = validateTyped(mergeTypeOf(schema), config);
  if (problems.length === 0) return;
  throw new StatusError(
    'Unknown',
    `failed to create typed patch object (${nameText(config)}): ${problemsText(problems)}`,
  );
}

function nameText(config: AnyObject): string {
  const { namespace = '', name = '' } = isObject(config['metadata']) ? config['metadata'] : {};
  return `${String(namespace)}/${String(name)}; ${gvkText(config)}`;
}

function gvkText({ apiVersion, kind }: AnyObject): string {
  const { group, version } = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
  return `${group}/${version}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

function managersOf(apply: Apply, base: AnyObject): Managers {
  const managers = decodeManagers(managedFieldsOf(apply.live));
  if (!managers) throw new StatusError('Unknown', 'failed to decode managed fields');
  if (managers.size > 0 || !apply.live) return managers;
  return updatedManagers(apply, managers, storedForm(apply.schema, {}), base, 'before-first-apply');
}

type Outcome =
  | { readonly conflicts: readonly Conflict[] }
  | { readonly conflicts?: undefined; readonly object: AnyObject; readonly managers: Managers };

function settle(apply: Apply, before: Managers, live: AnyObject, force: boolean): Outcome {
  const type = mergeTypeOf(apply.schema);
  const managers = currentManagers(apply, before);
  const wanted = withoutReset(apply, toFieldSet(type, apply.config));
  const applier = managerOf(identityOf(apply, 'Apply'), wanted, undefined);
  const last = managers.get(applier.id);
  managers.set(applier.id, applier);

  const merged = mergeTyped(type, live, apply.config);
  const pruned = last ? prune((version) => typeIn(apply, version), merged, [...managers.values()], last) : merged;
  const object = isObject(pruned) && !jsonEqual(pruned, live) ? pruned : live;
  const compareIn = comparer(apply, live, object);
  const conflicts = conflictsOf(managers, compareIn, applier.id);
  if (conflicts.length > 0 && !force) return { conflicts };

  dispossess(managers, compareIn, applier.id);
  const time = object === live ? last?.time : rfc3339(apply.now);
  settleOwn(managers, { ...applier, fields: withoutUnowned(wanted), time }, last);
  return { object, managers };
}

/** The applier's own entry is the old one when it says the same. */
function settleOwn(managers: Map<string, Manager>, applier: Manager, last: Manager | undefined): void {
  const version = applier.identity.apiVersion;
  const same = last && last.time === applier.time && last.identity.apiVersion === version;
  if (isEmpty(applier.fields)) managers.delete(applier.id);
  else managers.set(applier.id, same && sameSet(last.fields, applier.fields) ? last : applier);
}

function conflictsOf(managers: Managers, compareIn: CompareIn, except: string): readonly Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [id, manager] of managers) {
    const change = id === except ? undefined : compareIn(manager.identity.apiVersion);
    if (!change) continue;
    const fields = intersection(manager.fields, union(change.modified, change.added));
    if (!isEmpty(fields)) conflicts.push({ manager, fields });
  }
  return conflicts;
}

/** kubectl may take what it applied client-side before. */
function settleAsKubectl(apply: Apply, managers: Managers, live: AnyObject, conflicts: readonly Conflict[]): Outcome {
  const allowed = fieldsLastApplied(mergeTypeOf(apply.schema), apply.apiVersion, live);
  const left = conflicts
    .map(({ manager, fields }) => ({ manager, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmpty(fields));
  return left.length > 0 ? { conflicts: left } : settle(apply, managers, live, true);
}
