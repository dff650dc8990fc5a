import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';

/** Ids that sort by the time they were made, and within one process by their order, even if the clock is set back. */
export function growingIds(clock: Clock): () => string {
  let last = 0;
  let count = 0;
  return () => {
    const now = clock.now();
    count = now > last ? 0 : count + 1;
    last = Math.max(last, now);
    const random = randomBytes(5).toString('hex');
    return `${last.toString(36).padStart(9, '0')}-${count.toString(36).padStart(4, '0')}-${random}`;
  };
}
