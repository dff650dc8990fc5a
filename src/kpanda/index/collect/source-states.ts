/**
 * What is known of each source, written to the index when it matters: at once when a source is lost or found, and its
 * last sign of life every few seconds, all sources in one transaction.
 */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { IndexWriter, SourceState } from '../store/index-store.ts';

export interface SourceStates {
  say(state: SourceState): void;
  forget(name: string): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

const HEARD_EVERY_MS = 5_000;
const GATHER_MS = 100;

export function sourceStates(deps: {
  readonly writer: IndexWriter;
  readonly clock: Clock;
  readonly log: Log;
}): SourceStates {
  const { writer, clock, log } = deps;
  const written = new Map<string, SourceState>();
  const pending = new Map<string, SourceState>();
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  function matters(state: SourceState): boolean {
    const last = pending.get(state.name) ?? written.get(state.name);
    if (!last) return true;
    const changed =
      last.reachable !== state.reachable || last.identity !== state.identity || last.message !== state.message;
    return changed || state.heardAt - last.heardAt >= HEARD_EVERY_MS;
  }

  async function flush(): Promise<void> {
    const states = [...pending.values()];
    pending.clear();
    if (states.length === 0) return;
    try {
      await writer.saySources(states);
      for (const state of states) written.set(state.name, state);
    } catch (error) {
      log.warn('the states of sources cannot be written', { error });
    }
  }

  return {
    say(state) {
      if (!matters(state)) return;
      pending.set(state.name, state);
      cancel ??= clock.after(GATHER_MS, () => {
        cancel = undefined;
        writing = writing.then(flush);
      });
    },
    forget(name) {
      pending.delete(name);
      written.delete(name);
    },
    async close() {
      cancel?.();
      await writing;
      await flush();
    },
  };
}
