/**
 * A store in etcd, with the key layout of Kubernetes, so that several API servers share one state.
 *
 * etcd's own revisions are the store's. One watch over everything feeds all watchers of this process; a write resolves
 * when that watch has told of it, so whoever wrote finds what they wrote. When the watch breaks off it goes on where it
 * was; if etcd has forgotten that, all watchers end with `Expired` and begin anew, as they do with any store.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import { Compare_CompareTarget, KV, type RequestOpSchema, Watch } from '#gen/proto/etcdserverpb/rpc_pb.ts';
import type { KeyValue } from '#gen/proto/mvccpb/kv_pb.ts';
import type { Change, Entry, Listing, Page, Revision, Store } from '../store.ts';
import { checkRevision, StoreConflict, unavailable } from '../store-error.ts';
import { type Replay, watchers } from '../watchers.ts';
import { etcdChanges } from './etcd-changes.ts';
import { failureOf } from './etcd-failure.ts';
import { beginOf, endOf, keyBytes, keyText } from './etcd-keys.ts';

export interface EtcdStoreOptions {
  /** `https://127.0.0.1:2379`, one of etcd's members or what stands before them. */
  readonly endpoint: string;
  /** PEM texts, for an etcd that asks for certificates. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** How long etcd may take to answer. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  readonly log?: Log;
}

type Operation = NonNullable<MessageInitShape<typeof RequestOpSchema>['request']>;

const TIMEOUT_MS = 10_000;
const RETRY_MS = 200;
/** An empty etcd is at this revision. */
const FIRST: Revision = 1;
const IDLE_MS = 15 * 60 * 1000;

