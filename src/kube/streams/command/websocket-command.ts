/** Commands over a WebSocket: channels 0 to 4, as `kubectl exec` speaks since 1.30 and browsers always did. */
import type { StreamLimits } from '../limits.ts';
import type { CommandOptions } from '../pod-streams.ts';
import type { Session } from '../session.ts';
import type { Upgrade } from '../upgrade.ts';
import { acceptWebSocket, websocketProtocol } from '../websocket/accept-websocket.ts';
import { type ChannelFormat, channelSocket } from '../websocket/channel-socket.ts';
import { encodeStatus } from './command-status.ts';
import { type CommandChannels, endOutput } from './run-command.ts';
import { StatusError } from '#base/status-error.ts';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;

const PROTOCOLS: Readonly<Record<string, ChannelFormat & { readonly version: number }>> = {
  'v5.channel.k8s.io': { version: 5, base64: false, closeable: true },
  'v4.channel.k8s.io': { version: 4, base64: false, closeable: false },
  'v4.base64.channel.k8s.io': { version: 4, base64: true, closeable: false },
  'channel.k8s.io': { version: 1, base64: false, closeable: false },
  'base64.channel.k8s.io': { version: 1, base64: true, closeable: false },
};

export type Wanted = Omit<CommandOptions, 'signal' | 'container'>;

export async function websocketCommand(
  upgrade: Upgrade,
  wanted: Wanted,
  { session, limits }: { session: Session; limits: StreamLimits },
): Promise<CommandChannels> {
  const protocol = websocketProtocol(upgrade, Object.keys(PROTOCOLS));
  const format = PROTOCOLS[protocol] ?? { version: 4, base64: false, closeable: false };
  const socket = await acceptWebSocket(upgrade, protocol, limits);
  const channels = channelSocket(socket, format, { limits, onData: session.touch });
  void channels.closed.then(() => session.abort(new StatusError('Gone', 'the client has gone')));
  session.signal.addEventListener('abort', () => socket.terminate(), { once: true });

  const error = channels.output(ERROR);
  const stdout = wanted.stdout ? channels.output(STDOUT) : undefined;
  const stderr = wanted.stderr ? channels.output(STDERR) : undefined;
  // An empty message at once: the client knows then that the command is being started.
  (stdout ?? stderr ?? error).write(Buffer.alloc(0));
  return {
    ...(wanted.stdin ? { stdin: channels.input(STDIN) } : {}),
    ...(stdout ? { stdout } : {}),
    ...(stderr ? { stderr } : {}),
    resize: channels.input(RESIZE),
    async finish(status) {
      await Promise.all([endOutput(stdout), endOutput(stderr)]);
      await endOutput(error, encodeStatus(status, format.version));
      channels.close();
      await channels.closed;
    },
  };
}
