/**
 * One stream of a SPDY connection, as a duplex of bytes.
 *
 * What arrives is queued until it is read, and credited to the peer when it is; a queue beyond its limit asks the
 * connection to wait. Ending the duplex half-closes the stream, destroying it resets it.
 */
import { Duplex } from 'node:stream';
import type { Headers } from './frame.ts';

export interface SpdyStream {
  readonly id: number;
  readonly headers: Headers;
  readonly duplex: Duplex;
}

/** What the connection does for its stream. */
export interface StreamLink {
  send(bytes: Buffer, fin: boolean): Promise<void>;
  /** So many bytes have been read, or will never be. */
  credit(bytes: number): void;
  /** The stream is over; the peer is to be told when it does not know. */
  gone(untold: boolean): void;
}

export interface OpenStream extends SpdyStream {
  /** Takes what has arrived; answers a promise for more room when there is none left. */
  receive(bytes: Buffer, fin: boolean): Promise<void> | undefined;
  /** Ends the stream without a word to the peer, which reset it or is gone itself. */
  drop(): void;
}

/** Pieces handed to a reader ahead of its asking; the rest waits in the queue, where it is counted. */
const READ_AHEAD = 16 * 1024;

export function spdyStream(id: number, headers: Headers, link: StreamLink, bufferBytes: number): OpenStream {
  const queue: Buffer[] = [];
  let queued = 0;
  let wanted = false;
  let serving = false;
  let told = false;
  const ended = { remote: false, local: false };
  let room: PromiseWithResolvers<void> | undefined;

  function makeRoom(): void {
    room?.resolve();
    room = undefined;
  }

  function serve(): void {
    if (serving) return;
    serving = true;
    while (wanted) {
      const next = queue.shift();
      if (next) {
        queued -= next.length;
        wanted = duplex.push(next);
        link.credit(next.length);
      } else {
        if (ended.remote) duplex.push(null);
        wanted = wanted && !ended.remote;
        break;
      }
    }
    serving = false;
    if (queued <= bufferBytes) makeRoom();
  }

  const duplex = new Duplex({
    readableHighWaterMark: READ_AHEAD,
    read() {
      wanted = true;
      serve();
    },
    write: (chunk: Buffer, _encoding, done) => void link.send(chunk, false).then(() => done(), done),
    final(done) {
      ended.local = true;
      link.send(Buffer.alloc(0), true).then(() => done(), done);
    },
    destroy(error, done) {
      link.credit(queued);
      queued = 0;
      queue.length = 0;
      makeRoom();
      link.gone(!told && !(ended.remote && ended.local));
      done(error);
    },
  });
  // A stream that breaks is told of by its end; those who use it listen for themselves.
  duplex.on('error', () => undefined);

  return {
    id,
    headers,
    duplex,
    receive(bytes, fin) {
      if (duplex.destroyed || ended.remote) {
        link.credit(bytes.length);
        return undefined;
      }
      ended.remote = fin;
      if (bytes.length > 0) {
        queue.push(bytes);
        queued += bytes.length;
      }
      serve();
      if (queued <= bufferBytes) return undefined;
      room ??= Promise.withResolvers<void>();
      return room.promise;
    },
    drop() {
      told = true;
      duplex.destroy();
    },
  };
}
