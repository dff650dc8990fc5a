/**
 * Manifests as an apply would leave them: labels and annotations that others have set stay, and are no change. Without
 * them a simulation would foresee that what `kubectl apply` or a policy has noted on an object goes away.
 */
import { hasReason } from '#base/status-error.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** Who applies, by this command. */
export const FIELD_MANAGER = 'kairship';

export async function withWhatStays(
  client: HttpClient,
  objects: readonly KubeObject[],
): Promise<readonly KubeObject[]> {
  const mapper = restMapper(client);
  return Promise.all(
    objects.map(async (object) => {
      const { namespace, name } = object.metadata;
      try {
        const mapped = await mapper.byKind(gvkOf(object));
        const live = await client.get(mapped, mapped.namespaced && namespace ? { namespace, name } : { name });
        return merged(object, live);
      } catch (error) {
        // What is not there, of a kind that is not there yet, or not to be seen, has nothing that stays.
        if (hasReason(error, 'NotFound', 'Forbidden')) return object;
        throw error;
      }
    }),
  );
}

/** Pure. */
export function merged(object: KubeObject, live: KubeObject): KubeObject {
  const labels = kept(object, live, 'labels');
  const annotations = kept(object, live, 'annotations');
  return {
    ...object,
    metadata: { ...object.metadata, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) },
  };
}

/** What we have applied before and is not in the file any more goes away; everything else stays. */
function kept(
  { metadata }: KubeObject,
  live: KubeObject,
  part: 'labels' | 'annotations',
): Readonly<Record<string, string>> | undefined {
  const ours = new Set(ownedBy(live, part));
  const theirs = Object.entries(live.metadata[part] ?? {}).filter(([key]) => !ours.has(key));
  const all = { ...Object.fromEntries(theirs), ...metadata[part] };
  return Object.keys(all).length === 0 ? undefined : all;
}

function ownedBy({ metadata }: KubeObject, part: 'labels' | 'annotations'): readonly string[] {
  const entries = (metadata.managedFields ?? []).filter(
    ({ manager, operation }) => manager === FIELD_MANAGER && operation === 'Apply',
  );
  return entries.flatMap(({ fieldsV1 }) => {
    const { 'f:metadata': fields = {} } = (fieldsV1 ?? {}) as { 'f:metadata'?: Record<string, object> };
    return Object.keys(fields[`f:${part}`] ?? {}).map((key) => key.replace(/^f:/, ''));
  });
}
