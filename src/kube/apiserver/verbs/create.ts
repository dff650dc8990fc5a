/**
 * Creates an object: names it, gives it an identity, has it admitted and validated, stores it.
 *
 * The draft is already decoded and has its defaults; it belongs to this function from here on.
 */
import { rfc3339 } from '#base/clock.ts';
import type { Draft } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { conflictingRevision } from '#kube/store/index.ts';
import type { Entry } from '../cache/entry.ts';
import type { Caller, Core } from '../core.ts';
import { alreadyExists, invalid, unexplained } from '../failures.ts';
import { cacheKey, type Served } from '../served.ts';
import { admission } from '../write/admit.ts';
import { putObject, unstored } from '../write/commit.ts';
import { recordUpdate } from '../write/managed-fields.ts';
import { checkNamespace } from '../write/namespace-open.ts';
import { problemsOf } from '../write/problems.ts';
import { checkWriteOptions, isDryRun, managerOf, type WriteOptions } from '../write/write-options.ts';

export async function createObject(
  core: Core,
  served: Served,
  caller: Caller,
  namespace: string | undefined,
  draft: Draft<KubeObject>,
  options: WriteOptions,
): Promise<Entry> {
  checkWriteOptions('CreateOptions', options);
  placeIn(served, namespace, draft);
  recordUpdate(served, undefined, draft, { manager: managerOf(options, caller), now: core.clock.now() });
  return store(core, served, caller, draft, isDryRun(options));
}

/** The rest of a create, for those that have recorded ownership in their own way (server-side apply). */
export async function store(
  core: Core,
  served: Served,
  caller: Caller,
  draft: Draft<KubeObject>,
  dryRun: boolean,
): Promise<Entry> {
  const { definition } = served;
  const { generateName } = draft.metadata;
  const generated = !draft.metadata.name && !!generateName;
  for (let attempt = 1; ; attempt++) {
    if (generated) draft.metadata.name = generatedName(core, generateName);
    const object = generated ? structuredClone(draft) : draft;
    try {
      return await storeNamed(core, served, caller, object, dryRun);
    } catch (error) {
      if (conflictingRevision(error) === undefined) throw error;
      if (generated && attempt < core.limits.generateNameAttempts) continue;
      throw alreadyExists(definition, object.metadata.name);
    }
  }
}

async function storeNamed(core: Core, served: Served, caller: Caller, draft: Draft<KubeObject>, dryRun: boolean) {
  const { definition } = served;
  const { namespace, name } = draft.metadata;
  const about = { operation: 'CREATE', gvr: definition } as const;
  const admitted = admission(core, about, () => ({
    ...about,
    gvk: definition,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    object: draft,
    user: caller.user,
    dryRun,
  }));
  if (namespace !== undefined) checkNamespace(core, served, namespace, name);
  const mutated = admitted?.mutate();
  if (mutated) await mutated;
  identify(core, served, draft);
  const errors = problemsOf(served, draft, undefined);
  if (errors.length > 0) throw invalid(definition, draft.metadata.name ?? '', errors);
  const validated = admitted?.validate();
  if (validated) await validated;
  for (const warning of definition.strategy.warnings?.(draft, undefined) ?? []) caller.warn(warning);

  if (draft.metadata.resourceVersion) throw unexplained('resourceVersion should not be set on objects to be created');
  const key = cacheKey(namespace, draft.metadata.name);
  if (served.cache.get(key)) throw alreadyExists(definition, draft.metadata.name);
  if (dryRun) {
    delete draft.metadata.resourceVersion;
    return unstored(served, key, draft);
  }
  return putObject(core, served, key, draft, 0);
}

/** Puts the object where the request wants it; refuses one that says it is elsewhere. */
export function placeIn({ definition }: Served, namespace: string | undefined, draft: Draft<KubeObject>): void {
  const { metadata } = draft;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  if (!definition.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (namespace !== undefined) metadata.namespace = namespace;
}

/** What the server alone says of an object: who it is, and since when. */
function identify(core: Core, { definition }: Served, draft: Draft<KubeObject>): void {
  const { strategy } = definition;
  const { metadata } = draft;
  metadata.uid = core.ids.uid();
  metadata.creationTimestamp = rfc3339(core.clock.now());
  if (strategy.generation !== 'none') metadata.generation = 1;
  if (strategy.prepareForCreate) strategy.prepareForCreate(draft);
  else if (strategy.hasStatus) delete draft['status'];
}

const SUFFIX = 5;
const LONGEST_PREFIX = 58;

function generatedName(core: Core, prefix: string): string {
  return prefix.slice(0, LONGEST_PREFIX) + core.ids.suffix(SUFFIX);
}
