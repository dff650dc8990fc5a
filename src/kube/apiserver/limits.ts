/** Every bound the API server keeps, in one place: what a client can make it hold, wait for or repeat. */
export const LIMITS = {
  /** A request body, as Kubernetes allows it (3 MiB). */
  bodyBytes: 3_145_728,
  /** All headers of a request together. */
  headerBytes: 65_536,
  headerCount: 200,
  /** A client that has not sent its headers, or its whole request, by then is cut off. */
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  keepAliveMs: 65_000,
  connections: 20_000,
  /** Open watches, over HTTP and in-process together. */
  watchers: 20_000,
  /** Bytes a slow watcher may leave unread before it is dropped; its client will list again. */
  watcherBufferBytes: 16 * 1024 * 1024,
  /** Events an in-process watcher may leave unread before its watch ends with 410. */
  watcherQueueEvents: 100_000,
  /** Changes remembered for each resource, for watches, pages and exact lists from the past. */
  historyEvents: 10_000,
  historyBytes: 32 * 1024 * 1024,
  /** How long a read waits for a revision that is not there yet. */
  futureRevisionWaitMs: 3_000,
  bookmarkIntervalMs: 60_000,
  /** A bookmark is sent this long before a watch times out, so that its client resumes without a gap. */
  lastBookmarkMs: 2_000,
  /** Watches that name no timeout end between this and twice this, spread so that not all come back at once. */
  watchTimeoutMs: 1_800_000,
  generateNameAttempts: 8,
  /** An unguarded write that meets a concurrent one is computed again this often. */
  writeAttempts: 32,
  /** Operations in one JSON patch. */
  patchOperations: 10_000,
  /** An annotation map, keys and values together. */
  annotationBytes: 262_144,
} as const;
