/**
 * Several streams in one WebSocket: the first byte of every message is the number of its channel.
 *
 * In `base64` all messages are text, for those who cannot read bytes: the channel is a digit, the rest base64. With
 * `closeable`, message 255 ends one channel and leaves the others open. A channel that is not read holds back the
 * whole socket once its buffer is full.
 */
import { Readable, Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { StreamLimits } from '../limits.ts';

export interface ChannelFormat {
  readonly base64: boolean;
  readonly closeable: boolean;
}

export interface ChannelSocket {
  /** What arrives on a channel. Channels that nobody asked for are not kept. */
  input(channel: number): Readable;
  output(channel: number): Writable;
  close(): void;
  /** Resolves when the socket is gone. */
  readonly closed: Promise<void>;
}

const CLOSE = 255;
const PROTOCOL_ERROR = 1002;
const DIGIT_ZERO = 48;

export function channelSocket(
  socket: WebSocket,
  { base64, closeable }: ChannelFormat,
  { limits, onData }: { limits: StreamLimits; onData: () => void },
): ChannelSocket {
  const inputs = new Map<number, Readable>();
  const full = new Set<number>();

  function receive(message: Buffer): void {
    const [first] = message;
    if (first === undefined) return;
    onData();
    if (closeable && first === CLOSE) return endChannel(message);
    const channel = base64 ? first - DIGIT_ZERO : first;
    const rest = message.subarray(1);
    const bytes = base64 ? Buffer.from(rest.toString('latin1'), 'base64') : rest;
    const input = inputs.get(channel);
    if (!input || input.destroyed || input.readableEnded || bytes.length === 0 || input.push(bytes)) return;
    full.add(channel);
    socket.pause();
  }

  function endChannel(message: Buffer): void {
    const channel = message[1];
    if (message.length !== 2 || channel === undefined) return socket.close(PROTOCOL_ERROR);
    inputs.get(channel)?.push(null);
    // What comes after its end is not kept.
    inputs.delete(channel);
  }

  function roomIn(channel: number): void {
    if (full.delete(channel) && full.size === 0) socket.resume();
  }

  socket.on('message', (data: Buffer) => receive(data));
  socket.on('error', () => socket.terminate());
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      for (const input of inputs.values()) input.destroy();
      resolve();
    });
  });

  return {
    closed,
    close: () => socket.close(1000),
    input(channel) {
      const input = new Readable({
        highWaterMark: limits.streamBufferBytes,
        read: () => roomIn(channel),
        destroy(error, done) {
          roomIn(channel);
          done(error);
        },
      });
      input.on('error', () => undefined);
      inputs.set(channel, input);
      return input;
    },
    output(channel) {
      const frame = (bytes: Buffer) =>
        base64 ? `${channel}${bytes.toString('base64')}` : Buffer.concat([Buffer.from([channel]), bytes]);
      const output = new Writable({
        write(bytes: Buffer, _encoding, done) {
          onData();
          socket.send(frame(bytes), (error) => done(error));
        },
      });
      output.on('error', () => undefined);
      return output;
    },
  };
}
