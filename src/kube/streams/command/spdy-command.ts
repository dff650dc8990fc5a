/** Commands over SPDY: one stream for each of error, stdin, stdout, stderr and resize, opened by the client. */
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { StreamLimits } from '../limits.ts';
import type { Session } from '../session.ts';
import { spdyConnection } from '../spdy/spdy-connection.ts';
import type { SpdyStream } from '../spdy/spdy-stream.ts';
import { streamProtocol, switchToSpdy, type Upgrade } from '../upgrade.ts';
import { encodeStatus } from './command-status.ts';
import { type CommandChannels, endOutput } from './run-command.ts';
import type { Wanted } from './websocket-command.ts';

/** By name, the version of the protocol: terminals can be resized from 3 on, exit codes are told from 4 on. */
const PROTOCOLS: Readonly<Record<string, number>> = {
  'v5.channel.k8s.io': 5,
  'v4.channel.k8s.io': 4,
  'v3.channel.k8s.io': 3,
  'v2.channel.k8s.io': 2,
};

export interface SpdyDeps {
  readonly session: Session;
  readonly limits: StreamLimits;
  readonly clock: Clock;
}

export async function spdyCommand(upgrade: Upgrade, wanted: Wanted, deps: SpdyDeps): Promise<CommandChannels> {
  const { session } = deps;
  const protocol = streamProtocol(upgrade, Object.keys(PROTOCOLS));
  const version = PROTOCOLS[protocol] ?? 4;
  const transport = switchToSpdy(upgrade, protocol);
  const expected = new Set(['error', ...expectedStreams(wanted, version)]);
  const streams = new Map<string, SpdyStream['duplex']>();
  const complete = Promise.withResolvers<void>();
  const connection = spdyConnection(transport, {
    ...deps,
    onData: session.touch,
    onStream({ headers, duplex }) {
      const type = headers['streamtype'] ?? '';
      if (!expected.has(type) || streams.has(type)) return false;
      streams.set(type, duplex);
      if (streams.size === expected.size) complete.resolve();
      return true;
    },
  });
  void connection.closed.then(() => session.abort(new StatusError('Gone', 'the client has gone')));
  session.signal.addEventListener('abort', () => transport.destroy(), { once: true });

  await inTime(complete.promise, deps);
  const [stdin, stdout, stderr, error] = ['stdin', 'stdout', 'stderr', 'error'].map((type) => streams.get(type));
  const resize = streams.get('resize');
  // A client has nothing to say where it is spoken to; what it says all the same must not pile up.
  for (const output of [stdout, stderr, error]) output?.resume();
  return {
    ...(stdin ? { stdin } : {}),
    ...(stdout ? { stdout } : {}),
    ...(stderr ? { stderr } : {}),
    ...(resize ? { resize } : {}),
    async finish(status) {
      await endOutput(error, encodeStatus(status, version));
      await Promise.all([stdin, stdout, stderr, resize].map((stream) => endOutput(stream)));
      connection.close();
      await connection.closed;
    },
  };
}

function expectedStreams({ stdin, stdout, stderr, tty }: Wanted, version: number): string[] {
  return [
    ...(stdin ? ['stdin'] : []),
    ...(stdout ? ['stdout'] : []),
    ...(stderr ? ['stderr'] : []),
    ...(tty && version >= 3 ? ['resize'] : []),
  ];
}

/** Waits for the client's streams; gives up, and cuts the connection, when they take too long. */
async function inTime(complete: Promise<void>, { session, limits, clock }: SpdyDeps): Promise<void> {
  const late = new StatusError('Timeout', 'timed out waiting for client to create streams');
  const cancel = clock.after(limits.streamCreationMs, () => session.abort(late));
  const ended = Promise.withResolvers<void>();
  session.signal.addEventListener('abort', () => ended.resolve(), { once: true });
  await Promise.race([complete, ended.promise]);
  cancel();
}
