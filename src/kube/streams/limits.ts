/** Every bound that streams keep, in one place: what a client can make the server hold open, wait for or buffer. */
export interface StreamLimits {
  /** Streams of all kinds that one server serves at a time; one more is told to come back. */
  readonly sessions: number;
  /** A session over which no data has passed for this long ends, as with a kubelet. */
  readonly idleMs: number;
  /** How long a client may take to open the streams that it asked for. */
  readonly streamCreationMs: number;
  /** How long the peer of an ended session may take to hang up. */
  readonly lingerMs: number;
  /** Bytes that one stream may hold unread; above it nothing more is read from its connection. */
  readonly streamBufferBytes: number;
  /** One message of a WebSocket. */
  readonly messageBytes: number;
  /** Control frames that a peer may leave unread; one that sends but never reads is cut off. */
  readonly unsentControlBytes: number;
  /** Streams open at a time on one SPDY connection; a further one is refused, the others go on. */
  readonly spdyStreams: number;
  /** One SPDY control frame as it is sent, and its headers once they are inflated. */
  readonly spdyControlBytes: number;
  readonly spdyHeaderBytes: number;
  readonly spdyHeaders: number;
  /** Ports that one WebSocket may forward without SPDY. */
  readonly forwardedPorts: number;
}

export const STREAM_LIMITS: StreamLimits = {
  sessions: 2_000,
  idleMs: 4 * 60 * 60 * 1000,
  streamCreationMs: 30_000,
  lingerMs: 5_000,
  streamBufferBytes: 256 * 1024,
  messageBytes: 4 * 1024 * 1024,
  unsentControlBytes: 1024 * 1024,
  spdyStreams: 512,
  spdyControlBytes: 64 * 1024,
  spdyHeaderBytes: 64 * 1024,
  spdyHeaders: 100,
  forwardedPorts: 100,
};
