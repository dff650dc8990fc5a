/** Reads and changes an object through its `scale` subresource. */
import { type Draft, isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { manageScale, managersAfterScale, scaleManagers, serverSideApply } from '#kube/patch/index.ts';
import type { Caller, Core } from '../core.ts';
import type { Scale } from '../resource.ts';
import type { Served } from '../served.ts';
import { setManagers } from '../write/managed-fields.ts';
import { modifyObject } from '../write/modify.ts';
import { replicasOf, SCALE, scaled, scaleOf } from '../write/scale.ts';
import { checkWriteOptions, isDryRun, managerOf, type WriteOptions } from '../write/write-options.ts';
import { current, type ObjectName } from './get.ts';
import { type PatchDocument, patched } from './patch.ts';

export function getScale(served: Served, scale: Scale, at: ObjectName): KubeObject {
  return scaleOf(scale, current(served, at).object);
}

/** A Scale to replace the current one, a patch of it, or one to be applied. */
export type ScaleChange =
  | { readonly object: unknown }
  | PatchDocument
  | { readonly type: 'apply'; readonly body: unknown };

export async function updateScale(
  core: Core,
  served: Served,
  scale: Scale,
  caller: Caller,
  at: ObjectName,
  change: ScaleChange,
  options: WriteOptions,
): Promise<KubeObject> {
  const applies = 'type' in change && change.type === 'apply';
  checkWriteOptions('body' in change ? 'PatchOptions' : 'UpdateOptions', options, applies);
  const writer = { manager: managerOf(options, caller), now: core.clock.now(), force: options.force === true };
  const entry = await modifyObject(core, served, caller, at, {
    subresource: 'scale',
    dryRun: isDryRun(options),
    transform: (object) =>
      'type' in change && change.type === 'apply'
        ? applied(served, scale, object, change.body, writer)
        : changed(served, scale, object, (live) => wantedScale(live, change, options, caller), writer.manager),
  });
  return scaleOf(scale, entry.object);
}

function wantedScale(
  live: KubeObject,
  change: { readonly object: unknown } | PatchDocument,
  options: WriteOptions,
  caller: Caller,
): unknown {
  return 'body' in change ? patched(SCALE, live, change, options, caller) : change.object;
}

function changed(
  { definition, apiVersion }: Served,
  scale: Scale,
  object: KubeObject,
  change: (live: KubeObject) => unknown,
  manager: string,
): Draft<KubeObject> {
  const draft = scaled(definition, scale, object, change(managedScale(scale, object)));
  const [from, to] = [replicasOf(scale, object), replicasOf(scale, draft) ?? 0];
  setManagers(draft, manageScale({ live: object, replicasPath: scale.specReplicas, from, to, manager, apiVersion }));
  return draft;
}

/** The scale has managers of its own, those of the number of replicas: it is applied to as if it were stored. */
function applied(
  { definition, apiVersion }: Served,
  scale: Scale,
  object: KubeObject,
  config: unknown,
  writer: { readonly manager: string; readonly now: number; readonly force: boolean },
): Draft<KubeObject> {
  if (!isObject(config)) throw badRequest('error decoding YAML: the patch is no object');
  const { object: wanted, managedFields } = serverSideApply({
    ...writer,
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    subresource: 'scale',
    schema: SCALE.schema,
    resetFields: [],
    live: managedScale(scale, object),
    config,
  });
  const draft = scaled(definition, scale, object, wanted);
  setManagers(draft, managersAfterScale({ live: object, replicasPath: scale.specReplicas }, apiVersion, managedFields));
  return draft;
}

/** An object's scale, and who manages it. */
function managedScale(scale: Scale, object: KubeObject): KubeObject {
  const managedFields = scaleManagers({ live: object, replicasPath: scale.specReplicas });
  const live = scaleOf(scale, object);
  return managedFields.length === 0 ? live : { ...live, metadata: { ...live.metadata, managedFields } };
}
