/** The wire format of protobuf: tags, varints, lengths. Anything that runs over its end or its limits is refused. */
import { badRequest } from '#base/status-error.ts';

export type Wire = 0 | 1 | 2 | 5;

export interface ProtobufReader {
  readonly done: boolean;
  /** The number and the wire type of the next field. */
  tag(): { readonly number: number; readonly wire: Wire };
  /** A 64-bit integer; beyond 2^53 it loses precision, as it does in JSON. */
  integer(): number;
  double(): number;
  bytes(): Uint8Array;
  text(): string;
  /** A reader of the embedded message that is next. */
  message(): ProtobufReader;
  skip(wire: Wire): void;
}

/** No Kubernetes type nests deeper, but for schemas of CRDs, which nobody nests this deep. */
const MAX_NESTING = 1000;

export function protobufReader(buffer: Uint8Array, nesting = 0): ProtobufReader {
  if (nesting > MAX_NESTING) throw badRequest('proto: exceeded max depth');
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = 0;

  /** Low and high half of a varint. */
  function varint(): [low: number, high: number] {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = buffer[at++];
      if (byte === undefined) throw badRequest('unexpected EOF');
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) return [low >>> 0, high];
    }
    throw badRequest('proto: integer overflow');
  }

  function take(length: number): number {
    const start = at;
    if (length < 0 || length > buffer.length - at) throw badRequest('unexpected EOF');
    at += length;
    return start;
  }

  function bytes(): Uint8Array {
    const [length, high] = varint();
    const start = take(high === 0 ? length : Number.POSITIVE_INFINITY);
    return buffer.subarray(start, at);
  }

  return {
    get done() {
      return at >= buffer.length;
    },
    tag() {
      const [low, high] = varint();
      const wire = low & 7;
      const number = low >>> 3;
      if (high !== 0 || number === 0) throw badRequest(`proto: illegal tag ${number} (wire type ${wire})`);
      if (wire !== 0 && wire !== 1 && wire !== 2 && wire !== 5) throw badRequest(`proto: illegal wireType ${wire}`);
      return { number, wire };
    },
    integer() {
      const [low, high] = varint();
      return high * 2 ** 32 + low;
    },
    double: () => view.getFloat64(take(8), true),
    bytes,
    text() {
      const { buffer: memory, byteOffset, byteLength } = bytes();
      return Buffer.from(memory, byteOffset, byteLength).toString('utf8');
    },
    message: () => protobufReader(bytes(), nesting + 1),
    skip(wire) {
      if (wire === 0) varint();
      else if (wire === 2) bytes();
      else take(wire === 1 ? 8 : 4);
    },
  };
}
