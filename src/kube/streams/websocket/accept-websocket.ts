/** Grants a WebSocket with the first subprotocol of the client's that is spoken here. */
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { badRequest } from '#base/status-error.ts';
import type { StreamLimits } from '../limits.ts';
import { namesIn, type Upgrade } from '../upgrade.ts';

const HEADER = 'sec-websocket-protocol';

export function websocketProtocol({ request }: Upgrade, spoken: readonly string[]): string {
  const asked = namesIn(request.headers[HEADER]);
  const agreed = asked.find((name) => spoken.includes(name));
  if (agreed !== undefined) return agreed;
  throw badRequest(`requested protocol(s) are not supported: [${asked.join(' ')}]; supports [${spoken.join(' ')}]`);
}

export function acceptWebSocket(
  { request, socket, head }: Upgrade,
  protocol: string,
  { messageBytes, unsentControlBytes }: StreamLimits,
): Promise<WebSocket> {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytes,
  });
  // Names like `SPDY/3.1+portforward.k8s.io` are no tokens, so the library would refuse them: agreed on by ourselves.
  const { [HEADER]: _agreed, ...headers } = request.headers;
  const plain: IncomingMessage = Object.create(request, { headers: { value: headers } });
  server.on('headers', (lines: string[]) => lines.push(`Sec-WebSocket-Protocol: ${protocol}`));
  return new Promise((resolve, reject) => {
    server.once('wsClientError', (error: Error) => reject(badRequest(error.message)));
    socket.once('close', () => reject(badRequest('the client has gone')));
    server.handleUpgrade(plain, socket, head, (granted) => {
      // Pings are answered by the library, also to a client that never reads the answers.
      granted.on('ping', () => granted.bufferedAmount > unsentControlBytes && granted.terminate());
      resolve(granted);
    });
  });
}
