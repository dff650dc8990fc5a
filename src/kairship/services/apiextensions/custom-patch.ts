/** Patches of custom resources: what kind of patch is sent, as what, and of which part. Pure but for reading YAML. */
import { badRequest, StatusError } from '#base/status-error.ts';
import { PatchCustomResourceRequest_PatchType as PatchType } from '#gen/proto/kairship/api/apiextensions/v1alpha1/apiextensions_service_pb.ts';
import type { ApiResource, JsonPatchOperation, KubeClient, Patch } from '#kube/client/kube-client.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { manifestFrom } from '../../write/manifest.ts';

export interface SentPatch {
  readonly patchType: PatchType;
  readonly data: string;
  readonly subResources: readonly string[];
}

const MANAGER = { fieldManager: 'kairship' } as const;

/** A type that is not given is a merge. Applying takes no field from another manager: who means to, merges. */
export async function patchCustom(
  client: KubeClient,
  kind: ApiResource,
  at: ObjectKey,
  sent: SentPatch,
): Promise<KubeObject> {
  const subresource = subresourceOf(kind, sent.subResources);
  const options = { ...MANAGER, ...(subresource === undefined ? {} : { subresource }) };
  if (sent.patchType !== PatchType.APPLY) return client.patch(kind, at, patchOf(sent), options);
  const whole = subresource === undefined || subresource === 'status';
  const object = await manifestFrom(sent.data, { ...at, ...(whole ? { gvk: kind } : {}) });
  return client.apply(kind, object, options);
}

export function patchOf({ patchType, data }: Pick<SentPatch, 'patchType' | 'data'>): Patch {
  const body = parsed(data);
  switch (patchType) {
    case PatchType.JSON:
      if (!Array.isArray(body)) throw badRequest('a JSON patch is a list of operations');
      return { type: 'json', body: body as JsonPatchOperation[] };
    case PatchType.STRATEGIC_MERGE:
      return { type: 'strategic', body };
    default:
      return { type: 'merge', body };
  }
}

export function subresourceOf(kind: ApiResource, asked: readonly string[]): string | undefined {
  const [subresource, ...more] = asked.filter((one) => one !== '');
  if (more.length > 0) throw badRequest(`one part is patched at a time, found ${asked.join(', ')}`);
  if (subresource === undefined || kind.subresources.includes(subresource)) return subresource;
  const known = kind.subresources.length === 0 ? 'it has none' : `it has ${kind.subresources.join(', ')}`;
  throw new StatusError('NotFound', `${groupResource(kind)} have no part "${subresource}": ${known}`);
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch (cause) {
    throw new StatusError('BadRequest', `the patch is no JSON: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}
