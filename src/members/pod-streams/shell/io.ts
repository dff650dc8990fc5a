/** What simulated programs read from and write to. */
import type { Readable, Writable } from 'node:stream';

/** Input in pieces; undefined is its end. At a terminal there may be more after an end. */
export interface Input {
  next(): Promise<Buffer | undefined>;
}

export const NO_INPUT: Input = { next: () => Promise.resolve(undefined) };

export function inputOf(readable: Readable): Input {
  const chunks: AsyncIterator<Buffer> = readable[Symbol.asyncIterator]();
  return {
    async next() {
      try {
        const { done, value } = await chunks.next();
        return done ? undefined : value;
      } catch {
        // Whoever sent it has gone: that is an end too.
        return undefined;
      }
    },
  };
}

/** Writes and waits until there is room again; to somebody who has gone, nothing. */
export function write(output: Writable, text: string | Buffer): Promise<void> {
  if (output.destroyed || output.writableEnded || text.length === 0) return Promise.resolve();
  if (output.write(text)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      output.off('drain', done);
      output.off('close', done);
      resolve();
    };
    output.on('drain', done);
    output.on('close', done);
  });
}