export async function etcdStore(options: EtcdStoreOptions): Promise<Store> {
  const { endpoint, clock = systemClock, log = silentLog, timeoutMs = TIMEOUT_MS } = options;
  const sessionManager = new Http2SessionManager(endpoint, { idleConnectionTimeoutMs: IDLE_MS }, options.tls ?? {});
  const transport = createGrpcTransport({ baseUrl: endpoint, sessionManager, defaultTimeoutMs: timeoutMs });
  const [kv, watch] = [createClient(KV, transport), createClient(Watch, transport)];
  const closing = new AbortController();
  let waiting: { readonly revision: Revision; readonly release: () => void }[] = [];
  const underWay = new Set<Promise<unknown>>();

  async function ask<T>(what: string, question: () => Promise<T>): Promise<T> {
    if (closing.signal.aborted) throw unavailable('the store is closed');
    try {
      return await question();
    } catch (error) {
      throw failureOf(error, what, endpoint);
    }
  }

  async function newest(): Promise<Revision> {
    const { header } = await ask('read', () => kv.range({ key: keyBytes('/'), countOnly: true }));
    return Number(header?.revision ?? 0n);
  }

  let published = await newest();
  const watching = watchers({ published: () => published, replay });
  const following = follow();

  /** Tells all watchers of this process what happens in etcd, whoever did it. */
  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        for await (const changes of etcdChanges(watch, published, closing.signal)) publish(changes);
      } catch (error) {
        if (closing.signal.aborted) return;
        if (hasReason(error, 'Expired')) return watching.end(error);
        log.warn('the watch of etcd broke off and goes on', { endpoint, error });
      }
      await sleep(clock, RETRY_MS, closing.signal).catch(() => undefined);
    }
  }

  function publish(changes: readonly Change[]): void {
    published = changes.at(-1)?.revision ?? published;
    watching.publish(changes);
    const ready = waiting.filter(({ revision }) => revision <= published);
    waiting = waiting.filter(({ revision }) => revision > published);
    for (const { release } of ready) release();
  }

  async function replay(prefix: string, from: Revision, limit: number): Promise<Replay> {
    if (from > published) checkRevision(from, 0, await newest());
    await readable(Math.max(from, FIRST));
    const upTo = published;
    if (from >= upTo) return { changes: [], upTo: from };
    const enough = new AbortController();
    const signal = AbortSignal.any([closing.signal, enough.signal]);
    const changes: Change[] = [];
    for await (const batch of etcdChanges(watch, from, signal)) {
      changes.push(...batch.filter(({ key, revision }) => revision <= upTo && key.startsWith(prefix)));
      const reached = batch.at(-1)?.revision ?? 0;
      if (reached < upTo && changes.length < limit) continue;
      enough.abort();
      return { changes, upTo: Math.min(reached, upTo) };
    }
    throw unavailable('the store is closed');
  }

  function seen(revision: Revision): Promise<Revision> {
    if (revision <= published || closing.signal.aborted) return Promise.resolve(revision);
    return new Promise((resolve) => waiting.push({ revision, release: () => resolve(revision) }));
  }

  function guarded(key: string, expected: Revision, operation: Operation): Promise<Revision> {
    const writing = write(key, expected, operation).finally(() => underWay.delete(writing));
    underWay.add(writing);
    return writing;
  }

  /** One operation on a key that is still at the expected revision. */
  async function write(key: string, expected: Revision, operation: Operation): Promise<Revision> {
    const name = keyBytes(key);
    const guard = { key: name, target: Compare_CompareTarget.MOD } as const;
    const compare = [{ ...guard, targetUnion: { case: 'modRevision', value: BigInt(expected) } as const }];
    const look = { case: 'requestRange', value: { key: name, keysOnly: true } } as const;
    const { header, succeeded, responses } = await ask(`write key "${key}"`, () =>
      kv.txn({ compare, success: [{ request: operation }], failure: [{ request: look }] }),
    );
    if (succeeded) return await seen(Number(header?.revision ?? 0n));
    const found = responses[0]?.response;
    const current = found?.case === 'responseRange' ? found.value.kvs[0]?.modRevision : undefined;
    throw new StoreConflict(key, expected, Number(current ?? 0n));
  }

  async function list(prefix: string, { after, limit, at }: Page): Promise<Listing> {
    if (at !== undefined && (await isBeforeAll(at))) return { revision: at, entries: [], more: false };
    const { header, kvs, more } = await ask(`list "${prefix}" at ${at ?? 'the newest revision'}`, () =>
      kv.range({
        key: beginOf(prefix, after),
        rangeEnd: endOf(prefix),
        limit: BigInt(limit ?? 0),
        revision: BigInt(at ?? 0),
      }),
    );
    return { revision: at ?? Number(header?.revision ?? 0n), entries: kvs.map(entryOf), more };
  }

  /** Whether a revision is from before the first write, which etcd would take for the newest; refuses one to come. */
  async function isBeforeAll(at: Revision): Promise<boolean> {
    if (at > published) checkRevision(at, 0, await newest());
    if (at >= FIRST) return false;
    await readable(FIRST);
    return true;
  }

  /** Throws `Expired` for a revision that etcd has forgotten. */
  async function readable(at: Revision): Promise<void> {
    await ask(`read at ${at}`, () => kv.range({ key: keyBytes('/'), countOnly: true, revision: BigInt(at) }));
  }

  /** etcd does not tell how much it has forgotten; a few questions find out. */
  async function compacted(): Promise<Revision> {
    let [forgotten, known] = [0, await newest()];
    while (forgotten < known) {
      const middle = Math.floor((forgotten + known) / 2);
      const isKnown = await readable(Math.max(middle, FIRST)).then(
        () => true,
        (error: unknown) => {
          if (hasReason(error, 'Expired')) return false;
          throw error;
        },
      );
      if (isKnown) known = middle;
      else forgotten = middle + 1;
    }
    return known;
  }

  return {
    revision: newest,
    async get(key, at) {
      if (at !== undefined && (await isBeforeAll(at))) return undefined;
      const { kvs } = await ask(`read key "${key}" at ${at ?? 'the newest revision'}`, () =>
        kv.range({ key: keyBytes(key), revision: BigInt(at ?? 0) }),
      );
      return kvs[0] && entryOf(kvs[0]);
    },
    list: (prefix, page = {}) => list(prefix, page),
    put: (key, value, expected) =>
      guarded(key, expected, { case: 'requestPut', value: { key: keyBytes(key), value: owned(value) } }),
    async delete(key, expected) {
      // Absent is what etcd would take as being at revision 0.
      const impossible = expected === 0 ? -1 : expected;
      try {
        return await guarded(key, impossible, { case: 'requestDeleteRange', value: { key: keyBytes(key) } });
      } catch (error) {
        if (!(error instanceof StoreConflict)) throw error;
        throw new StoreConflict(key, expected, error.conflictingRevision);
      }
    },
    watch: (prefix, from, signal) => watching.watch(prefix, from, signal),
    async compact(before) {
      checkRevision(before, 0, await newest());
      if (before <= (await compacted())) return;
      await ask(`compact up to ${before}`, () => kv.compact({ revision: BigInt(before), physical: true }));
    },
    compacted,
    async close() {
      await Promise.allSettled(underWay);
      closing.abort();
      watching.end();
      for (const { release } of waiting) release();
      await following;
      sessionManager.abort();
    },
  };
}

function entryOf({ key, value, modRevision }: KeyValue): Entry {
  return { key: keyText(key), value, revision: Number(modRevision) };
}

/** A view of a larger buffer is sent as the part it shows. */
function owned(value: Uint8Array): Uint8Array<ArrayBuffer> {
  return value.buffer instanceof ArrayBuffer ? (value as Uint8Array<ArrayBuffer>) : new Uint8Array(value);
}
