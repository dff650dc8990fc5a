/**
 * The server's end of a SPDY/3.1 connection over any duplex: a raw socket, or a WebSocket that tunnels it.
 *
 * The peer opens streams, we take or refuse them; each is a duplex with its own back-pressure (`spdy-stream.ts`). A
 * peer that breaks the protocol, floods us with what it does not wait to have answered, or outgrows the limits is told
 * to go away and cut off; other connections never notice. Start at {@link spdyConnection}.
 */
import type { Duplex } from 'node:stream';
import type { Clock } from '#base/clock.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { StreamLimits } from '../limits.ts';
import { GO_AWAY, INITIAL_WINDOW, RST, SETTING_INITIAL_WINDOW, type SpdyFrame } from './frame.ts';
import { frameReader } from './frame-reader.ts';
import { frameWriter } from './frame-writer.ts';
import { sendWindows } from './send-windows.ts';
import { type OpenStream, type SpdyStream, spdyStream } from './spdy-stream.ts';

export interface SpdyOptions {
  readonly limits: StreamLimits;
  readonly clock: Clock;
  /** Whether a stream that the peer opened is taken. What is written to it at once is sent after the answer. */
  onStream(stream: SpdyStream): boolean;
  /** Told whenever data passes. */
  onData(): void;
}

export interface SpdyConnection {
  /** Sends what is written, says goodbye and hangs up. */
  close(): void;
  /** Resolves when the connection is gone, however it went. */
  readonly closed: Promise<void>;
}

const MAX_DATA = 32 * 1024;

