/** Replaces an object (or one subresource of it) by the one sent. */
import type { Draft } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Entry } from '../cache/entry.ts';
import type { Caller, Core } from '../core.ts';
import { cacheKey, type Served } from '../served.ts';
import { editable } from '../write/editable.ts';
import { recordUpdate } from '../write/managed-fields.ts';
import { checkPlace, modifyObject } from '../write/modify.ts';
import { checkWriteOptions, isDryRun, managerOf, type WriteOptions } from '../write/write-options.ts';
import { createObject } from './create.ts';
import type { ObjectName } from './get.ts';

export interface Updated {
  readonly entry: Entry;
  readonly created: boolean;
}

export async function updateObject(
  core: Core,
  served: Served,
  caller: Caller,
  at: ObjectName,
  draft: Draft<KubeObject>,
  options: WriteOptions & { readonly subresource?: string | undefined },
): Promise<Updated> {
  checkWriteOptions('UpdateOptions', options);
  checkPlace(at, draft.metadata);
  const { subresource } = options;
  const exists = served.cache.get(cacheKey(at.namespace, at.name)) !== undefined;
  if (!exists && served.definition.strategy.createOnUpdate && (subresource ?? 'status') === 'status') {
    return { entry: await createObject(core, served, caller, at.namespace, draft, options), created: true };
  }
  const recording = { manager: managerOf(options, caller), now: core.clock.now(), subresource };
  // Who insists on a version is not tried again on another: the draft need not be kept as it was sent.
  const insists = (draft.metadata.resourceVersion || '0') !== '0';
  const entry = await modifyObject(core, served, caller, at, {
    subresource,
    dryRun: isDryRun(options),
    whole: true,
    transform(current) {
      const wanted = insists ? draft : editable(draft);
      recordUpdate(served, current, wanted, recording);
      return wanted;
    },
  });
  return { entry, created: false };
}
