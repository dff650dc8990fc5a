/**
 * Changes an object that exists: the machine behind update, patch, apply and their subresources.
 *
 *     current → transform → guards → ownership → admission → server-owned fields → validation → store
 *
 * When the store finds that the object moved meanwhile, all of it is done again on the newer object, unless the
 * request named the version it wants to change. A change that changes nothing is answered without a write.
 */
import { type Draft, jsonEqual } from '#base/json.ts';
import { badRequest, notFound, type StatusError } from '#base/status-error.ts';
import { invalid as invalidValue } from '#kube/meta/field-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { keepTimes } from '#kube/patch/index.ts';
import { conflictingRevision } from '#kube/store/index.ts';
import type { Entry } from '../cache/entry.ts';
import type { Caller, Core } from '../core.ts';
import { conflict, invalid, unexplained, unnamed } from '../failures.ts';
import { cacheKey, type Served } from '../served.ts';
import type { ObjectName } from '../verbs/get.ts';
import { admission } from './admit.ts';
import { putObject, removeObject, unstored } from './commit.ts';
import { prepareUpdate } from './prepare-update.ts';
import { problemsOf } from './problems.ts';

export interface Modification {
  readonly subresource?: string | undefined;
  readonly dryRun: boolean;
  /**
   * The object wanted in place of `current`, with defaults and ownership recorded; a new draft that this machine then
   * owns. Called again when the current object turns out to be another.
   */
  transform(current: KubeObject): Draft<KubeObject> | Promise<Draft<KubeObject>>;
  /** A whole object was sent: without a resourceVersion some kinds refuse it. */
  readonly whole?: boolean;
}

export async function modifyObject(
  core: Core,
  served: Served,
  caller: Caller,
  at: ObjectName,
  modification: Modification,
): Promise<Entry> {
  const key = cacheKey(at.namespace, at.name);
  for (let attempt = 1; ; attempt++) {
    const stored = served.cache.get(key);
    if (!stored) throw notFound(served.definition.resource, at.name, served.definition.group);
    const entry = served.view(stored);
    const draft = await modification.transform(entry.object);
    const guarded = checkGuards(served, at, entry, draft, modification.whole ?? false);
    try {
      return await replace(core, served, caller, entry, draft, modification);
    } catch (error) {
      const moved = conflictingRevision(error);
      if (moved === undefined) throw error;
      if (guarded || attempt >= core.limits.writeAttempts) throw conflict(served.definition, at.name);
      await core.cache.seen(moved);
    }
  }
}

/** Whether the request insists on the version it saw; refuses it when that is not the current one. */
function checkGuards(served: Served, at: ObjectName, entry: Entry, draft: Draft<KubeObject>, whole: boolean): boolean {
  const { definition } = served;
  const { metadata } = draft;
  const { uid, resourceVersion, deletionTimestamp } = entry.object.metadata;
  checkPlace(at, metadata);
  if (definition.namespaced && at.namespace !== undefined) metadata.namespace = at.namespace;
  else delete metadata.namespace;

  const wanted = metadata.resourceVersion ?? '';
  if (wanted === '' || wanted === '0') {
    if (whole && !definition.strategy.unconditionalUpdate) {
      const { group, resource } = definition;
      const problem = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
      throw invalid({ group, kind: resource }, at.name, [problem]);
    }
  } else if (!/^\d+$/.test(wanted)) {
    throw unexplained(`strconv.ParseUint: parsing ${JSON.stringify(wanted)}: invalid syntax`);
  }
  if (metadata.deletionTimestamp && !deletionTimestamp) throw immutable(served, at, metadata, 'deletionTimestamp');
  if (metadata.uid && uid && metadata.uid !== uid) {
    if (!whole) throw immutable(served, at, metadata, 'uid');
    const problem = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`;
    const path = served.prefix + entry.key;
    throw conflict(
      definition,
      at.name,
      `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: ${problem}`,
    );
  }
  const insists = wanted !== '' && wanted !== '0';
  if (insists && wanted !== resourceVersion) throw conflict(definition, at.name);
  return insists && whole;
}

function immutable(
  { definition }: Served,
  at: ObjectName,
  metadata: Draft<KubeObject>['metadata'],
  field: 'uid' | 'deletionTimestamp',
): StatusError {
  const problem = invalidValue(`metadata.${field}`, metadata[field], 'field is immutable');
  return invalid(definition, at.name, [problem]);
}

/** An object that says it is another than the one it was sent to is refused, whether that exists or not. */
export function checkPlace(at: ObjectName, metadata: Draft<KubeObject>['metadata']): void {
  const { name, namespace } = metadata;
  // What is in no namespace is not made to be in one by saying so.
  if (at.namespace === undefined) delete metadata.namespace;
  else if (namespace && namespace !== at.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (!name) throw unnamed(at.name);
  if (name !== at.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${at.name})`);
  }
}

async function replace(
  core: Core,
  served: Served,
  caller: Caller,
  entry: Entry,
  draft: Draft<KubeObject>,
  { subresource, dryRun }: Modification,
): Promise<Entry> {
  const { definition } = served;
  const old = entry.object;
  const { namespace, name } = old.metadata;
  const about = {
    operation: 'UPDATE',
    gvr: definition,
    ...(subresource === undefined ? {} : { subresource }),
  } as const;
  const admitted = admission(core, about, () => ({
    ...about,
    gvk: definition,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    object: draft,
    oldObject: old,
    user: caller.user,
    dryRun,
  }));
  const mutated = admitted?.mutate();
  if (mutated) await mutated;
  const wanted = prepareUpdate(definition, draft, old, subresource);
  const errors = problemsOf(served, wanted, old, subresource);
  if (errors.length > 0) throw invalid(definition, name, errors);
  const validated = admitted?.validate();
  if (validated) await validated;
  for (const warning of definition.strategy.warnings?.(wanted, old) ?? []) caller.warn(warning);

  wanted.metadata.resourceVersion = old.metadata.resourceVersion ?? '';
  if (isFinished(served, wanted)) {
    if (!dryRun) await removeObject(core, served, entry);
    return unstored(served, entry.key, wanted);
  }
  if (jsonEqual(keepTimes(old, wanted), old)) return entry;
  if (dryRun) return unstored(served, entry.key, wanted);
  return putObject(core, served, entry.key, wanted, entry.revision);
}

/** An object on its way out goes with its last finalizer. */
function isFinished({ definition }: Served, draft: Draft<KubeObject>): boolean {
  const { metadata } = draft;
  const { strategy } = definition;
  if (!metadata.deletionTimestamp || (metadata.finalizers?.length ?? 0) > 0) return false;
  if (strategy.terminate) return strategy.terminate(draft) === 'goes';
  return (metadata.deletionGracePeriodSeconds ?? 0) === 0;
}
