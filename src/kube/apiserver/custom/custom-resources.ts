/**
 * Serves custom resources as their CRDs come, change and go.
 *
 * A CRD is served in the same turn in which its commit is seen; that it is established is then written to its status.
 * A CRD on its way out first loses its objects, then its finalizer; with it its resource is gone.
 */
import { rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { CustomResourceDefinition } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Entry } from '../cache/entry.ts';
import type { Core } from '../core.ts';
import { type Served, served as serve, storagePrefix } from '../served.ts';
import { CRD_CLEANUP } from '../server-rules.ts';
import { type Conversion, definitionsOf } from './crd-definitions.ts';
import { conditionsOf, crdStatus, type NameConflict } from './crd-status.ts';

export const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' } as const;

interface Known {
  readonly crd: CustomResourceDefinition;
  readonly served: readonly Served[];
}

/** By the name of the CRD; without one, versions differ in what they name and in the fields they know. */
export type Conversions = Readonly<Record<string, Conversion>>;

/** Follows the CRDs from now on; `client` writes what the server has to say about them. */
export function serveCustomResources(
  core: Core,
  client: KubeClient,
  signal: AbortSignal,
  conversions: Conversions = {},
): void {
  const { cache, registry, hub, log, clock } = core;
  const known = new Map<string, Known>();
  /** One write at a time for each CRD. */
  const writing = new Map<string, Promise<void>>();
  const prefix = storagePrefix(CRDS);

  function changed(name: string, entry: Entry | undefined): void {
    const before = known.get(name);
    if (!entry) {
      known.delete(name);
      if (before) withdraw(before.served);
      return;
    }
    const crd = entry.object as CustomResourceDefinition;
    const conflict = conflictOf(crd);
    if (!before || !jsonEqual(before.crd.spec, crd.spec)) {
      const served = conflict
        ? []
        : definitionsOf(crd, conversions[name]).map((definition) => serve(definition, cache));
      known.set(name, { crd, served });
      withdraw(before?.served ?? [], served);
      for (const one of served) registry.add(one);
    } else known.set(name, { ...before, crd });
    followUp(name);
  }

  /** Ends what is served no more, or is served anew. */
  function withdraw(old: readonly Served[], by: readonly Served[] = []): void {
    for (const one of old) {
      hub.end(one);
      if (!by.some(({ definition }) => definition.version === one.definition.version)) registry.remove(one.definition);
    }
  }

  /** Within a group no two resources share a name or a kind. */
  function conflictOf({ spec, metadata }: CustomResourceDefinition): NameConflict | undefined {
    const { plural, singular, shortNames = [], kind, listKind } = spec.names;
    for (const [name, { crd }] of known) {
      if (name === metadata.name || crd.spec.group !== spec.group) continue;
      const taken = crd.spec.names;
      const words = new Set([taken.plural, taken.singular, ...(taken.shortNames ?? [])]);
      const kinds = new Set([taken.kind, taken.listKind]);
      if (words.has(plural)) return inUse('PluralConflict', plural);
      if (singular && words.has(singular)) return inUse('SingularConflict', singular);
      const short = shortNames.find((one) => words.has(one));
      if (short) return inUse('ShortNamesConflict', short);
      if (kinds.has(kind)) return inUse('KindConflict', kind);
      if (listKind && kinds.has(listKind)) return inUse('ListKindConflict', listKind);
    }
    return undefined;
  }

  function followUp(name: string): void {
    const before = writing.get(name) ?? Promise.resolve();
    const next = before
      .then(() => settle(name))
      .catch((error: unknown) => {
        if (!signal.aborted && !hasReason(error, 'NotFound'))
          log.error('a CRD cannot be brought up to date', { name, error });
      });
    writing.set(name, next);
    void next.finally(() => writing.get(name) === next && writing.delete(name));
  }

  async function settle(name: string): Promise<void> {
    const crd = cache.resource(prefix).get(name)?.object as CustomResourceDefinition | undefined;
    if (!crd || signal.aborted) return;
    if (crd.metadata.deletionTimestamp) return clear(name, crd);
    const status = crdStatus(crd, conflictOf(crd), rfc3339(clock.now()));
    const same = jsonEqual(status, { ...crd.status, conditions: conditionsOf(crd) });
    if (!same) await client.update(CRDS, { ...crd, status }, { subresource: 'status' }).catch(unlessMoved);
  }

  /** Deletes all objects, and lets the CRD go once none is left. */
  async function clear(name: string, crd: CustomResourceDefinition): Promise<void> {
    if (!crd.metadata.finalizers?.includes(CRD_CLEANUP)) return;
    const [served] = known.get(name)?.served ?? [];
    const objects = cache.resource(storagePrefix({ group: crd.spec.group, resource: crd.spec.names.plural }));
    if (served) await client.deleteCollection(served.definition);
    if (served && objects.entries().length > 0) {
      const stop = cache.listen(served.prefix, () => {
        if (objects.entries().length > 0) return;
        stop();
        followUp(name);
      });
      return;
    }
    const finalizers = crd.metadata.finalizers.filter((one) => one !== CRD_CLEANUP);
    const { finalizers: _, ...metadata } = crd.metadata;
    const next = { ...crd, metadata: finalizers.length > 0 ? { ...metadata, finalizers } : metadata };
    await client.update(CRDS, next as KubeObject).catch(unlessMoved);
  }

  cache.listen(prefix, (events) => {
    for (const { key, entry } of events) changed(key, entry);
  });
  for (const entry of cache.resource(prefix).entries()) changed(entry.key, entry);
}

function inUse(reason: string, name: string): NameConflict {
  return { reason, message: `${JSON.stringify(name)} is already in use` };
}

/** Somebody else wrote first; their write wakes us again. */
function unlessMoved(error: unknown): void {
  if (!hasReason(error, 'Conflict', 'NotFound')) throw error;
}
