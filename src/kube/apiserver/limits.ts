/** Every bound the API server keeps, in one place: what a client can make it hold, wait for or repeat. */
export interface Limits {
  /** A request body, as Kubernetes allows it (3 MiB). How deep JSON may nest is the parser's limit. */
  readonly bodyBytes: number;
  /** All headers of a request together. */
  readonly headerBytes: number;
  readonly headerCount: number;
  /** A client that has not sent its headers, or its whole request, by then is cut off. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly connections: number;
  /** Open watches, over HTTP and in-process together. */
  readonly watchers: number;
  /** Bytes a slow watcher may leave unread before it is dropped; its client will list again. */
  readonly watcherBufferBytes: number;
  /** Events an in-process watcher may leave unread before its watch ends with 410. */
  readonly watcherQueueEvents: number;
  /** Changes remembered for each resource, for watches, pages and exact lists from the past. */
  readonly historyEvents: number;
  readonly historyBytes: number;
  /** Changes of all resources together that a new process remembers from before it was started. */
  readonly resumedEvents: number;
  /** How long a read waits for a revision that is not there yet. */
  readonly futureRevisionWaitMs: number;
  readonly bookmarkIntervalMs: number;
  /** A bookmark is sent this long before a watch times out, so that its client resumes without a gap. */
  readonly lastBookmarkMs: number;
  /** Watches that name no timeout end between this and twice this, spread so that not all come back at once. */
  readonly watchTimeoutMs: number;
  readonly generateNameAttempts: number;
  /** An unguarded write that meets a concurrent one is computed again this often. */
  readonly writeAttempts: number;
  /** Operations in one JSON patch. */
  readonly patchOperations: number;
  /** How long a body in YAML may take to read; it is read beside the server, which goes on meanwhile. */
  readonly yamlMs: number;
  /** The store is told this often to forget what is older than one such interval. */
  readonly compactionIntervalMs: number;
}

export const LIMITS: Limits = {
  bodyBytes: 3_145_728,
  headerBytes: 65_536,
  headerCount: 200,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  keepAliveMs: 65_000,
  connections: 20_000,
  watchers: 20_000,
  watcherBufferBytes: 16 * 1024 * 1024,
  watcherQueueEvents: 100_000,
  historyEvents: 10_000,
  historyBytes: 32 * 1024 * 1024,
  resumedEvents: 5_000,
  futureRevisionWaitMs: 3_000,
  bookmarkIntervalMs: 60_000,
  lastBookmarkMs: 2_000,
  watchTimeoutMs: 1_800_000,
  generateNameAttempts: 8,
  writeAttempts: 32,
  patchOperations: 10_000,
  yamlMs: 5_000,
  compactionIntervalMs: 300_000,
};
