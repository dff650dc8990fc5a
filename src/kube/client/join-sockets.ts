/**
 * Two connections as one: what either end says the other hears, to the last byte, and both end together.
 *
 * An end is passed on as an end, so that what is still on its way arrives; only a connection that broke breaks the other.
 */
import type { Duplex } from 'node:stream';
import { type Clock, systemClock } from '#base/clock.ts';

/** How long the one end may take to hang up after the other has. */
const LINGER_MS = 5_000;

/** Resolves when both are closed. */
export async function joinSockets(
  a: Duplex,
  b: Duplex,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Promise<void> {
  await Promise.all([passOn(a, b, clock), passOn(b, a, clock)]);
}

function passOn(from: Duplex, to: Duplex, clock: Clock): Promise<void> {
  from.pipe(to);
  from.on('error', () => to.destroy());
  const closed = () => {
    if (!from.readableEnded) to.destroy();
    if (!to.destroyed)
      to.once(
        'close',
        clock.after(LINGER_MS, () => to.destroy()),
      );
  };
  return new Promise((resolve) => {
    const over = () => {
      closed();
      resolve();
    };
    if (from.destroyed) over();
    else from.once('close', over);
  });
}
