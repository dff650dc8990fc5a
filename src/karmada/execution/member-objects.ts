/**
 * The objects that the engine put into one member, as live copies, one for each resource that Works have brought there.
 *
 * Only what carries the managed label is followed: a member may hold a million objects of others. A copy starts with the
 * first Work that needs it and ends with the connection.
 */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { LABELS } from '#karmada/apis/index.ts';
import type { Member } from '#karmada/cluster/members.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Informer, informers } from '#kube/runtime/index.ts';

export interface MemberObjects {
  /** How the member serves the kind of a manifest. Throws `NotFound` when it does not. */
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
    resource: (manifest) => member.mapper.byKind(gvkOf(manifest)),
    copy(resource) {
      const informer = shared(resource, SCOPE);
      if (followed.has(informer)) return informer;
      followed.add(informer);
      informer.subscribe(({ object }) => changed(object));
      return informer;
    },
  };
}

/** How a copy keys the object of a manifest. */
export function objectKey(manifest: KubeObject): string {
  return keyOf(manifest);
}
