/**
 * Clients for the one of several controller-managers that leads: what it decided before it lost the lease is not written
 * after it.
 *
 * `fenced` refuses writes that would go through whatever happened since. Controllers here apply what an instance or a
 * member shall hold, wherever it comes from; for them the guard is put in: the object's version is read while the lease
 * is known to be held, and the write carries it. Whoever led since has either written, and the write fails, or not, and
 * nothing is undone.
 */
import { hasReason } from '#base/status-error.ts';
import { isObject } from '#base/json.ts';
import type { MemberClients } from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { ObjectKey } from '#kube/meta/object.ts';
import { fenced, type Leadership } from '#kube/runtime/index.ts';

type Held = Pick<Leadership, 'guard' | 'lost'>;

export function leadingClient<Client extends KubeClient>(client: Client, leadership: Held): Client {
  const guarded = fenced(client, leadership);

  async function versionOf(gvr: Gvr, { namespace, name }: ObjectKey): Promise<string | undefined> {
    leadership.guard();
    try {
      const { metadata } = await client.get(gvr, namespace === undefined ? { name } : { namespace, name });
      return metadata.resourceVersion;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  return {
    ...client,
    ...guarded,
    async apply(gvr, object, options) {
      const resourceVersion = object.metadata.resourceVersion ?? (await versionOf(gvr, object.metadata));
      if (resourceVersion !== undefined)
        return guarded.apply(gvr, { ...object, metadata: { ...object.metadata, resourceVersion } }, options);
      // There is nothing yet that could be undone.
      leadership.guard();
      return client.apply(gvr, object, { ...options, signal: leadership.lost });
    },
    async patch(gvr, key, patch, options) {
      if (patch.type !== 'merge' || !isObject(patch.body)) return guarded.patch(gvr, key, patch, options);
      const told = isObject(patch.body['metadata']) ? patch.body['metadata'] : {};
      const resourceVersion = told['resourceVersion'] ?? (await versionOf(gvr, key));
      const body = { ...patch.body, metadata: { ...told, resourceVersion } };
      return guarded.patch(gvr, key, { type: 'merge', body }, options);
    },
  };
}

/** The same for whatever the inventory reaches. */
export function leadingMembers(members: MemberClients, leadership: Held): MemberClients {
  return {
    ...members,
    async connect(cluster) {
      const connection = await members.connect(cluster);
      return { ...connection, client: leadingClient(connection.client, leadership) };
    },
  };
}
