/** Lets a few work at a time, the others wait for their turn. */
export interface Turns {
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function turns(atOnce: number): Turns {
  let free = atOnce;
  const waiting: (() => void)[] = [];

  return {
    async take(work, signal) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