export function spdyConnection(transport: Duplex, options: SpdyOptions): SpdyConnection {
  const { limits, clock } = options;
  const reader = frameReader(limits);
  const encode = frameWriter();
  const windows = sendWindows();
  const streams = new Map<number, OpenStream>();
  const unread = new Map<number, number>();
  let lastStream = 0;
  let goingAway = false;
  let hungUp = false;
  let turn: Promise<void> = Promise.resolve();

  /** Control frames overtake data that waits; a peer that leaves too many of them unread is hostile or dead. */
  function control(frame: SpdyFrame): void {
    if (!transport.writable) return;
    if (transport.writableLength > limits.unsentControlBytes) transport.destroy();
    else transport.write(encode(frame));
  }

  /** Data goes out in turn, each piece when the transport has room for it: no stream can starve another. */
  function inTurn(frame: SpdyFrame): Promise<void> {
    const sent = turn.then(async () => {
      if (!transport.writable) throw new StatusError('ServiceUnavailable', 'the connection is closed');
      options.onData();
      if (!transport.write(encode(frame))) await drained(transport);
    });
    turn = sent.catch(() => undefined);
    return sent;
  }

  async function send(stream: number, bytes: Buffer, fin: boolean): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      const length = await windows.take(stream, Math.min(rest.length, MAX_DATA));
      if (length === 0) throw new StatusError('ServiceUnavailable', 'the stream is closed');
      await inTurn({ type: 'data', stream, bytes: rest.subarray(0, length), fin: false });
      rest = rest.subarray(length);
    }
    if (fin) await inTurn({ type: 'data', stream, bytes: rest, fin: true });
  }

  /** Tells the peer in large steps what has been read, for the stream and for the connection. */
  function credit(stream: number, bytes: number): void {
    for (const id of stream === 0 ? [0] : [stream, 0]) {
      const delta = (unread.get(id) ?? 0) + bytes;
      const due = delta >= INITIAL_WINDOW / 2 && (id === 0 || streams.has(id));
      unread.set(id, due ? 0 : delta);
      if (due) control({ type: 'window-update', stream: id, delta });
    }
  }

  function open({ stream: id, headers, fin, unidirectional }: SpdyFrame & { type: 'syn-stream' }): void {
    if (id % 2 === 0 || id <= lastStream) throw badRequest(`SPDY stream ${id} cannot be opened after ${lastStream}`);
    lastStream = id;
    if (goingAway || unidirectional || streams.size >= limits.spdyStreams) {
      return control({ type: 'rst-stream', stream: id, status: RST.refused });
    }
    const link = {
      send: (bytes: Buffer, last: boolean) => send(id, bytes, last),
      credit: (bytes: number) => credit(id, bytes),
      gone(untold: boolean) {
        streams.delete(id);
        unread.delete(id);
        windows.close(id);
        if (untold) control({ type: 'rst-stream', stream: id, status: RST.cancel });
      },
    };
    const stream = spdyStream(id, headers, link, limits.streamBufferBytes);
    streams.set(id, stream);
    windows.open(id);
    if (fin) void stream.receive(Buffer.alloc(0), true);
    if (options.onStream(stream)) {
      control({ type: 'syn-reply', stream: id, headers: {}, fin: false });
    } else {
      stream.drop();
      control({ type: 'rst-stream', stream: id, status: RST.refused });
    }
  }

  function receive({ stream: id, bytes, fin }: SpdyFrame & { type: 'data' }): Promise<void> | undefined {
    options.onData();
    const stream = streams.get(id);
    if (stream) return stream.receive(bytes, fin);
    if (id > lastStream) throw badRequest(`SPDY stream ${id} was never opened`);
    // The peer cannot know yet that the stream is closed.
    credit(0, bytes.length);
    return undefined;
  }

  function grow(stream: number, delta: number): void {
    if (windows.grow(stream, delta)) return;
    if (stream === 0) throw badRequest('the window of the SPDY connection overflows');
    streams.get(stream)?.drop();
    control({ type: 'rst-stream', stream, status: RST.flowControl });
  }

  function handle(frame: SpdyFrame): Promise<void> | undefined {
    switch (frame.type) {
      case 'syn-stream':
        open(frame);
        return undefined;
      case 'data':
        return receive(frame);
      case 'headers':
        return frame.fin ? streams.get(frame.stream)?.receive(Buffer.alloc(0), true) : undefined;
      case 'rst-stream':
        streams.get(frame.stream)?.drop();
        return undefined;
      case 'ping':
        // Odd pings are the peer's own, to be sent back; even ones would answer ours, and we send none.
        if (frame.id % 2 === 1) control(frame);
        return undefined;
      case 'window-update':
        grow(frame.stream, frame.delta);
        return undefined;
      case 'settings': {
        const initial = frame.values.get(SETTING_INITIAL_WINDOW);
        if (initial !== undefined) windows.setInitial(initial);
        return undefined;
      }
      case 'go-away':
        goingAway = true;
        return undefined;
      case 'syn-reply':
        return undefined;
    }
  }

  function read(chunk: Buffer): void {
    try {
      const full = reader.push(chunk).flatMap((frame) => handle(frame) ?? []);
      if (full.length === 0) return;
      transport.pause();
      void Promise.all(full).then(() => transport.resume());
    } catch {
      hangUp(GO_AWAY.protocolError);
    }
  }

  function hangUp(status: number): void {
    if (hungUp) return;
    hungUp = true;
    goingAway = true;
    transport.off('data', read);
    control({ type: 'go-away', lastStream, status });
    for (const stream of streams.values()) stream.drop();
    transport.end();
    // What is still on its way is read and dropped: closing over unread bytes would reset the connection, and the
    // peer might lose the last of what it was sent.
    transport.resume();
    const giveUp = clock.after(limits.lingerMs, () => transport.destroy());
    transport.once('close', giveUp);
  }

  const closed = new Promise<void>((resolve) => {
    transport.once('close', () => {
      for (const stream of streams.values()) stream.drop();
      resolve();
    });
  });
  transport.on('error', () => transport.destroy());
  transport.on('data', read);
  transport.once('end', () => hangUp(GO_AWAY.ok));

  return { closed, close: () => void turn.then(() => hangUp(GO_AWAY.ok)) };
}

function drained(transport: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      transport.off('drain', done);
      transport.off('close', done);
      resolve();
    };
    transport.on('drain', done);
    transport.on('close', done);
  });
}
