/**
 * Frames out of bytes, however the bytes are cut.
 *
 * Control frames are gathered up to a limit; data is handed on as it arrives and never gathered. What is no SPDY/3.1
 * throws a BadRequest, after which nothing more is to be read.
 */
import { badRequest } from '#base/status-error.ts';
import type { StreamLimits } from '../limits.ts';
import { FLAG_FIN, FLAG_UNIDIRECTIONAL, type SpdyFrame, TYPES, VERSION } from './frame.ts';
import { headerInflater } from './header-block.ts';

export type ReaderLimits = Pick<StreamLimits, 'spdyControlBytes' | 'spdyHeaderBytes' | 'spdyHeaders'>;

export interface FrameReader {
  push(chunk: Buffer): readonly SpdyFrame[];
}

const HEAD = 8;
const NOTHING = Buffer.alloc(0);

export function frameReader(limits: ReaderLimits): FrameReader {
  const parse = controlParser(limits);
  let pending: Buffer = NOTHING;
  let data: { readonly stream: number; readonly fin: boolean; left: number } | undefined;

  const take = (length: number) => {
    const taken = pending.subarray(0, length);
    pending = pending.subarray(length);
    return taken;
  };

  /** The next frame; undefined when more bytes are needed, `skipped` for a frame that means nothing to us. */
  function next(): SpdyFrame | 'skipped' | undefined {
    if (data) return piece(data);
    if (pending.length < HEAD) return undefined;
    const first = pending.readUInt32BE(0);
    const flags = pending.readUInt8(4);
    const length = pending.readUIntBE(5, 3);
    if (first < 0x8000_0000) return begin(first, flags, length);
    if (((first >>> 16) & 0x7fff) !== VERSION) throw badRequest('only version 3 of SPDY is spoken here');
    if (length > limits.spdyControlBytes) throw badRequest(`a SPDY control frame of ${length} bytes is too long`);
    if (pending.length < HEAD + length) return undefined;
    take(HEAD);
    return parse(first & 0xffff, flags, take(length)) ?? 'skipped';
  }

  function begin(stream: number, flags: number, left: number): SpdyFrame | undefined {
    if (stream === 0) throw badRequest('SPDY data belongs to no stream');
    take(HEAD);
    data = { stream, fin: (flags & FLAG_FIN) !== 0, left };
    return piece(data);
  }

  function piece(of: NonNullable<typeof data>): SpdyFrame | undefined {
    if (of.left > 0 && pending.length === 0) return undefined;
    const bytes = take(Math.min(of.left, pending.length));
    of.left -= bytes.length;
    if (of.left === 0) data = undefined;
    return { type: 'data', stream: of.stream, bytes, fin: of.fin && of.left === 0 };
  }

  return {
    push(chunk) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const frames: SpdyFrame[] = [];
      for (let frame = next(); frame !== undefined; frame = next()) if (frame !== 'skipped') frames.push(frame);
      return frames;
    },
  };
}

/** Bytes before the headers, by type. */
const FIXED = { 'syn-stream': 10, 'syn-reply': 4, headers: 4 } as const;

function controlParser(limits: ReaderLimits) {
  const inflate = headerInflater(limits);
  return (type: number, flags: number, payload: Buffer): SpdyFrame | undefined => {
    const fin = (flags & FLAG_FIN) !== 0;
    switch (type) {
      case TYPES['syn-stream']: {
        const unidirectional = (flags & FLAG_UNIDIRECTIONAL) !== 0;
        const stream = streamId(payload, FIXED['syn-stream']);
        return { type: 'syn-stream', stream, headers: inflate(payload.subarray(10)), fin, unidirectional };
      }
      case TYPES['syn-reply']:
        return { type: 'syn-reply', stream: streamId(payload, 4), headers: inflate(payload.subarray(4)), fin };
      case TYPES.headers:
        return { type: 'headers', stream: streamId(payload, 4), headers: inflate(payload.subarray(4)), fin };
      case TYPES['rst-stream']:
        return { type: 'rst-stream', stream: streamId(payload, 8), status: payload.readUInt32BE(4) };
      case TYPES.settings:
        return settings(payload);
      case TYPES.ping:
        return { type: 'ping', id: number(payload, 0, 4) };
      case TYPES['go-away']:
        return { type: 'go-away', lastStream: number(payload, 0, 8) & 0x7fff_ffff, status: payload.readUInt32BE(4) };
      case TYPES['window-update']:
        return windowUpdate(payload);
      default:
        // A frame of an unknown type is to be passed over, as the protocol has it.
        return undefined;
    }
  };
}

function number(payload: Buffer, at: number, atLeast: number): number {
  if (payload.length < atLeast) throw badRequest('a SPDY control frame is too short');
  return payload.readUInt32BE(at);
}

function streamId(payload: Buffer, atLeast: number): number {
  const stream = number(payload, 0, atLeast) & 0x7fff_ffff;
  if (stream === 0) throw badRequest('a SPDY stream has no number');
  return stream;
}

function settings(payload: Buffer): SpdyFrame {
  const count = number(payload, 0, 4);
  if (payload.length !== 4 + count * 8) throw badRequest('SPDY settings do not have the length they claim');
  const values = new Map<number, number>();
  for (let at = 4; at < payload.length; at += 8)
    values.set(payload.readUIntBE(at + 1, 3), payload.readUInt32BE(at + 4));
  return { type: 'settings', values };
}

function windowUpdate(payload: Buffer): SpdyFrame {
  const stream = number(payload, 0, 8) & 0x7fff_ffff;
  const delta = payload.readUInt32BE(4) & 0x7fff_ffff;
  if (delta === 0) throw badRequest('a SPDY window is to grow by nothing');
  return { type: 'window-update', stream, delta };
}
