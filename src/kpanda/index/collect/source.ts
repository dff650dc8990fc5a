/**
 * Follows one cluster into the index: finds out which kinds it has, follows each, and says whether it can be reached.
 *
 * A cluster that took another's name is told by the uid of its `kube-system` namespace: then no position of before means
 * anything, and everything is repaired. Sources know nothing of each other; a slow or dead one delays nobody.
 */
import { type Clock, sleep } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import type { ApiResource, KubeClient } from '#kube/client/kube-client.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { backoff, fraction } from '#kube/runtime/backoff.ts';
import type { IndexWriter } from '../store/index-store.ts';
import { chosenKinds, type KindSelection } from './chosen-kinds.ts';
import type { SourceStates } from './source-states.ts';
import { followStream } from './stream.ts';
import { turns } from './turns.ts';

export interface SourceDeps {
  readonly name: string;
  readonly client: KubeClient;
  readonly kinds?: KindSelection;
  readonly writer: IndexWriter;
  readonly states: SourceStates;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The index is another's to write: following it makes no sense any more. */
  lost(error: unknown): void;
}

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const PROBE_MS = 5_000;
const PROBE_WITHIN_MS = 5_000;
const FAILURES = 2;
const DISCOVER_MS = 60_000;
const DISCOVER_SOON_MS = 300;
const LISTS_AT_ONCE = 4;
const WAIT = { minMs: 500, maxMs: 30_000 };

