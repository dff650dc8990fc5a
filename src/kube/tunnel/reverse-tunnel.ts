/**
 * Connections against the direction in which a connection was made: whoever dialled in serves, whoever accepted dials.
 *
 * Over one duplex (a WebSocket as a rule) runs HTTP/2 with its roles turned round: the near end opens a CONNECT stream for
 * each connection it wants, the far end takes each as a socket. So many connections share one, each with its own flow
 * control: a log that nobody reads holds up nothing else. What is said on them is no business of this room.
 *
 * Both ends ask each other for a sign of life; an end that gets none gives the tunnel up, so that a link which died
 * without a word is noticed (`PING_MS`, `SILENCE_MS`).
 */
import * as http2 from 'node:http2';
import { Duplex } from 'node:stream';
import { type Clock, systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';

/** Shorter than what any load balancer takes for idle. */
export const PING_MS = 10_000;
export const SILENCE_MS = 30_000;
/** How many connections one tunnel carries at once. */
export const MAX_STREAMS = 1_000;
/** What a connection may have under way before its reader has to take some: enough for a fast link far away. */
const WINDOW_BYTES = 1024 * 1024;
/** Of all connections together: none may use up what another needs, so each has only its own limit. */
const ALL_WINDOWS_BYTES = 2 ** 31 - 1;
/** What may wait to be sent before new connections are refused, in MB. */
const UNSENT_MB = 256;
const OPEN_WITHIN_MS = 15_000;

export interface TunnelOptions {
  readonly clock?: Clock;
  readonly pingMs?: number;
  readonly silenceMs?: number;
  readonly maxStreams?: number;
}

export interface Tunnel {
  /** Aborts when the tunnel is gone; everything on it is gone then too. */
  readonly signal: AbortSignal;
  close(): void;
}

export interface NearEnd extends Tunnel {
  /** Another connection to the far end. Throws `ServiceUnavailable` when there is no way. */
  dial(): Promise<Duplex>;
}

const SETTINGS = { initialWindowSize: WINDOW_BYTES, enablePush: false };
const SESSION = { maxSessionMemory: UNSENT_MB };

/** The end that accepted the link and may dial. */
export function nearEnd(link: Duplex, options: TunnelOptions = {}): NearEnd {
  const session = http2.connect('http://tunnel', { createConnection: () => link, settings: SETTINGS, ...SESSION });
  const tunnel = keepAlive(session, link, options);
  const { maxStreams = MAX_STREAMS, clock = systemClock } = options;
  let open = 0;

  async function dial(): Promise<Duplex> {
    if (tunnel.signal.aborted) throw new StatusError('ServiceUnavailable', 'the tunnel is closed');
    if (open >= maxStreams)
      throw new StatusError('TooManyRequests', `the tunnel carries ${maxStreams} connections already`);
    open += 1;
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'member' });
    stream.once('close', () => (open -= 1));
    return granted(stream, clock);
  }
  return { ...tunnel, dial };
}

function granted(stream: http2.ClientHttp2Stream, clock: Clock): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      reject(new StatusError('ServiceUnavailable', `the far end of the tunnel ${why}`));
      stream.destroy();
    };
    const late = clock.after(OPEN_WITHIN_MS, () => fail(`did not answer within ${OPEN_WITHIN_MS / 1000} s`));
    stream.once('response', ({ ':status': status }) => {
      late();
      if (status === 200) resolve(connectionOver(stream));
      else fail(`answered ${String(status)}`);
    });
    stream.once('close', () => {
      late();
      fail('hung up');
    });
    // Whoever uses the stream hears of its errors by its end; before that, by the rejection.
    stream.on('error', () => undefined);
  });
}

/** The end that dialled in and serves: `accept` gets each connection the other end opens. */
export function farEnd(link: Duplex, accept: (connection: Duplex) => void, options: TunnelOptions = {}): Tunnel {
  const { maxStreams = MAX_STREAMS } = options;
  const settings = { ...SETTINGS, maxConcurrentStreams: maxStreams };
  const session = http2.performServerHandshake(link, { settings, ...SESSION });
  session.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (headers[':method'] !== 'CONNECT') {
      stream.respond({ ':status': 405 }, { endStream: true });
      return;
    }
    stream.respond({ ':status': 200 });
    accept(connectionOver(stream));
  });
  return keepAlive(session, link, options);
}

/**
 * The stream as a connection to which bytes are written, and bytes only: texts that Node's HTTP/2 streams are given may be
 * sent when the memory they were in is already something else's (Node 26.10; the test of bodies is red without this).
 */
function connectionOver(stream: http2.Http2Stream): Duplex {
  const connection = new Duplex({
    read: () => void stream.resume(),
    write: (bytes: Buffer, _encoding, done) => void stream.write(bytes, done),
    final: (done) => void stream.end(done),
    destroy(error, done) {
      stream.destroy();
      done(error);
    },
  });
  stream.on('data', (bytes: Buffer) => {
    if (!connection.push(bytes)) stream.pause();
  });
  stream.on('end', () => connection.push(null));
  stream.on('close', () => connection.destroy());
  stream.on('error', (error) => connection.destroy(error));
  return connection;
}

function keepAlive(session: http2.Http2Session, link: Duplex, options: TunnelOptions): Tunnel {
  const { clock = systemClock, pingMs = PING_MS, silenceMs = SILENCE_MS } = options;
  const gone = new AbortController();
  let heard = clock.now();
  let cancel: () => void = () => undefined;

  function ping(): void {
    if (clock.now() - heard > silenceMs) return close();
    // Refused only when the session is closing, of which its own event tells.
    if (!session.destroyed) session.ping((error) => (heard = error ? heard : clock.now()));
    cancel = clock.after(pingMs, ping);
  }

  function close(): void {
    cancel();
    session.destroy();
    link.destroy();
    gone.abort(new StatusError('ServiceUnavailable', 'the tunnel is closed'));
  }

  // Both: either may be the first to know.
  link.once('close', close);
  session.once('close', close);
  session.on('error', () => undefined);
  const widen = () => session.setLocalWindowSize(ALL_WINDOWS_BYTES);
  if (session.connecting) session.once('connect', widen);
  else widen();
  link.on('error', () => undefined);
  cancel = clock.after(pingMs, ping);
  return { signal: gone.signal, close };
}
