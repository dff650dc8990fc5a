/**
 * The objects that the engine put into one member, as live copies, one for each resource that Works have brought there.
 *
 * Only what carries the managed label is followed: a member may hold a million objects of others. A copy starts with the
 * first Work that needs it and ends with the connection.
 */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import { LABELS } from '#karmada/apis/index.ts';
import type { Member } from '#karmada/cluster/members.ts';
import { notServedText, servedAs } from '#karmada/versions/index.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import type { RestMapper } from '#kube/client/rest-mapper.ts';
import { apiVersionOf, gvkOf } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Informer, informers } from '#kube/runtime/index.ts';

export interface MemberObjects {
  /** How the member serves the kind of a manifest, maybe in another version. Throws `NotFound` when it does not. */
  resource(manifest: KubeObject): Promise<ApiResource>;
  /** The copy of a resource; started by the first who asks. */
  copy(resource: ApiResource): Informer;
}

const SCOPE = { labelSelector: `${LABELS.managed}=true` };

/** `changed` is told of every change of every object, and of everything there is when a copy becomes complete. */
export function memberObjects(
  member: Member,
  deps: { readonly clock: Clock; readonly log: Log },
  changed: (object: KubeObject) => void,
): MemberObjects {
  const shared = informers(member.client, { ...deps, signal: member.signal });
  const followed = new Set<Informer>();
  return {
    resource: (manifest) => servedResource(member.mapper, manifest),
    copy(resource) {
      const informer = shared(resource, SCOPE);
      if (followed.has(informer)) return informer;
      followed.add(informer);
      informer.subscribe(({ object }) => changed(object));
      return informer;
    },
  };
}

/** The resource of a manifest in its own version, else in one that it can be converted to. */
async function servedResource(mapper: RestMapper, manifest: KubeObject): Promise<ApiResource> {
  const known = inSomeVersion(await mapper.all(), manifest);
  if (known) return known;
  try {
    return await mapper.byKind(gvkOf(manifest));
  } catch (error) {
    // What was learnt before was old, so it has been asked for again.
    const served = await mapper.all();
    const found = inSomeVersion(served, manifest);
    if (found) return found;
    if (!hasReason(error, 'NotFound') || !(error instanceof StatusError)) throw error;
    const kinds = served.map((resource) => ({ apiVersion: apiVersionOf(resource), kind: resource.kind }));
    throw new StatusError('NotFound', `${error.message}: ${notServedText(manifest, kinds)}`, { cause: error });
  }
}

function inSomeVersion(served: readonly ApiResource[], manifest: KubeObject): ApiResource | undefined {
  const ofKind = served.filter(({ kind }) => kind === manifest.kind);
  const inVersion = (apiVersion: string) => ofKind.find((resource) => apiVersionOf(resource) === apiVersion);
  const version = servedAs(manifest, (apiVersion) => inVersion(apiVersion) !== undefined);
  return version === undefined ? undefined : inVersion(version);
}

/** How a copy keys the object of a manifest. */
export function objectKey(manifest: KubeObject): string {
  return keyOf(manifest);
}
