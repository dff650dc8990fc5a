/**
 * The receiving side, for products: verifies a message, applies it to a mirror, and notices when one was lost.
 *
 * A forged, changed or old message is refused with `Unauthorized` and changes nothing. A repeated one is answered like
 * the first. After a gap in the sequence, and every now and then without one, the mirror is compared with the truth.
 */
import { type Clock, sleep } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { decodeEvent } from './binding-event.ts';
import type { BindingMirror, Truth } from './binding-mirror.ts';
import { requireSigned, type SignatureHeaders } from './signature.ts';

export const RESYNC_EVERY_MS = 5 * 60_000;

export interface Receiver {
  /** Once this resolves the message may be acknowledged. */
  receive(message: { readonly headers: SignatureHeaders; readonly body: string }): Promise<'applied' | 'known already'>;
  /** Compares with the truth at once, then regularly and after gaps, until the signal aborts. */
  keepInSync(signal: AbortSignal): Promise<void>;
}

export interface ReceiverDeps {
  /** All keys that are valid now. */
  readonly keys: () => readonly string[];
  readonly mirror: BindingMirror;
  /** Every kind with all its objects. */
  readonly truth: () => Promise<readonly Truth[]>;
  readonly clock: Clock;
  readonly log: Log;
}

export function receiver({ keys, mirror, truth, clock, log }: ReceiverDeps): Receiver {
  let last: number | undefined;
  let wake = () => {};

  async function resync(): Promise<void> {
    let repaired = 0;
    for (const one of await truth()) repaired += await mirror.resync(one);
    if (repaired > 0) log.info('bindings were repaired by a resync', { repaired });
  }

  function noticeGap(sequence: number): void {
    if (last !== undefined && sequence > last + 1) wake();
    last = Math.max(last ?? 0, sequence);
  }

  return {
    async receive({ headers, body }) {
      requireSigned(keys(), { headers, body, now: clock.now() });
      const event = decodeEvent(body);
      const outcome = await mirror.apply(event);
      noticeGap(event.sequence);
      return outcome;
    },
    async keepInSync(signal) {
      while (!signal.aborted) {
        const gap = new Promise<void>((resolve) => {
          wake = resolve;
        });
        try {
          await resync();
          await Promise.race([sleep(clock, RESYNC_EVERY_MS, signal), gap]);
        } catch (error) {
          if (signal.aborted) return;
          log.warn('the bindings could not be compared', { error });
          await sleep(clock, 1_000, signal).catch(() => undefined);
        }
      }
    },
  };
}
