/** Waits for objects to arrive, told by watches and not by asking. */
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export interface Arrivals {
  /** Resolves when each place has seen every one of these names in the state that is waited for. */
  all(names: readonly string[], is?: (object: KubeObject) => boolean): Promise<void>;
  close(): void;
}

const WITHIN_MS = 900_000;

/** Follows one resource of namespace `bench` at several places. */
export function arrivals(places: readonly KubeClient[], gvr: Gvr): Arrivals {
  const stop = new AbortController();
  const seen = places.map(() => new Map<string, KubeObject>());
  let look: () => void = () => undefined;
  for (const [index, client] of places.entries()) void follow(client, seen[index] ?? new Map<string, KubeObject>());

  async function follow(client: KubeClient, objects: Map<string, KubeObject>): Promise<void> {
    const options = {
      sendInitialEvents: true,
      allowWatchBookmarks: true,
      resourceVersionMatch: 'NotOlderThan',
    } as const;
    while (!stop.signal.aborted) {
      try {
        for await (const { type, object } of client.watch(gvr, {
          ...options,
          namespace: 'bench',
          signal: stop.signal,
        })) {
          if (type === 'BOOKMARK') continue;
          if (type === 'DELETED') objects.delete(object.metadata.name);
          else objects.set(object.metadata.name, object);
          look();
        }
      } catch (error) {
        if (!stop.signal.aborted) console.error(`watch of ${gvr.resource}: ${String(error)}`);
      }
    }
  }

  return {
    all(names, is = () => true) {
      const missing = seen.map(() => new Set(names));
      return new Promise((done, fail) => {
        const timer = setTimeout(() => fail(new Error(`${gvr.resource} did not arrive within 15 minutes`)), WITHIN_MS);
        look = () => {
          for (const [index, objects] of seen.entries()) {
            for (const name of missing[index] ?? []) {
              const object = objects.get(name);
              // They come roughly in the order in which they were made: the first that is missing ends the look.
              if (!object || !is(object)) break;
              missing[index]?.delete(name);
            }
          }
          if (missing.some(({ size }) => size > 0)) return;
          clearTimeout(timer);
          look = () => undefined;
          done();
        };
        look();
      });
    },
    close: () => stop.abort(),
  };
}
