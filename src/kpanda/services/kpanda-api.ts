/** Kpanda's API as a handler of HTTP requests. Who calls and what they may is decided by whoever serves it. */
import { type RpcHandler, rpcHandler, type RpcOptions } from '#rpc/index.ts';
import { clusterService, type ClusterServiceDeps } from './cluster-service.ts';

export type KpandaApiDeps = ClusterServiceDeps &
  Pick<RpcOptions, 'clock' | 'log'> &
  Required<Pick<RpcOptions, 'authenticate' | 'interceptors'>>;

export function kpandaApi({ authenticate, interceptors, clock, log, ...deps }: KpandaApiDeps): RpcHandler {
  return rpcHandler({ services: [clusterService(deps)], authenticate, interceptors, clock, log });
}
