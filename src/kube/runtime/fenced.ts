/**
 * A client for leaders: every write is refused once the lease may have passed to someone else, and writes that would
 * overwrite whatever is there are refused always.
 *
 * A leader can be paused between deciding and writing. The lease stops it when it wakes after its deadline; a write that
 * was already on its way carries the resourceVersion it was decided on, and fails if the next leader wrote meanwhile.
 */
import { isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import type { KubeClient, Patch } from '#kube/client/kube-client.ts';
import { type Gvr, groupResource } from '#kube/meta/gvk.ts';
import type { Leadership } from './lease-election.ts';

export function fenced(client: KubeClient, leadership: Pick<Leadership, 'guard' | 'lost'>): KubeClient {
  const { lost } = leadership;
  /** The caller's options, with requests under way given up when the lease is lost. */
  function within<O extends { readonly signal?: AbortSignal }>(options?: O): O {
    leadership.guard();
    const signal = options?.signal ? AbortSignal.any([options.signal, lost]) : lost;
    return { ...options, signal } as O;
  }

  return {
    ...client,
    create: async (gvr, object, options) => client.create(gvr, object, within(options)),
    async update(gvr, object, options) {
      refuseUnless(object.metadata.resourceVersion !== undefined, 'update', gvr, object.metadata.name);
      return client.update(gvr, object, within(options));
    },
    async patch(gvr, key, patch, options) {
      refuseUnless(isGuarded(patch), 'patch', gvr, key.name);
      return client.patch(gvr, key, patch, within(options));
    },
    async apply(gvr, object, options) {
      refuseUnless(object.metadata.resourceVersion !== undefined, 'apply', gvr, object.metadata.name);
      return client.apply(gvr, object, within(options));
    },
    delete: async (gvr, key, options) => client.delete(gvr, key, within(options)),
    deleteCollection: async (gvr, options) => client.deleteCollection(gvr, within(options)),
  };
}

function isGuarded(patch: Patch): boolean {
  if (patch.type === 'json') {
    return patch.body.some(({ op, path }) => op === 'test' && path === '/metadata/resourceVersion');
  }
  const { body } = patch;
  return isObject(body) && isObject(body['metadata']) && typeof body['metadata']['resourceVersion'] === 'string';
}

function refuseUnless(guarded: boolean, verb: string, gvr: Gvr, name: string): void {
  if (guarded) return;
  const message = `${verb} of ${groupResource(gvr)} "${name}" without a resourceVersion could undo what another leader did`;
  throw new StatusError('BadRequest', message);
}
