/**
 * What a server says on a WebSocket that we only listen to, message by message.
 *
 * Fragments are put together; pings need no answer within the short life of a command. Throws on what no server may
 * send: masked frames, and messages beyond the limit.
 */
import { StatusError } from '#base/status-error.ts';

const [CONTINUATION, CLOSE] = [0, 8];
const CONTROL = 8;

/** Ends with the close frame, or with the connection. */
export async function* framesOf(source: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const frame = frameAt(rest, mostBytes);
      if (!frame) break;
      rest = rest.subarray(frame.length);
      if (frame.code === CLOSE) return;
      if (frame.code >= CONTROL) continue;
      if (frame.code !== CONTINUATION) parts = [];
      parts.push(frame.payload);
      if (frame.final) yield Buffer.concat(parts);
    }
  }
}

interface Frame {
  readonly code: number;
  readonly final: boolean;
  readonly payload: Buffer;
  /** With its head. */
  readonly length: number;
}

/** Undefined when not all of it has come yet. */
function frameAt(bytes: Buffer, mostBytes: number): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  if (second >= 128) throw new StatusError('InternalError', 'the server sent a masked frame');
  const head = second === 127 ? 10 : second === 126 ? 4 : 2;
  if (bytes.length < head) return undefined;
  const size = second === 127 ? Number(bytes.readBigUInt64BE(2)) : second === 126 ? bytes.readUInt16BE(2) : second;
  if (size > mostBytes) throw new StatusError('InternalError', `the server sent a message of ${size} bytes`);
  if (bytes.length < head + size) return undefined;
  return { code: first & 15, final: first >= 128, payload: bytes.subarray(head, head + size), length: head + size };
}
