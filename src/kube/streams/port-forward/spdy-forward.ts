/**
 * Port-forward over SPDY, on a socket of its own or in a WebSocket: for each connection the client opens two streams,
 * one for data and one for an error, which belong together by their request's number.
 */
import type { Duplex } from 'node:stream';
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { Pod } from '#gen/kube/types.ts';
import { endOutput } from '../command/run-command.ts';
import type { StreamLimits } from '../limits.ts';
import type { PodStreams } from '../pod-streams.ts';
import type { Session } from '../session.ts';
import { spdyConnection } from '../spdy/spdy-connection.ts';
import type { SpdyStream } from '../spdy/spdy-stream.ts';
import { forwardPort, portIn } from './forward-port.ts';

export interface ForwardDeps {
  readonly streams: PodStreams;
  readonly session: Session;
  readonly limits: StreamLimits;
  readonly clock: Clock;
}

interface Pair {
  data?: Duplex;
  error?: Duplex;
  readonly giveUp: () => void;
}

/** Serves the connection until the client has gone. */
export async function spdyForward(transport: Duplex, pod: Pod, deps: ForwardDeps): Promise<void> {
  const { session, streams, limits, clock } = deps;
  const pairs = new Map<string, Pair>();

  function pairOf(id: string): Pair {
    const known = pairs.get(id);
    if (known) return known;
    const pair: Pair = {
      giveUp: clock.after(limits.streamCreationMs, () => {
        pairs.delete(id);
        pair.data?.destroy();
        pair.error?.destroy();
      }),
    };
    pairs.set(id, pair);
    return pair;
  }

  function take(stream: SpdyStream): boolean {
    const type = stream.headers['streamtype'];
    const port = portIn(stream.headers['port']);
    if (port === undefined || (type !== 'data' && type !== 'error')) return false;
    const id = stream.headers['requestid'] || pairedId(stream, type);
    const pair = pairOf(id);
    if (pair[type]) return false;
    pair[type] = stream.duplex;
    if (pair.data && pair.error) {
      pair.giveUp();
      pairs.delete(id);
      void forward(port, pair.data, pair.error);
    }
    return true;
  }

  async function forward(port: number, data: Duplex, error: Duplex): Promise<void> {
    error.resume();
    try {
      await forwardPort(streams, pod, port, { from: data, to: data }, session.signal);
      await endOutput(error);
    } catch (failure) {
      await endOutput(error, failure instanceof Error ? failure.message : String(failure));
      data.destroy();
    }
  }

  const connection = spdyConnection(transport, { limits, clock, onData: session.touch, onStream: take });
  session.signal.addEventListener('abort', () => transport.destroy(), { once: true });
  await connection.closed;
  for (const { giveUp } of pairs.values()) giveUp();
  session.abort(new StatusError('Gone', 'the client has gone'));
}

/** Clients of old number no requests: their data stream is opened right after its error stream. */
function pairedId({ id }: SpdyStream, type: 'data' | 'error'): string {
  return `stream ${type === 'error' ? id : id - 2}`;
}
