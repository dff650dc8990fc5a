/** Server-side apply: the sender's part of an object, merged with what others own of it. */
import { type Draft, isObject } from '#base/json.ts';
import { badRequest, hasReason, type StatusError } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { serverSideApply } from '#kube/patch/index.ts';
import type { Caller, Core } from '../core.ts';
import { conflict, unnamed } from '../failures.ts';
import { cacheKey, type Served } from '../served.ts';
import { complete, whole } from '../write/decode.ts';
import { editable } from '../write/editable.ts';
import { setManagers, writerOf } from '../write/managed-fields.ts';
import { modifyObject } from '../write/modify.ts';
import { checkWriteOptions, isDryRun, managerOf, type WriteOptions } from '../write/write-options.ts';
import { placeIn, store } from './create.ts';
import type { ObjectName } from './get.ts';
import type { Updated } from './update.ts';

export async function applyObject(
  core: Core,
  served: Served,
  caller: Caller,
  at: ObjectName,
  config: unknown,
  options: WriteOptions & { readonly subresource?: string | undefined },
): Promise<Updated> {
  checkWriteOptions('PatchOptions', options, true);
  if (!isObject(config)) throw noObject(config);
  const { definition } = served;
  const { subresource } = options;
  const dryRun = isDryRun(options);
  const recording = { manager: managerOf(options, caller), now: core.clock.now(), subresource };

  function applied(live: KubeObject | undefined): Draft<KubeObject> {
    const writer = writerOf(served, recording);
    const merged = {
      ...writer,
      live,
      config: config as KubeObject,
      force: options.force === true,
      kind: definition.kind,
    };
    const { object, managedFields } = serverSideApply(merged);
    const draft = editable(object);
    draft.metadata ??= { name: at.name };
    complete(definition, draft, whole(draft), { ...options, fieldValidation: 'Ignore' }, caller);
    setManagers(draft, managedFields);
    return draft;
  }

  async function created(): Promise<Updated> {
    const draft = applied(undefined);
    checkNew(served, at, draft);
    placeIn(served, at.namespace, draft);
    return { entry: await store(core, served, caller, draft, dryRun), created: true };
  }

  for (let attempt = 1; ; attempt++) {
    const exists = served.cache.get(cacheKey(at.namespace, at.name)) !== undefined;
    if (exists || subresource !== undefined) {
      const entry = await modifyObject(core, served, caller, at, { subresource, dryRun, transform: applied });
      return { entry, created: false };
    }
    try {
      return await created();
    } catch (error) {
      // Somebody else made it meanwhile: an apply is about what is there, not about who was first.
      if (attempt === ATTEMPTS || !hasReason(error, 'AlreadyExists')) throw error;
    }
  }
}

const ATTEMPTS = 5;

function noObject(config: unknown): StatusError {
  if (config === undefined || config === null) return badRequest('invalid object type: /, Kind=');
  const type = Array.isArray(config) ? 'array' : typeof config === 'boolean' ? 'bool' : typeof config;
  const why = `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  return badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** What an apply that creates may not say. */
function checkNew({ definition }: Served, at: ObjectName, draft: Draft<KubeObject>): void {
  const { metadata } = draft;
  if (metadata.uid) {
    const why = `uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`;
    throw conflict(definition, at.name, why);
  }
  if (!metadata.name) throw unnamed(at.name);
  if (metadata.name !== at.name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${at.name})`);
  }
}
