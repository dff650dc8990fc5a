/**
 * Clients for engines beside API servers of others.
 *
 * Such a server may have no Karmada webhook: {@link admittedClient} gives what the engine itself writes the ids and
 * defaults that the webhook would have given it. Where there is one, nothing changes: an id that is there stays.
 * {@link readOnlyClient} is for those who promised to write nothing.
 */
import { draftOf } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import { type AdmissionPlugin, SYSTEM_USER } from '#kube/apiserver/index.ts';
import type { KubeClient, Unnamed } from '#kube/client/kube-client.ts';
import { type Gvr, groupResource, gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export function admittedClient(client: KubeClient, plugins: readonly AdmissionPlugin[]): KubeClient {
  async function admitted<T extends KubeObject>(
    operation: 'CREATE' | 'UPDATE',
    gvr: Gvr,
    object: Unnamed<T>,
    subresource: string | undefined,
  ): Promise<Unnamed<T>> {
    const about = { operation, gvr, ...(subresource === undefined ? {} : { subresource }) };
    const concerned = plugins.filter((plugin) => plugin.handles(about));
    if (concerned.length === 0) return object;
    const draft = draftOf(object as unknown as KubeObject);
    const { namespace, name } = draft.metadata;
    const request = {
      ...about,
      gvk: gvkOf(draft),
      ...(namespace === undefined ? {} : { namespace }),
      name,
      object: draft,
      user: SYSTEM_USER,
      dryRun: false,
    };
    for (const plugin of concerned) await plugin.mutate?.(request);
    return draft as unknown as Unnamed<T>;
  }

  return {
    ...client,
    create: async (gvr, object, options) =>
      client.create(gvr, await admitted('CREATE', gvr, object, options?.subresource), options),
    async update<T extends KubeObject>(gvr: Gvr, object: T, options: Parameters<KubeClient['update']>[2]) {
      const next = await admitted<T>('UPDATE', gvr, object as unknown as Unnamed<T>, options?.subresource);
      return client.update(gvr, next as unknown as T, options);
    },
  };
}

export function readOnlyClient(client: KubeClient): KubeClient {
  const refuse = (verb: string) => async (gvr: Gvr) => {
    throw new StatusError('Forbidden', `${verb} of ${groupResource(gvr)}: this program writes nothing`);
  };
  return {
    ...client,
    create: refuse('create'),
    update: refuse('update'),
    patch: refuse('patch'),
    apply: refuse('apply'),
    delete: refuse('delete'),
    deleteCollection: refuse('deletion'),
  };
}
