/** What is in an API server, as its watches tell it, with the moment of the last change that matters to somebody. */
import { setTimeout as pause } from 'node:timers/promises';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { groupResource, type Gvr } from '#kube/meta/gvk.ts';
import { INITIAL_EVENTS_END, type KubeObject, type WatchEvent } from '#kube/meta/object.ts';

export interface Mirror {
  /** Resolves when everything that was there at the beginning is known. */
  readonly ready: Promise<unknown>;
  objects(): readonly KubeObject[];
}

export interface MirrorOptions {
  readonly client: KubeClient;
  readonly resources: readonly Gvr[];
  readonly signal: AbortSignal;
  readonly changed: (object: KubeObject, before: KubeObject | undefined) => void;
}

export function mirror({ client, resources, signal, changed }: MirrorOptions): Mirror {
  const known = resources.map(() => new Map<string, KubeObject>());

  function take(objects: Map<string, KubeObject>, { type, object }: WatchEvent): void {
    const { namespace = '', name } = object.metadata;
    const key = `${namespace}/${name}`;
    const before = objects.get(key);
    if (type === 'DELETED') objects.delete(key);
    else objects.set(key, object);
    changed(object, before);
  }

  async function follow(gvr: Gvr, objects: Map<string, KubeObject>, begun: () => void): Promise<void> {
    while (!signal.aborted) {
      try {
        objects.clear();
        const options = {
          sendInitialEvents: true,
          allowWatchBookmarks: true,
          resourceVersionMatch: 'NotOlderThan',
        } as const;
        for await (const event of client.watch(gvr, { ...options, signal })) {
          if (event.type !== 'BOOKMARK') take(objects, event);
          else if (event.object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true') begun();
        }
      } catch (error) {
        if (signal.aborted) return;
        if (process.env['VERBOSE']) console.error(`watch of ${groupResource(gvr)}: ${String(error)}`);
        await pause(100);
      }
    }
  }

  const ready = Promise.all(
    resources.map((gvr, index) => {
      const begun = Promise.withResolvers<void>();
      void follow(gvr, known[index] ?? new Map<string, KubeObject>(), begun.resolve);
      return begun.promise;
    }),
  );
  return { ready, objects: () => known.flatMap((objects) => [...objects.values()]) };
}
