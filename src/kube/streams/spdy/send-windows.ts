/**
 * How much may be sent on each stream and on the connection as a whole.
 *
 * The SPDY peers of Kubernetes neither announce windows nor keep to them: waiting for a window of theirs would be
 * waiting for ever. So windows are counted from the first byte, but kept only once the peer has shown, with a setting
 * or an update, that it counts too. Until then the transport alone holds back a fast sender.
 */
import { INITIAL_WINDOW, MAX_WINDOW } from './frame.ts';

export interface SendWindows {
  open(stream: number): void;
  close(stream: number): void;
  /** Waits until something may be sent, and answers how much of `wanted`; 0 when the stream is no more. */
  take(stream: number, wanted: number): Promise<number>;
  /** False when the window would outgrow what the protocol can count. Stream 0 is the connection. */
  grow(stream: number, delta: number): boolean;
  /** The peer's wish for the window that streams begin with; it moves the windows of open streams too. */
  setInitial(size: number): void;
}

export function sendWindows(): SendWindows {
  const windows = new Map<number, number>();
  let connection = INITIAL_WINDOW;
  let initial = INITIAL_WINDOW;
  let kept = false;
  let wakers: (() => void)[] = [];

  function changed(): void {
    const waiting = wakers;
    wakers = [];
    for (const wake of waiting) wake();
  }

  return {
    open: (stream) => void windows.set(stream, initial),
    close(stream) {
      windows.delete(stream);
      changed();
    },
    async take(stream, wanted) {
      for (;;) {
        const window = windows.get(stream);
        if (window === undefined) return 0;
        const allowed = kept ? Math.min(wanted, window, connection) : wanted;
        if (allowed > 0) {
          windows.set(stream, window - allowed);
          connection -= allowed;
          return allowed;
        }
        await new Promise<void>((wake) => wakers.push(wake));
      }
    },
    grow(stream, delta) {
      kept = true;
      const window = stream === 0 ? connection : windows.get(stream);
      if (window === undefined) return true;
      if (window + delta > MAX_WINDOW) return false;
      if (stream === 0) connection += delta;
      else windows.set(stream, window + delta);
      changed();
      return true;
    },
    setInitial(size) {
      kept = true;
      for (const [stream, window] of windows) windows.set(stream, window + size - initial);
      initial = size;
      changed();
    },
  };
}
