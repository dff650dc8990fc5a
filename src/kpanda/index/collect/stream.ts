/**
 * Follows one kind of one cluster into the index, through everything that can happen to a watch, a server or a process.
 *
 * It goes on from the position that was committed with the last change, where the server still knows it; else the kind
 * is listed and the index repaired by difference: only what differs is written, and what is no more is removed. Changes
 * wait for their commit in a bounded buffer, one per object; when it is full nothing more is read. A position is never
 * further than what is committed, so nothing that happens in between can lose a change.
 */
import { type Clock, sleep } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import type { ApiResource, KubeClient } from '#kube/client/kube-client.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import type { KubeObject, WatchEvent } from '#kube/meta/object.ts';
import { backoff, fraction } from '#kube/runtime/backoff.ts';
import { indexedObject, revisionNumber } from '../indexed-object.ts';
import type { IndexWriter, StreamBatch, StreamKey, StreamState } from '../store/index-store.ts';
import type { Turns } from './turns.ts';

export interface StreamDeps {
  readonly cluster: string;
  readonly resource: ApiResource;
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly writer: IndexWriter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Whose turn it is to list: a cluster's kinds are not all listed at once. */
  readonly turns: Turns;
  /** Where to go on; absent when that is not known. */
  readonly position?: string;
  readonly signal: AbortSignal;
  /** Something was heard of the server. */
  heard(): void;
  changed?(object: KubeObject): void;
}

const PAGE = 500;
const SWEEP = 1_000;
/** So many changes are waited for at most; then the server waits. */
const PENDING = 1_000;
/** How long changes are gathered for one commit. */
const GATHER_MS = 10;
const WAIT = { minMs: 200, maxMs: 30_000 };
const COMMIT_WAIT = { minMs: 100, maxMs: 5_000 };
const WATCH_SECONDS = { min: 300, max: 600 };
const GONE = Number.MAX_SAFE_INTEGER;

/** Resolves when the signal aborts; rejects only when the index is another's to write. */
export async function followStream(deps: StreamDeps): Promise<void> {
  const { cluster, resource, client, writer, clock, ids, turns, signal } = deps;
  const log = deps.log.with({ cluster, resource: groupResource(resource) });
  const key: StreamKey = { cluster, kind: await writer.kind(resource) };
  const wait = backoff(WAIT, ids);
  let position = deps.position === '' ? undefined : deps.position;
  let changedAt = 0;
  let failing = false;
  let pages = true;

  const state = (phase: StreamState['phase'], message = ''): NonNullable<StreamBatch['state']> => ({
    phase,
    position: position ?? '',
    changedAt,
    message,
  });

  /** Waits for a database that is away; what was read must not be lost. */
  async function commit(batch: Omit<StreamBatch, keyof StreamKey | 'at'>): Promise<void> {
    const again = backoff(COMMIT_WAIT, ids);
    for (;;) {
      try {
        return await writer.commit([{ ...key, ...batch, at: clock.now() }]);
      } catch (error) {
        if (signal.aborted || !hasReason(error, 'ServiceUnavailable', 'Timeout')) throw error;
        log.warn('the index cannot be written', { error });
        await sleep(clock, again.next(), signal);
      }
    }
  }

  async function listPage(next: string | undefined) {
    const options = { ...(pages ? { limit: PAGE } : {}), ...(next === undefined ? {} : { continue: next }), signal };
    return client.list(resource, options).catch((error: unknown) => {
      // Pages that expire before they are all fetched would expire again.
      if (next !== undefined && hasReason(error, 'Expired', 'Gone')) pages = false;
      throw error;
    });
  }

  /** Writes what differs on a page; gives the ids of what does not. */
  async function repairPage(items: readonly KubeObject[]): Promise<readonly number[]> {
    const keys = items.map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name }));
    const known = new Map((await writer.known(key, keys)).map((each) => [`${each.namespace}/${each.name}`, each]));
    const unchanged: number[] = [];
    const changed = items.filter(({ metadata }) => {
      const row = known.get(`${metadata.namespace ?? ''}/${metadata.name}`);
      const rv = revisionNumber(metadata.resourceVersion);
      if (!row || row.uid !== (metadata.uid ?? '') || row.rv !== rv || rv === 0) return true;
      unchanged.push(row.id);
      return false;
    });
    for (const object of changed) deps.changed?.(object);
    if (changed.length > 0) {
      const objects = changed.map((object) => indexedObject(cluster, typed(object, resource)));
      await commit({ objects, deleted: [], repair: true });
    }
    return unchanged;
  }

  async function repair(): Promise<void> {
    const before = await writer.revision();
    await commit({ objects: [], deleted: [], state: state('Listing') });
    const unchanged: number[] = [];
    let page = await listPage(undefined);
    for (;;) {
      deps.heard();
      for (const id of await repairPage(page.items)) unchanged.push(id);
      const next = page.metadata.continue;
      if (!next) break;
      page = await listPage(next);
    }
    for (;;) {
      const rest = await writer.others(key, before, unchanged, SWEEP);
      if (rest.length === 0) break;
      await commit({ objects: [], deleted: rest.map((each) => ({ ...each, rv: GONE })) });
    }
    position = page.metadata.resourceVersion;
    changedAt = clock.now();
    await commit({ objects: [], deleted: [], state: state('Following') });
  }

  async function follow(): Promise<void> {
    const started = clock.now();
    const over = new AbortController();
    const timeoutSeconds = Math.round(WATCH_SECONDS.min + fraction(ids) * (WATCH_SECONDS.max - WATCH_SECONDS.min));
    const buffer = changeBuffer(async (changes, reached) => {
      position = reached;
      if (changes.length > 0) changedAt = clock.now();
      await commit({ ...batchOf(changes, cluster, resource), state: state('Following') });
    }, clock);
    const options = {
      resourceVersion: position ?? '',
      allowWatchBookmarks: true,
      timeoutSeconds,
      signal: AbortSignal.any([signal, over.signal]),
    };
    try {
      for await (const event of client.watch(resource, options)) {
        deps.heard();
        if (failing) await recovered();
        wait.reset();
        if (event.type !== 'BOOKMARK') deps.changed?.(event.object);
        await buffer.take(event);
      }
    } finally {
      over.abort();
      await buffer.empty();
    }
    if (!signal.aborted && clock.now() - started < 1000)
      throw new StatusError('ServiceUnavailable', 'the watch ended at once');
  }

  async function recovered(): Promise<void> {
    failing = false;
    log.debug('the kind is followed again');
    await commit({ objects: [], deleted: [], state: state('Following') });
  }

  async function failed(error: unknown): Promise<void> {
    if (isUnknownPosition(error)) position = undefined;
    const delay = wait.next();
    if (!failing) {
      // A server that is away is told of once, for all of its kinds.
      const level = hasReason(error, 'ServiceUnavailable', 'Timeout') ? 'debug' : 'warn';
      log[level]('the kind cannot be followed', { error, retryInMs: Math.round(delay) });
      await commit({ objects: [], deleted: [], state: state('Failing', messageOf(error)) });
    }
    failing = true;
    await sleep(clock, delay, signal).catch(() => undefined);
  }

  while (!signal.aborted) {
    try {
      if (position === undefined) await turns.take(repair, signal);
      failing = false;
      await follow();
    } catch (error) {
      if (signal.aborted) return;
      // Somebody else writes the index now: there is nothing left to do here.
      if (hasReason(error, 'Conflict')) throw error;
      await failed(error);
    }
  }
}

