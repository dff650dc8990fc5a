/** What tests of SPDY share: a peer that speaks frames, on the other end of a connection in memory. */
import { type Duplex, duplexPair } from 'node:stream';
import { type Clock, fakeClock } from '#base/clock.ts';
import { STREAM_LIMITS, type StreamLimits } from '../limits.ts';
import type { SpdyFrame } from './frame.ts';
import { frameReader } from './frame-reader.ts';
import { frameWriter } from './frame-writer.ts';
import { type SpdyConnection, spdyConnection } from './spdy-connection.ts';
import type { SpdyStream } from './spdy-stream.ts';

export interface SpdyPeer {
  readonly transport: Duplex;
  send(...frames: readonly SpdyFrame[]): void;
  open(stream: number, headers: Readonly<Record<string, string>>): void;
  data(stream: number, text: string, fin?: boolean): void;
  /** The next frame of the given type; frames of other types before it are passed over. */
  next<Type extends SpdyFrame['type']>(type: Type): Promise<SpdyFrame & { type: Type }>;
  /** All data of a stream until its end. */
  text(stream: number): Promise<string>;
}

/** A client on `transport`; it reads all it is sent, as it comes. */
export function spdyPeer(transport: Duplex): SpdyPeer {
  const encode = frameWriter();
  const reader = frameReader(STREAM_LIMITS);
  const frames: SpdyFrame[] = [];
  let wake = () => {};
  let over = false;
  transport.on('data', (chunk: Buffer) => {
    frames.push(...reader.push(chunk));
    wake();
  });
  transport.on('error', () => undefined);
  transport.on('close', () => {
    over = true;
    wake();
  });

  async function find(wanted: (frame: SpdyFrame) => boolean): Promise<SpdyFrame> {
    for (;;) {
      const at = frames.findIndex(wanted);
      const [found] = at < 0 ? [] : frames.splice(at, 1);
      if (found) return found;
      if (over) throw new Error('the connection closed');
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  const send = (...sent: readonly SpdyFrame[]) => sent.forEach((frame) => transport.write(encode(frame)));
  return {
    transport,
    send,
    open: (stream, headers) => send({ type: 'syn-stream', stream, headers, fin: false, unidirectional: false }),
    data: (stream, text, fin = false) => send({ type: 'data', stream, bytes: Buffer.from(text), fin }),
    next: async (type) => (await find((frame) => frame.type === type)) as never,
    async text(stream) {
      const parts: Buffer[] = [];
      for (;;) {
        const frame = await find((one) => one.type === 'data' && one.stream === stream);
        if (frame.type !== 'data') continue;
        parts.push(frame.bytes);
        if (frame.fin) return Buffer.concat(parts).toString();
      }
    },
  };
}

export interface Joined {
  readonly peer: SpdyPeer;
  readonly connection: SpdyConnection;
  readonly streams: SpdyStream[];
}

/** A connection and its peer; streams are taken unless they ask to be refused. */
export function joined(limits: Partial<StreamLimits> = {}, clock: Clock = fakeClock()): Joined {
  const [near, far] = duplexPair();
  const streams: SpdyStream[] = [];
  const connection = spdyConnection(near, {
    limits: { ...STREAM_LIMITS, ...limits },
    clock,
    onData: () => undefined,
    onStream(stream) {
      if (stream.headers['refuse'] !== undefined) return false;
      streams.push(stream);
      return true;
    },
  });
  return { peer: spdyPeer(far), connection, streams };
}
