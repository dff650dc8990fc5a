/**
 * Deletes an object, or marks it as ending when finalizers, dependents or a grace period still hold it.
 *
 * Who deletes in the foreground or orphans dependents leaves a finalizer for the garbage collector.
 */
import { rfc3339 } from '#base/clock.ts';
import { type Draft, jsonEqual } from '#base/json.ts';
import { notFound } from '#base/status-error.ts';
import { invalid as invalidValue, notSupported } from '#kube/meta/field-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { conflictingRevision } from '#kube/store/index.ts';
import type { Entry } from '../cache/entry.ts';
import type { Caller, Core } from '../core.ts';
import { conflict, invalidOptions } from '../failures.ts';
import type { FieldError, ResourceDefinition } from '../resource.ts';
import { cacheKey, type Served } from '../served.ts';
import { admission } from '../write/admit.ts';
import { editable } from '../write/editable.ts';
import { putObject, removeObject, unstored } from '../write/commit.ts';
import type { ObjectName } from './get.ts';

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly dryRun?: readonly string[] | undefined;
}

export interface Deleted {
  readonly entry: Entry;
  /** False while something still holds the object. */
  readonly gone: boolean;
}

export async function deleteObject(
  core: Core,
  served: Served,
  caller: Caller,
  at: ObjectName,
  options: DeleteOptions,
): Promise<Deleted> {
  checkDeleteOptions(options);
  const { definition } = served;
  for (let attempt = 1; ; attempt++) {
    const stored = served.cache.get(cacheKey(at.namespace, at.name));
    if (!stored) throw notFound(definition.resource, at.name, definition.group);
    const entry = served.view(stored);
    checkPreconditions(definition, entry.object, options);
    await admit(core, served, caller, entry, options);
    try {
      return await remove(core, served, entry, options);
    } catch (error) {
      const moved = conflictingRevision(error);
      if (moved === undefined) throw error;
      if (attempt >= core.limits.writeAttempts) throw conflict(definition, at.name);
      await core.cache.seen(moved);
    }
  }
}

export function checkDeleteOptions(options: DeleteOptions): void {
  const errors = [...optionProblems(options)];
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
}

function* optionProblems({ propagationPolicy, orphanDependents, dryRun = [] }: DeleteOptions): Iterable<FieldError> {
  const field = 'propagationPolicy';
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    yield invalidValue(field, propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set');
  } else if (propagationPolicy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(propagationPolicy)) {
    yield notSupported(field, propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']);
  }
  if (dryRun.some((one) => one !== 'All')) yield notSupported('dryRun', dryRun, ['All']);
}

function checkPreconditions(definition: ResourceDefinition, { metadata }: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  if (definition.strategy.terminate) return checkOfEnding(definition, metadata, uid, resourceVersion);
  const refuse = (why: string) => {
    // Of all conflicts only this one names the kind instead of the resource.
    const { group, kind } = definition;
    return conflict({ group, resource: kind }, metadata.name, why);
  };
  if (uid !== undefined && uid !== metadata.uid) {
    throw refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

/** Kinds that end in their own way have their own words. */
function checkOfEnding(
  definition: ResourceDefinition,
  { name, ...found }: KubeObject['metadata'],
  uid: string | undefined,
  resourceVersion: string | undefined,
): void {
  const refuse = (what: string, asked: string, is: string | undefined) =>
    conflict(definition, name, `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${is}`);
  if (uid !== undefined && uid !== found.uid) throw refuse('UID', uid, found.uid);
  if (resourceVersion !== undefined && resourceVersion !== found.resourceVersion) {
    throw refuse('ResourceVersion', resourceVersion, found.resourceVersion);
  }
}

async function admit(core: Core, { definition }: Served, caller: Caller, entry: Entry, options: DeleteOptions) {
  const { namespace, name } = entry.object.metadata;
  const about = { operation: 'DELETE', gvr: definition } as const;
  const admitted = admission(core, about, () => ({
    ...about,
    gvk: definition,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    oldObject: entry.object,
    user: caller.user,
    dryRun: (options.dryRun ?? []).length > 0,
  }));
  await admitted?.mutate();
  await admitted?.validate();
}

async function remove(core: Core, served: Served, entry: Entry, options: DeleteOptions): Promise<Deleted> {
  const { strategy } = served.definition;
  const dryRun = (options.dryRun ?? []).length > 0;
  const draft = editable(entry.object);
  setFinalizers(draft, finalizersFor(draft, strategy.defaultPropagation, options));
  const grace = graceOf(served.definition, entry.object, options);
  const held = (draft.metadata.finalizers?.length ?? 0) > 0 || grace > 0;
  const marked = mark(core, served, draft, grace);
  if (!held && marked === 'goes') {
    if (dryRun) return { entry, gone: true };
    await removeObject(core, served, entry);
    // Only a kind that ends by and by is shown ending; the others are shown as they were.
    const ends = strategy.gracePeriod !== undefined || strategy.terminate !== undefined;
    return { entry: ends ? unstored(served, entry.key, draft) : entry, gone: true };
  }
  if (jsonEqual(draft, entry.object)) return { entry, gone: false };
  if (dryRun) return { entry: unstored(served, entry.key, draft), gone: false };
  return { entry: await putObject(core, served, entry.key, draft, entry.revision), gone: false };
}

/** Marks the draft as ending; says whether the kind lets it go at once. */
function mark(core: Core, { definition }: Served, draft: Draft<KubeObject>, grace: number): 'stays' | 'goes' {
  const { metadata } = draft;
  const { strategy } = definition;
  const already = metadata.deletionTimestamp;
  const at = rfc3339(core.clock.now() + grace * 1000);
  if (strategy.terminate) {
    metadata.deletionTimestamp ??= at;
    return strategy.terminate(draft);
  }
  if (!already) {
    metadata.deletionTimestamp = at;
    metadata.deletionGracePeriodSeconds = grace;
    if (metadata.generation) metadata.generation++;
  } else if (grace < (metadata.deletionGracePeriodSeconds ?? 0)) {
    // A grace period can be cut short, never made longer.
    metadata.deletionTimestamp = at < already ? at : already;
    metadata.deletionGracePeriodSeconds = grace;
  }
  return 'goes';
}

function graceOf(
  { strategy }: ResourceDefinition,
  object: KubeObject,
  { gracePeriodSeconds: asked }: DeleteOptions,
): number {
  const grace = strategy.gracePeriod?.(object, asked) ?? 0;
  const running = object.metadata.deletionGracePeriodSeconds;
  return object.metadata.deletionTimestamp && running !== undefined && asked === undefined ? running : grace;
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

function finalizersFor(
  { metadata }: KubeObject,
  defaultPropagation: 'Orphan' | undefined,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): readonly string[] {
  const others = (metadata.finalizers ?? []).filter((one) => one !== ORPHAN && one !== FOREGROUND);
  const policy = propagationPolicy ?? policyOf(orphanDependents);
  if (policy === 'Orphan') return [...others, ORPHAN];
  if (policy === 'Foreground') return [...others, FOREGROUND];
  if (policy === 'Background') return others;
  // Nothing was said: what an earlier request or the creator wanted stands.
  if (others.length !== (metadata.finalizers ?? []).length) return metadata.finalizers ?? [];
  return defaultPropagation === 'Orphan' ? [...others, ORPHAN] : others;
}

function policyOf(orphanDependents: boolean | undefined): string | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}

function setFinalizers(draft: Draft<KubeObject>, finalizers: readonly string[]): void {
  if (finalizers.length > 0) draft.metadata.finalizers = [...finalizers];
  else delete draft.metadata.finalizers;
}