/** Resolves when the signal aborts and everything read is written. */
export async function followSource(deps: SourceDeps): Promise<void> {
  const { name, client, states, clock, ids, signal } = deps;
  const log = deps.log.with({ cluster: name });
  const wait = backoff(WAIT, ids);
  let remembered = false;
  let heardAt = 0;
  let identity = '';
  let reachable = true;
  let failing = false;

  function say(message = ''): void {
    states.say({ name, identity, reachable, heardAt, message });
  }
  function heard(): void {
    heardAt = clock.now();
    if (reachable) say();
  }

  /** The cluster's own name for itself; empty when it has none, and then nothing is known to be the same. */
  async function identify(): Promise<string> {
    try {
      const found = await within(PROBE_WITHIN_MS, (limited) =>
        client.get(NAMESPACES, { name: 'kube-system' }, { signal: limited }),
      );
      return found.metadata.uid ?? '';
    } catch (error) {
      if (hasReason(error, 'NotFound', 'Forbidden')) return '';
      throw error;
    }
  }

  async function within<T>(ms: number, ask: (limited: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const cancel = clock.after(ms, () => limit.abort(new Error(`no answer within ${ms / 1000} s`)));
    try {
      return await ask(AbortSignal.any([signal, limit.signal]));
    } finally {
      cancel();
    }
  }

  /** Resolves when the cluster turns out to be another one. */
  async function probe(over: AbortSignal): Promise<void> {
    let failures = 0;
    while (!over.aborted) {
      await sleep(clock, PROBE_MS * (0.75 + 0.5 * fraction(ids)), over).catch(() => undefined);
      if (over.aborted) return;
      try {
        await within(PROBE_WITHIN_MS, (limited) => alive(client, limited));
        failures = 0;
        const back = !reachable;
        reachable = true;
        heard();
        if (back) log.info('the cluster is reached again');
        if (back && (await identify()) !== identity) return;
      } catch (error) {
        if (over.aborted || ++failures < FAILURES) continue;
        if (reachable) log.warn('the cluster cannot be reached', { error });
        reachable = false;
        say(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** What was known of the cluster before this process. */
  async function remember(): Promise<void> {
    if (remembered) return;
    const known = await deps.writer.source(name);
    heardAt = known?.heardAt ?? 0;
    identity = known?.identity ?? '';
    remembered = true;
  }

  /** Kept before anything of the cluster is: positions mean nothing without it. */
  async function become(found: string): Promise<void> {
    await forgetPositions(deps);
    identity = found;
    await deps.writer.saySources([{ name, identity, reachable, heardAt, message: '' }]);
  }

  /** Everything of the cluster as long as it is the same one. */
  async function followAll(): Promise<void> {
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    const kinds = followKinds({ ...deps, log, signal: until }, heard);
    await probe(until);
    over.abort();
    await kinds;
  }

  while (!signal.aborted) {
    try {
      await remember();
      const found = await identify();
      heardAt = clock.now();
      reachable = true;
      if (found !== identity || found === '') await become(found);
      say();
      wait.reset();
      failing = false;
      await followAll();
    } catch (error) {
      if (signal.aborted) break;
      reachable = false;
      say(error instanceof Error ? error.message : String(error));
      const delay = wait.next();
      log[failing ? 'debug' : 'warn']('the cluster cannot be followed', { error, retryInMs: Math.round(delay) });
      failing = true;
      await sleep(clock, delay, signal).catch(() => undefined);
    }
  }
}

/** Servers before 1.16 have no readyz. */
async function alive(client: KubeClient, signal: AbortSignal): Promise<void> {
  try {
    await client.getText('/readyz', signal);
  } catch (error) {
    if (!hasReason(error, 'NotFound', 'Forbidden', 'Unauthorized')) throw error;
    await client.getText('/version', signal);
  }
}

async function forgetPositions({ writer, name, clock }: SourceDeps): Promise<void> {
  const streams = await writer.streams(name);
  const at = clock.now();
  await writer.commit(
    streams.map(({ cluster, kind, changedAt, message }) => ({
      cluster,
      kind,
      objects: [],
      deleted: [],
      at,
      state: { phase: 'Listing' as const, position: '', changedAt, message },
    })),
  );
}

/** Follows the kinds the cluster has, as they come and go. */
async function followKinds(deps: SourceDeps, heard: () => void): Promise<void> {
  const { name, client, writer, clock, log, signal } = deps;
  const running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  const listing = turns(LISTS_AT_ONCE);
  const positions = new Map((await writer.streams(name)).map(({ kind, position }) => [kind, position]));
  let soon = Promise.withResolvers<void>();

  /** A definition that comes or goes brings or takes a kind. */
  function changed(object: KubeObject): void {
    if (object.kind === 'CustomResourceDefinition' || object.kind === 'APIService') soon.resolve();
  }

  async function start(id: string, resource: ApiResource): Promise<void> {
    const kind = await writer.kind(resource);
    const position = positions.get(kind);
    positions.delete(kind);
    const stop = new AbortController();
    const ended = followStream({
      ...deps,
      cluster: name,
      resource,
      turns: listing,
      heard,
      changed,
      ...(position === undefined ? {} : { position }),
      signal: AbortSignal.any([signal, stop.signal]),
    }).catch((error: unknown) => {
      if (!signal.aborted) deps.lost(error);
    });
    running.set(id, { stop, ended });
  }

  async function leave(id: string): Promise<void> {
    const stream = running.get(id);
    stream?.stop.abort();
    await stream?.ended;
    running.delete(id);
  }

  /** What the index has of kinds that are no more, or no longer chosen. */
  async function forgetOthers(ids: ReadonlySet<number>): Promise<void> {
    for (const { kind } of await writer.streams(name)) {
      if (!ids.has(kind)) await writer.forgetStream({ cluster: name, kind });
    }
  }

  async function look(): Promise<void> {
    const chosen = chosenKinds(await client.discover(), deps.kinds);
    // A server that says it has nothing is not yet itself; what is known of it stays.
    if (chosen.length === 0) return;
    const wanted = new Map(chosen.map((each) => [`${groupResource(each)}/${each.version}`, each]));
    for (const id of running.keys()) if (!wanted.has(id)) await leave(id);
    for (const [id, resource] of wanted) if (!running.has(id)) await start(id, resource);
    await forgetOthers(new Set(await Promise.all(chosen.map((each) => writer.kind(each)))));
  }

  while (!signal.aborted) {
    soon = Promise.withResolvers<void>();
    await look().catch((error: unknown) => {
      if (!signal.aborted) log.warn('the kinds of the cluster cannot be found out', { error });
    });
    const pause = sleep(clock, running.size === 0 ? DISCOVER_SOON_MS * 5 : DISCOVER_MS, signal);
    await Promise.race([pause, soon.promise]).catch(() => undefined);
    await sleep(clock, DISCOVER_SOON_MS, signal).catch(() => undefined);
  }
  await Promise.all([...running.values()].map(({ ended }) => ended));
}
