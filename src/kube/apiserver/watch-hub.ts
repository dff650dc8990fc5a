/**
 * Fan-out: watchers that would be told the same, told once.
 *
 * Watchers of the same resource, selection and representation form a group. A group makes one payload (a ready framed
 * chunk, or decoded events) and hands it to all its members: for each commit, or, where a delivery is expensive, for all
 * commits of one turn of the event loop together.
 */
import type { WatchCache } from './cache/watch-cache.ts';
import type { Revision } from '#kube/store/store.ts';
import type { SeenEvent, Selection } from './selection.ts';
import type { Served } from './served.ts';

/** One way to write down events; equal ids make equal payloads. */
export interface Representation<Payload> {
  readonly id: string;
  /** What happens in one turn of the event loop is delivered at once, at its end. */
  readonly gathers: boolean;
  events(events: readonly SeenEvent[]): Payload;
  /** How far the watcher has seen; `initialEnd` also says that all existing objects were told. */
  bookmark(revision: Revision, initialEnd: boolean): Payload;
}

export interface Sink<Payload> {
  deliver(payload: Payload): void;
  /** The resource is served no more, or otherwise than before. */
  end(): void;
}

export interface Membership {
  leave(): void;
  /** Delivers what has been gathered so far: the member has then seen all that the cache has. */
  flush(): void;
}

export interface WatchHub {
  /** From now on `sink` gets every commit that touches the selection. */
  join<Payload>(served: Served, selection: Selection, as: Representation<Payload>, sink: Sink<Payload>): Membership;
  /** Ends all watches of a resource. */
  end(served: Served): void;
  watchers(): number;
}

interface Group<Payload> {
  readonly sinks: Set<Sink<Payload>>;
  flush(): void;
  close(): void;
}

/** More than this is not gathered, however long the turn. */
const GATHERED = 1000;

export function watchHub(cache: WatchCache): WatchHub {
  const byServed = new Map<Served, Map<string, Group<never>>>();
  let watchers = 0;

  function open<Payload>(served: Served, selection: Selection, as: Representation<Payload>): Group<Payload> {
    const sinks = new Set<Sink<Payload>>();
    let gathered: SeenEvent[] = [];
    let due: NodeJS.Immediate | undefined;

    function flush(): void {
      clearImmediate(due);
      due = undefined;
      if (gathered.length === 0) return;
      const payload = as.events(gathered);
      gathered = [];
      for (const sink of sinks) sink.deliver(payload);
    }

    const close = cache.listen(served.prefix, (changes) => {
      for (const change of changes) {
        const event = selection.seen(change);
        if (event) gathered.push(event);
      }
      if (gathered.length === 0) return;
      if (as.gathers && gathered.length < GATHERED) due ??= setImmediate(flush);
      else flush();
    });
    return {
      sinks,
      flush,
      close() {
        clearImmediate(due);
        close();
      },
    };
  }

  return {
    watchers: () => watchers,
    join<Payload>(served: Served, selection: Selection, as: Representation<Payload>, sink: Sink<Payload>) {
      const id = `${as.id} ${selection.id}`;
      const groups = byServed.get(served) ?? new Map<string, Group<never>>();
      byServed.set(served, groups);
      // The id names the representation, and with it the type of the payload its sinks take.
      const group = (groups.get(id) as Group<Payload> | undefined) ?? open(served, selection, as);
      // What the others have not been told yet, the new one has caught up with by itself.
      group.flush();
      groups.set(id, group);
      group.sinks.add(sink);
      watchers++;
      return {
        flush: () => group.flush(),
        leave() {
          if (!group.sinks.delete(sink)) return;
          watchers--;
          if (group.sinks.size > 0) return;
          group.close();
          groups.delete(id);
          if (groups.size === 0) byServed.delete(served);
        },
      };
    },
    end(served) {
      const groups = [...(byServed.get(served)?.values() ?? [])];
      for (const group of groups) group.flush();
      for (const sink of groups.flatMap((group) => [...group.sinks])) sink.end();
    },
  };
}
