/** What a caller can make a server hold or wait for. Each is a number, and each is reached by a test. */
export interface RpcLimits {
  /** Bytes of one request message, after decompression. */
  readonly bodyBytes: number;
  /** Characters of a query string. */
  readonly queryLength: number;
  /** Parameters in a query string. */
  readonly queryParameters: number;
  /** How deep messages may be nested in JSON. */
  readonly depth: number;
  /** Streams that are being answered at a time, over all connections. */
  readonly openStreams: number;
  /** How long a call may take if its caller does not say; streams have no such limit. */
  readonly defaultDeadlineMs: number;
  /** The longest time a caller may ask for. */
  readonly maxDeadlineMs: number;
}

export const DEFAULT_LIMITS: RpcLimits = {
  bodyBytes: 4 * 1024 * 1024,
  queryLength: 16 * 1024,
  queryParameters: 256,
  depth: 100,
  openStreams: 1000,
  defaultDeadlineMs: 60_000,
  maxDeadlineMs: 3_600_000,
};