/** Too old for the server, or of a server with another history: one restored from a backup is behind us. */
function isUnknownPosition(error: unknown): boolean {
  if (hasReason(error, 'Expired', 'Gone', 'Invalid', 'BadRequest')) return true;
  const causes = hasReason(error, 'Timeout') ? (error.details?.causes ?? []) : [];
  return causes.some(({ reason }) => reason === 'ResourceVersionTooLarge');
}

/** Items of a list need not say what they are. */
function typed(object: KubeObject, { group, version, kind }: ApiResource): KubeObject {
  if (object.kind) return object;
  return { ...object, apiVersion: group === '' ? version : `${group}/${version}`, kind };
}

function batchOf(changes: readonly WatchEvent[], cluster: string, resource: ApiResource) {
  const kept = changes.filter(({ type }) => type !== 'DELETED');
  const gone = changes.filter(({ type }) => type === 'DELETED');
  return {
    objects: kept.map(({ object }) => indexedObject(cluster, typed(object, resource))),
    deleted: gone.map(({ object: { metadata } }) => ({
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      rv: revisionNumber(metadata.resourceVersion),
    })),
  };
}

/** The last change of each object, handed on together, in turn, with how far they reach. */
function changeBuffer(flush: (changes: readonly WatchEvent[], reached: string) => Promise<void>, clock: Clock) {
  let pending = new Map<string, WatchEvent>();
  let reached: string | undefined;
  let flushing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  async function run(): Promise<void> {
    await sleep(clock, GATHER_MS);
    while (reached !== undefined) {
      if (failure) break;
      const changes = pending;
      const until = reached;
      pending = new Map();
      reached = undefined;
      await flush([...changes.values()], until).catch((error: unknown) => {
        failure = { error };
      });
    }
    flushing = undefined;
  }

  return {
    async take(event: WatchEvent): Promise<void> {
      const { metadata } = event.object;
      reached = metadata.resourceVersion ?? reached;
      if (event.type !== 'BOOKMARK') pending.set(`${metadata.namespace ?? ''}/${metadata.name}`, event);
      flushing ??= run();
      if (pending.size >= PENDING) await flushing;
      if (failure) throw failure.error;
    },
    /** Until everything taken is written. */
    async empty(): Promise<void> {
      await flushing;
      if (failure) throw failure.error;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
