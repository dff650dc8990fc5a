/**
 * Deletes what has lost its owners, and does for owners on their way out what their deleter asked for.
 *
 * Background: dependents of an owner that is gone are deleted. Foreground: an owner marked `foregroundDeletion` waits
 * until its blocking dependents are gone. Orphan: an owner marked `orphan` is taken out of its dependents' references
 * first. All resources the server serves are followed, new ones as they come. That an owner is gone is never concluded
 * from not having seen it: the server is asked.
 */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Gvr, groupResource } from '#kube/meta/gvk.ts';
import type { KubeObject, OwnerReference } from '#kube/meta/object.ts';
import { queue } from '#kube/runtime/queue.ts';
import type { ApiServer } from '../api-server.ts';
import { type Node, ownerGraph, ownersOf } from './owner-graph.ts';
import { type ResourceMap, resourceMap } from './resource-map.ts';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
const AT_ONCE = 20;
const DISCOVER_MS = 30_000;
const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' } as const;

export interface GarbageCollectorDeps {
  readonly client: KubeClient;
  /** The client's own: every write of everybody is told, so that following must cost next to nothing. */
  readonly server: Pick<ApiServer, 'observe'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Runs until the signal aborts. */
export async function collectGarbage(deps: GarbageCollectorDeps, signal: AbortSignal): Promise<void> {
  const { client, server, clock, log } = deps;
  const graph = ownerGraph();
  const followed = new Map<string, () => void>();
  let resources: ResourceMap = resourceMap([]);
  let working = 0;
  const pending = queue({ clock, onReady: work });

  function work(): void {
    while (working < AT_ONCE) {
      const uid = pending.take();
      if (uid === undefined) return;
      working++;
      void attempt(uid)
        .then(() => pending.forget(uid))
        .catch((error: unknown) => {
          // Somebody else wrote to it meanwhile: the next attempt sees what they wrote.
          const level = hasReason(error, 'Conflict') ? 'debug' : 'warn';
          if (!signal.aborted) log[level]('an object cannot be collected yet', { uid, error });
          pending.retry(uid);
        })
        .finally(() => {
          working--;
          pending.done(uid);
          work();
        });
    }
  }

  function seen(node: Node): void {
    graph.put(node);
    const { object } = node;
    if (ownersOf(object).length > 0 || isEnding(object)) pending.add(object.metadata.uid ?? '');
    if (isEnding(object))
      for (const { object: dependent } of graph.dependents(object.metadata.uid ?? '')) wake(dependent);
  }

  function gone(object: KubeObject): void {
    graph.remove(object);
    for (const { object: dependent } of graph.dependents(object.metadata.uid ?? '')) wake(dependent);
    for (const owner of ownersOf(object)) if (isEnding(graph.get(owner.uid)?.object)) pending.add(owner.uid);
  }

  function wake({ metadata }: KubeObject): void {
    if (metadata.uid) pending.add(metadata.uid);
  }

  async function attempt(uid: string): Promise<void> {
    const node = graph.get(uid);
    if (!node || signal.aborted) return;
    const { finalizers = [], deletionTimestamp } = node.object.metadata;
    if (deletionTimestamp && finalizers.includes(ORPHAN)) return orphan(node);
    if (deletionTimestamp && finalizers.includes(FOREGROUND)) return foreground(node);
    if (!deletionTimestamp && ownersOf(node.object).length > 0) await judge(node);
  }

  async function orphan(node: Node): Promise<void> {
    const { uid = '' } = node.object.metadata;
    await Promise.all(graph.dependents(uid).map((dependent) => disown(dependent, new Set([uid]))));
    await dropFinalizer(node, ORPHAN);
  }

  /** Dependents that block are deleted; without any left, the owner may go. */
  async function foreground(node: Node): Promise<void> {
    const { uid = '' } = node.object.metadata;
    const blocking = graph
      .dependents(uid)
      .filter(({ object }) => ownersOf(object).some((owner) => owner.uid === uid && owner.blockOwnerDeletion));
    if (blocking.length > 0) for (const { object } of blocking) wake(object);
    else await dropFinalizer(node, FOREGROUND);
  }

  /** Sorts the owners of an object into those that hold it, those on their way out and those that are gone. */
  async function judge(node: Node): Promise<void> {
    const lost = new Set<string>();
    const ending = new Set<string>();
    let held = false;
    for (const owner of ownersOf(node.object)) {
      const found = await ownerOf(node.object, owner);
      if (found === 'gone') lost.add(owner.uid);
      else if (found !== 'unknown' && isForeground(found)) ending.add(owner.uid);
      else held = true;
    }
    if (lost.size + ending.size === 0) return;
    if (held) return disown(node, new Set([...lost, ...ending]));
    const holdsOn = graph.dependents(node.object.metadata.uid ?? '').length > 0;
    await remove(node, ending.size > 0 && holdsOn ? 'Foreground' : policyOf(node.object));
  }

  /** An owner not seen here may still exist; a kind that is not served cannot be asked for. */
  async function ownerOf(dependent: KubeObject, owner: OwnerReference): Promise<KubeObject | 'gone' | 'unknown'> {
    const known = graph.get(owner.uid);
    if (known) return known.object;
    const resource = resources.ofKind(owner.apiVersion, owner.kind);
    if (!resource) return 'unknown';
    const { namespace } = dependent.metadata;
    const key = resource.namespaced && namespace !== undefined ? { namespace, name: owner.name } : { name: owner.name };
    const found = await client.get(resource, key, { signal }).catch(ifGone);
    return found?.metadata.uid === owner.uid ? found : 'gone';
  }

  async function remove(
    { gvr, object }: Node,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<void> {
    const { namespace, name, uid, resourceVersion } = object.metadata;
    const key = namespace === undefined ? { name } : { namespace, name };
    const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
    await client.delete(gvr, key, { propagationPolicy, preconditions }).catch((error: unknown) => {
      // Changed since: its change wakes it again.
      if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
    });
  }

  /** Takes owners out of an object's references. */
  async function disown({ gvr, object }: Node, owners: ReadonlySet<string>): Promise<void> {
    const { namespace, name, resourceVersion } = object.metadata;
    const ownerReferences = ownersOf(object).filter((owner) => !owners.has(owner.uid));
    if (ownerReferences.length === ownersOf(object).length) return;
    const key = namespace === undefined ? { name } : { namespace, name };
    const body = {
      metadata: { resourceVersion, ownerReferences: ownerReferences.length > 0 ? ownerReferences : null },
    };
    await client.patch(gvr, key, { type: 'merge', body }).catch(ifGone);
  }

  async function dropFinalizer({ gvr, object }: Node, finalizer: string): Promise<void> {
    const { namespace, name, resourceVersion, finalizers = [] } = object.metadata;
    const key = namespace === undefined ? { name } : { namespace, name };
    const left = finalizers.filter((one) => one !== finalizer);
    const body = { metadata: { resourceVersion, finalizers: left.length > 0 ? left : null } };
    await client.patch(gvr, key, { type: 'merge', body }).catch(ifGone);
  }

  async function discover(): Promise<void> {
    resources = resourceMap(await client.discover());
    const wanted = new Map(resources.collectable().map((resource) => [groupResource(resource), resource]));
    for (const [id, stop] of followed) {
      if (wanted.has(id)) continue;
      stop();
      followed.delete(id);
    }
    for (const [id, resource] of wanted) if (!followed.has(id)) followed.set(id, follow(resource));
  }

  function follow(gvr: Gvr): () => void {
    // What a new CRD defines is followed as soon as it is served.
    const defines = gvr.resource === CRDS.resource && gvr.group === CRDS.group;
    return server.observe(gvr, (before, after) => {
      if (after) seen({ gvr, object: after });
      else if (before) gone(before);
      if (defines) discoverSoon();
    });
  }

  let soon: (() => void) | undefined;
  function discoverSoon(ms = 50): void {
    soon?.();
    soon = clock.after(ms, () => {
      discover()
        .catch((error: unknown) => log.warn('the resources cannot be discovered', { error }))
        .finally(() => !signal.aborted && discoverSoon(DISCOVER_MS));
    });
  }

  discoverSoon(0);
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  soon?.();
  for (const stop of followed.values()) stop();
  pending.close();
}

function isForeground({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(FOREGROUND);
}

/** Marked by its deleter with something the collector has to do first. */
function isEnding(object: KubeObject | undefined): boolean {
  const { deletionTimestamp, finalizers = [] } = object?.metadata ?? { name: '' };
  return deletionTimestamp !== undefined && (finalizers.includes(ORPHAN) || finalizers.includes(FOREGROUND));
}

/** What an object's own finalizers ask for when it is deleted. */
function policyOf({ metadata }: KubeObject): 'Background' | 'Foreground' | 'Orphan' {
  if (metadata.finalizers?.includes(ORPHAN)) return 'Orphan';
  return metadata.finalizers?.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

function ifGone(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}
