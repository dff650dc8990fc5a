/** Reads and changes an object through its `scale` subresource. */
import { draftOf } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Caller, Core } from '../core.ts';
import type { Scale } from '../resource.ts';
import type { Served } from '../served.ts';
import { recordUpdate } from '../write/managed-fields.ts';
import { modifyObject } from '../write/modify.ts';
import { scaled, scaleOf } from '../write/scale.ts';
import { checkWriteOptions, isDryRun, managerOf, type WriteOptions } from '../write/write-options.ts';
import { current, type ObjectName } from './get.ts';
import { applyPatch, type PatchDocument } from './patch.ts';

export function getScale(served: Served, scale: Scale, at: ObjectName): KubeObject {
  return scaleOf(scale, current(served, at).object);
}

export async function updateScale(
  core: Core,
  served: Served,
  scale: Scale,
  caller: Caller,
  at: ObjectName,
  change: { readonly object: unknown } | PatchDocument,
  options: WriteOptions,
): Promise<KubeObject> {
  checkWriteOptions('body' in change ? 'PatchOptions' : 'UpdateOptions', options);
  const { definition } = served;
  const recording = { manager: managerOf(options, caller), now: core.clock.now(), subresource: 'scale' };
  const entry = await modifyObject(core, served, caller, at, {
    subresource: 'scale',
    dryRun: isDryRun(options),
    transform(object) {
      const wanted = 'body' in change ? applyPatch(definition, draftOf(scaleOf(scale, object)), change) : change.object;
      const draft = scaled(definition, scale, object, wanted);
      recordUpdate(served, object, draft, recording);
      return draft;
    },
  });
  return scaleOf(scale, entry.object);
}
