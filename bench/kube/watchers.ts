/** Watches that count what they are told, and nothing else. */
import type { TLSSocket } from 'node:tls';
import { open, requestOf, type Target } from './connection.ts';

export interface Watchers {
  /** Resolves when every watcher has been told of `events` changes. */
  told(events: number): Promise<void>;
  close(): void;
}

const NEWLINE = 10;
const BRACE = 125;

export async function watchers(target: Target, path: string, count: number): Promise<Watchers> {
  const sockets: TLSSocket[] = [];
  const counts = Array.from({ length: count }, () => 0);
  let goal = Infinity;
  let behind = 0;
  let reached: PromiseWithResolvers<void> | undefined;

  function counted(watcher: number, events: number): void {
    const before = counts[watcher] ?? 0;
    counts[watcher] = before + events;
    if (before < goal && before + events >= goal && --behind === 0) reached?.resolve();
  }

  for (let i = 0; i < count; i++) {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let last: number | undefined;
    const socket = await open(target, (piece) => {
      if (last === undefined) begin();
      else counted(i, eventsIn(piece, last));
      last = piece.at(-1) ?? 0;
    });
    sockets.push(socket);
    socket.on('close', () => reached?.reject(new Error('a watch was ended')));
    socket.write(requestOf(target, 'GET', path));
    await begun;
  }

  return {
    told(events) {
      goal = events;
      reached = Promise.withResolvers<void>();
      behind = counts.filter((seen) => seen < goal).length;
      if (behind === 0) reached.resolve();
      return reached.promise;
    },
    close() {
      reached = undefined;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** An event ends with `}` and a newline; the newlines of chunked framing follow a carriage return. */
function eventsIn(chunk: Buffer, before: number): number {
  let events = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
    if ((at === 0 ? before : chunk[at - 1]) === BRACE) events += 1;
  }
  return events;
}
