/** A pod as it is now, kept up to date by a watch for as long as somebody looks. */
import type { Pod } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { PODS } from '../../resources.ts';

export interface PodFollower {
  /** The pod as last seen; undefined once it is gone. */
  current(): Pod | undefined;
  /** Resolves at the given time, or as soon as the pod changes or the signal aborts. */
  changedOr(at: number): Promise<void>;
}

export function podFollower(client: KubeClient, clock: Clock, pod: Pod, signal: AbortSignal): PodFollower {
  let current: Pod | undefined = pod;
  let unseen = false;
  let resume = () => {};

  function wake(): void {
    unseen = true;
    resume();
  }

  /** Begins with the pod as it is, so that nothing is missed between two watches. Whether the pod was seen in it. */
  async function watchOnce(): Promise<boolean> {
    const { name, namespace, uid } = pod.metadata;
    const watch = client.watch<Pod>(PODS, {
      fieldSelector: `metadata.name=${name}`,
      ...(namespace === undefined ? {} : { namespace }),
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      signal,
    });
    let seen = false;
    for await (const { type, object } of watch) {
      // Another pod may get the name of one that is gone.
      if (type !== 'BOOKMARK' && object.metadata.uid !== uid) continue;
      if (type === 'BOOKMARK' ? !seen : type === 'DELETED') current = undefined;
      else if (type !== 'BOOKMARK') {
        seen = true;
        current = object;
      }
      wake();
      if (!current) break;
    }
    return seen;
  }

  async function follow(): Promise<void> {
    // A watch that shows nothing at all has lost its server: asking again would not help.
    while (current && !signal.aborted && (await watchOnce())) continue;
    lost();
  }

  function lost(): void {
    current = undefined;
    wake();
  }

  // Without its watch the follower would see no end; it ends itself, and whoever follows may ask again.
  follow().catch(lost);
  signal.addEventListener('abort', () => wake(), { once: true });

  return {
    current: () => current,
    changedOr: (at) =>
      new Promise((resolve) => {
        const done = () => {
          unseen = false;
          cancel();
          resolve();
        };
        const cancel = clock.after(Math.max(0, at - clock.now()), done);
        resume = done;
        // What happened while nobody was waiting counts too.
        if (unseen || signal.aborted || !current) done();
      }),
  };
}
