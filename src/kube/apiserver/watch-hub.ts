/**
 * Fan-out: watchers that would be told the same, told once.
 *
 * Watchers of the same resource, selection and representation form a group. For each commit a group makes one payload
 * (a ready framed chunk, or decoded events) and hands it to all its members.
 */
import type { Revision } from '#kube/store/store.ts';
import type { WatchCache } from './cache/watch-cache.ts';
import type { SeenEvent, Selection } from './selection.ts';
import type { Served } from './served.ts';

/** One way to write down events; equal ids make equal payloads. */
export interface Representation<Payload> {
  readonly id: string;
  events(events: readonly SeenEvent[]): Payload;
  /** How far the watcher has seen; `initialEnd` also says that all existing objects were told. */
  bookmark(revision: Revision, initialEnd: boolean): Payload;
}

export interface Sink<Payload> {
  deliver(payload: Payload, revision: Revision): void;
  /** The resource is served no more, or otherwise than before. */
  end(): void;
}

export interface WatchHub {
  /** From now on `sink` gets every commit that touches the selection; the returned function ends that. */
  join<Payload>(served: Served, selection: Selection, as: Representation<Payload>, sink: Sink<Payload>): () => void;
  /** Ends all watches of a resource. */
  end(served: Served): void;
  watchers(): number;
}

interface Group<Payload> {
  readonly served: Served;
  readonly sinks: Set<Sink<Payload>>;
  close(): void;
}

export function watchHub(cache: WatchCache): WatchHub {
  const byServed = new Map<Served, Map<string, Group<never>>>();
  let watchers = 0;

  function open<Payload>(served: Served, selection: Selection, as: Representation<Payload>): Group<Payload> {
    const sinks = new Set<Sink<Payload>>();
    const close = cache.listen(served.prefix, (changes) => {
      const events: SeenEvent[] = [];
      for (const change of changes) {
        const event = selection.seen(change);
        if (event) events.push(event);
      }
      if (events.length === 0) return;
      const payload = as.events(events);
      const revision = changes.at(-1)?.revision ?? cache.revision();
      for (const sink of sinks) sink.deliver(payload, revision);
    });
    return { served, sinks, close };
  }

  return {
    watchers: () => watchers,
    join<Payload>(served: Served, selection: Selection, as: Representation<Payload>, sink: Sink<Payload>) {
      const id = `${as.id} ${selection.id}`;
      const groups = byServed.get(served) ?? new Map<string, Group<never>>();
      byServed.set(served, groups);
      // The id names the representation, and with it the type of the payload its sinks take.
      const group = (groups.get(id) as Group<Payload> | undefined) ?? open(served, selection, as);
      groups.set(id, group);
      group.sinks.add(sink);
      watchers++;
      return () => {
        if (!group.sinks.delete(sink)) return;
        watchers--;
        if (group.sinks.size > 0) return;
        group.close();
        groups.delete(id);
        if (groups.size === 0) byServed.delete(served);
      };
    },
    end(served) {
      const sinks = [...(byServed.get(served)?.values() ?? [])].flatMap((group) => [...group.sinks]);
      for (const sink of sinks) sink.end();
    },
  };
}
