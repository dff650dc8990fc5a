/**
 * `clusters/{name}/tunnel`: where the agent of a cluster that pulls dials in, over a WebSocket.
 *
 * Whoever may `get` it answers for the cluster from then on, so it is given to the cluster's own agent alone
 * (docs/pull-mode.md).
 */
import { createWebSocketStream } from 'ws';
import { badRequest } from '#base/status-error.ts';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import type { ApiExtension, ExtensionRequest } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { STREAM_LIMITS } from '#kube/streams/limits.ts';
import { upgradeOf } from '#kube/streams/upgrade.ts';
import { acceptWebSocket, websocketProtocol } from '#kube/streams/websocket/accept-websocket.ts';
import { TUNNEL_PROTOCOL } from '#kube/tunnel/dial-in.ts';
import type { Tunnels } from './tunnels.ts';

export interface ClusterTunnelDeps {
  readonly client: () => KubeClient;
  readonly tunnels: Tunnels;
}

export function clusterTunnelApi(deps: ClusterTunnelDeps): ApiExtension {
  return {
    group: CLUSTER.group,
    version: CLUSTER.version,
    resource: CLUSTER.resource,
    subresource: 'tunnel',
    kind: { kind: 'ClusterTunnelOptions' },
    namespaced: false,
    verbs: ['get'],
    async serve(request) {
      await accept(deps, request);
      return undefined;
    },
  };
}

async function accept({ client, tunnels }: ClusterTunnelDeps, request: ExtensionRequest): Promise<void> {
  const { name = '' } = request;
  const upgrade = upgradeOf(request);
  const { spec } = await client().get<Cluster>(CLUSTER, { name });
  if (spec.syncMode !== 'Pull') throw badRequest(`cluster "${name}" is pushed to: it needs no tunnel`);
  const protocol = websocketProtocol(upgrade, [TUNNEL_PROTOCOL]);
  await tunnels.accept(name, createWebSocketStream(await acceptWebSocket(upgrade, protocol, STREAM_LIMITS)));
}
