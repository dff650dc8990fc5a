/**
 * Does something `count` times: once, then twice at once, then four times, and so on while all goes well.
 *
 * What fails for all (a quota, a template that is refused) then fails once or twice instead of hundreds of times. Throws
 * the first failure; what was not begun by then is left for the next look.
 */
export async function slowStart(count: number, action: (index: number) => Promise<void>): Promise<void> {
  for (let begun = 0, batch = 1; begun < count; batch *= 2) {
    const size = Math.min(batch, count - begun);
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => action(begun + index)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    begun += size;
  }
}
