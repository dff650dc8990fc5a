/** `pods/portforward`: SPDY, SPDY in a WebSocket, or the channels of a WebSocket. */
import { createWebSocketStream } from 'ws';
import { badRequest } from '#base/status-error.ts';
import type { ExtensionRequest } from '#kube/apiserver/extension.ts';
import type { StreamDeps } from '../stream-deps.ts';
import { streamProtocol, switchToSpdy, upgradeOf } from '../upgrade.ts';
import { acceptWebSocket, websocketProtocol } from '../websocket/accept-websocket.ts';
import { spdyForward } from './spdy-forward.ts';
import { askedPorts, CHANNEL_PROTOCOLS, websocketForward } from './websocket-forward.ts';

const PROTOCOL = 'portforward.k8s.io';
const TUNNEL = `SPDY/3.1+${PROTOCOL}`;

export async function servePortForward(deps: StreamDeps, request: ExtensionRequest): Promise<void> {
  const upgrade = upgradeOf(request);
  const pod = await deps.pod(request);
  if (!pod.spec?.nodeName) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  const { limits } = deps;
  await deps.sessions(request.signal, async (session) => {
    const own = { ...deps, session };
    if (upgrade.to === 'spdy') {
      return spdyForward(switchToSpdy(upgrade, streamProtocol(upgrade, [PROTOCOL])), pod, own);
    }
    const protocol = websocketProtocol(upgrade, [TUNNEL, ...Object.keys(CHANNEL_PROTOCOLS)]);
    if (protocol === TUNNEL) {
      return spdyForward(createWebSocketStream(await acceptWebSocket(upgrade, protocol, limits)), pod, own);
    }
    return websocketForward(upgrade, protocol, askedPorts(request.query, limits.forwardedPorts), pod, own);
  });
}
