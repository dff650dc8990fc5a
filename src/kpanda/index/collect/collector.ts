/**
 * Fills the index from any number of clusters, each followed for itself. Start at {@link indexCollector}.
 *
 * There is one collector for an index at a time: whoever makes a writer takes the index over, and the collector of the
 * writer before ends with `lost`.
 */
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { IndexWriter } from '../store/index-store.ts';
import type { KindSelection } from './chosen-kinds.ts';
import { followSource } from './source.ts';
import { sourceStates } from './source-states.ts';

export interface Collector {
  /** Begins to follow a cluster, or goes on with another client or other kinds. */
  follow(name: string, client: KubeClient, kinds?: KindSelection): Promise<void>;
  /** Stops following it; what is indexed stays. */
  leave(name: string): Promise<void>;
  /** Stops following it and removes everything of it. */
  forget(name: string): Promise<void>;
  followed(): readonly string[];
  /** Ends with everything read written. */
  close(): Promise<void>;
  /** Aborts when another process has taken the index over. */
  readonly lost: AbortSignal;
}

export interface CollectorDeps {
  readonly writer: IndexWriter;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
}

const TOMBSTONES = 50_000;
const PRUNE_MS = 60_000;

export function indexCollector(deps: CollectorDeps): Collector {
  const { writer, clock = systemClock, ids = randomIds, log = silentLog } = deps;
  const states = sourceStates({ writer, clock, log });
  const closing = new AbortController();
  const lost = new AbortController();
  const running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  const pruning = pruneRegularly();

  async function pruneRegularly(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(clock, PRUNE_MS, closing.signal).catch(() => undefined);
      if (closing.signal.aborted) return;
      await writer.prune(TOMBSTONES).catch((error: unknown) => log.warn('tombstones cannot be removed', { error }));
    }
  }

  async function leave(name: string): Promise<void> {
    const source = running.get(name);
    running.delete(name);
    source?.stop.abort();
    await source?.ended;
  }

  return {
    async follow(name, client, kinds) {
      await leave(name);
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, closing.signal, lost.signal]);
      const ended = followSource({
        name,
        client,
        ...(kinds ? { kinds } : {}),
        writer,
        states,
        clock,
        ids,
        log,
        signal,
        lost: (error) => lost.abort(error),
      }).catch((error: unknown) => log.error('a cluster is followed no more', { cluster: name, error }));
      running.set(name, { stop, ended });
    },
    leave,
    async forget(name) {
      await leave(name);
      states.forget(name);
      await writer.forgetSource(name);
    },
    followed: () => [...running.keys()],
    async close() {
      closing.abort();
      await Promise.all([pruning, ...[...running.values()].map(({ ended }) => ended)]);
      if (!lost.signal.aborted) await states.close();
    },
    lost: lost.signal,
  };
}
