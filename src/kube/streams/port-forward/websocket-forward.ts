/**
 * Port-forward over the channels of a WebSocket, as clients in browsers and scripts use it: each port asked for has one
 * connection, on two channels, for data and for an error; the first message on each is the port, low byte first.
 */
import { badRequest, StatusError } from '#base/status-error.ts';
import type { Pod } from '#gen/kube/types.ts';
import { endOutput } from '../command/run-command.ts';
import type { Upgrade } from '../upgrade.ts';
import { acceptWebSocket } from '../websocket/accept-websocket.ts';
import { channelSocket } from '../websocket/channel-socket.ts';
import { forwardPort, portIn } from './forward-port.ts';
import type { ForwardDeps } from './spdy-forward.ts';

export const CHANNEL_PROTOCOLS: Readonly<Record<string, { readonly base64: boolean }>> = {
  'v4.channel.k8s.io': { base64: false },
  'v4.base64.channel.k8s.io': { base64: true },
  'channel.k8s.io': { base64: false },
  'base64.channel.k8s.io': { base64: true },
};

export function askedPorts(query: URLSearchParams, most: number): number[] {
  const asked = query.getAll('ports').flatMap((list) => list.split(','));
  if (asked.length === 0) throw badRequest('query parameter "ports" is required');
  if (asked.length > most) throw badRequest(`no more than ${most} ports can be forwarded at a time`);
  return asked.map((text) => {
    const port = portIn(text);
    if (port === undefined) throw badRequest(`unable to parse ${JSON.stringify(text)} as a port`);
    return port;
  });
}

export async function websocketForward(
  upgrade: Upgrade,
  protocol: string,
  ports: readonly number[],
  pod: Pod,
  { session, limits, streams }: ForwardDeps,
): Promise<void> {
  const format = { base64: CHANNEL_PROTOCOLS[protocol]?.base64 ?? false, closeable: false };
  const socket = await acceptWebSocket(upgrade, protocol, limits);
  const channels = channelSocket(socket, format, { limits, onData: session.touch });
  session.signal.addEventListener('abort', () => socket.terminate(), { once: true });

  async function forward(port: number, index: number): Promise<void> {
    const output = channels.output(index * 2);
    const error = channels.output(index * 2 + 1);
    const first = Buffer.from([port & 0xff, port >> 8]);
    output.write(first);
    error.write(first);
    const input = channels.input(index * 2);
    // A channel cannot be half closed: when the port has said its last, no more is taken for it.
    output.once('finish', () => input.destroy());
    const client = { from: input, to: output };
    await forwardPort(streams, pod, port, client, session.signal).catch((failure: Error) =>
      endOutput(error, failure.message),
    );
  }

  void Promise.all(ports.map(forward)).then(() => channels.close());
  await channels.closed;
  session.abort(new StatusError('Gone', 'the client has gone'));
}
