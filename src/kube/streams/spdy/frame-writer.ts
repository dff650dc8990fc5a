/** Bytes out of frames. Frames with headers depend on those written before them: one writer serves one connection. */
import { FLAG_FIN, FLAG_UNIDIRECTIONAL, type SpdyFrame, TYPES, VERSION } from './frame.ts';
import { headerDeflater } from './header-block.ts';

export type FrameWriter = (frame: SpdyFrame) => Buffer;

export function frameWriter(): FrameWriter {
  const deflate = headerDeflater();
  return (frame) => {
    switch (frame.type) {
      case 'data':
        return Buffer.concat([head(frame.stream, frame.fin ? FLAG_FIN : 0, frame.bytes.length), frame.bytes]);
      case 'syn-stream': {
        const flags = (frame.fin ? FLAG_FIN : 0) | (frame.unidirectional ? FLAG_UNIDIRECTIONAL : 0);
        // No associated stream, the highest priority, no credential slot.
        const fixed = Buffer.concat([numbers(frame.stream, 0), Buffer.alloc(2)]);
        return control(TYPES['syn-stream'], flags, fixed, deflate(frame.headers));
      }
      case 'syn-reply':
      case 'headers':
        return control(TYPES[frame.type], frame.fin ? FLAG_FIN : 0, numbers(frame.stream), deflate(frame.headers));
      case 'rst-stream':
        return control(TYPES['rst-stream'], 0, numbers(frame.stream, frame.status));
      case 'settings': {
        const values = [...frame.values].flatMap(([id, value]) => [id & 0xff_ffff, value]);
        return control(TYPES.settings, 0, numbers(frame.values.size, ...values));
      }
      case 'ping':
        return control(TYPES.ping, 0, numbers(frame.id));
      case 'go-away':
        return control(TYPES['go-away'], 0, numbers(frame.lastStream, frame.status));
      case 'window-update':
        return control(TYPES['window-update'], 0, numbers(frame.stream, frame.delta));
    }
  };
}

function control(type: number, flags: number, ...payload: readonly Buffer[]): Buffer {
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([head(((0x8000 | VERSION) << 16) | type, flags, length), ...payload]);
}

function head(first: number, flags: number, length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(first >>> 0);
  bytes.writeUInt8(flags, 4);
  bytes.writeUIntBE(length, 5, 3);
  return bytes;
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}
