/** The one member an agent has to do with, in place of the connections an engine has to all of them. */
import type { Member, Members } from '#karmada/cluster/index.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';

export function localMember(name: string, client: HttpClient, signal: AbortSignal): Members {
  let dropped = new AbortController();
  const fresh = (): Member => ({
    name,
    client,
    mapper: restMapper(client),
    signal: AbortSignal.any([signal, dropped.signal]),
  });
  let member = fresh();
  const drop = () => {
    // What watches through it begins anew: the connections beneath are the client's own to renew.
    dropped.abort();
    dropped = new AbortController();
    member = fresh();
  };
  return {
    connect: async () => member,
    refresh: async () => member,
    find: (wanted) => (wanted === name ? member : undefined),
    drop,
    close: () => dropped.abort(),
  };
}
