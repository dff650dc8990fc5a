/**
 * A client of an instance, or of a member behind it, that acts as the caller.
 *
 * It shares the instance's one connection pool: making a client is free. What the caller may do in the instance is
 * judged by the instance's own rules, as it is for kubectl through the proxy.
 */
import { notFound, StatusError } from '#base/status-error.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import { impersonationHeaders, type RawRequest, type Transport } from '#kube/client/transport.ts';
import type { Caller, FindInstance } from './instance-proxy.ts';

export interface InstanceAddress {
  readonly instance: string;
  /** A member of it; the instance itself when absent. */
  readonly cluster?: string;
}

/** What speaks with an instance or a member, also in ways that are not understood here. */
export type InstanceClient = HttpClient;

export type InstanceClients = (address: InstanceAddress, caller: Caller) => InstanceClient;

export function instanceClients(find: FindInstance): InstanceClients {
  return ({ instance, cluster }, caller) => {
    const transport = find(instance);
    if (!transport) throw notFound('instances', instance, 'kairship.io');
    const prefix = cluster === undefined ? '' : memberPath(cluster);
    return httpClient({ server: `http://${instance}`, userAgent: 'kairship' }, acting(transport, prefix, caller));
  };
}

/**
 * A client of an instance that acts as the platform itself, for what nobody in particular asked for. It is of the
 * instance by name: while that cannot be reached its requests fail, and when its credential changes they go on.
 */
export type PlatformClients = (instance: string) => HttpClient;

export function platformClients(find: FindInstance): PlatformClients {
  return (instance) => {
    const open = () => {
      const found = find(instance);
      if (found) return found;
      throw new StatusError('ServiceUnavailable', `instance "${instance}" cannot be reached now`);
    };
    const latest: Transport = {
      send: async (request) => open().send(request),
      stream: async (request) => open().stream(request),
      upgrade: async (request) => open().upgrade(request),
      close: () => undefined,
    };
    return httpClient({ server: `http://${instance}`, userAgent: 'kairship' }, latest);
  };
}

/** Where a member's own API is found below its instance's. */
export function memberPath(cluster: string): string {
  return `/apis/cluster.karmada.io/v1alpha1/clusters/${encodeURIComponent(cluster)}/proxy`;
}

function acting(transport: Transport, prefix: string, { user, groups }: Caller): Transport {
  const identity = impersonationHeaders({ user, groups: [...groups] });
  const as = (request: RawRequest): RawRequest => ({
    ...request,
    path: prefix + request.path,
    headers: { ...request.headers, ...identity },
  });
  return {
    send: (request) => transport.send(as(request)),
    stream: (request) => transport.stream(as(request)),
    upgrade: (request) => transport.upgrade(as(request)),
    // The pool's owner closes it.
    close: () => undefined,
  };
}
