/** What the verbs work on: one per API server, handed to each of them first. */
import type { Clock } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { Store } from '#kube/store/store.ts';
import type { AdmissionPlugin, User } from './admission.ts';
import type { WatchCache } from './cache/watch-cache.ts';
import type { Limits } from './limits.ts';
import type { Registry } from './registry.ts';
import type { WatchHub } from './watch-hub.ts';

export interface Core {
  readonly store: Store;
  readonly cache: WatchCache;
  readonly hub: WatchHub;
  readonly registry: Registry;
  readonly admission: readonly AdmissionPlugin[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly limits: Limits;
}

/** Who asks, and what they are to be told besides the answer. */
export interface Caller {
  readonly user: User;
  /** The name under which the caller's writes are recorded when they give none: their user agent. */
  readonly agent: string;
  /** Collects hints, which HTTP sends as Warning headers. */
  warn(text: string): void;
}
