/** Writes protobuf messages: as much of the wire format as our answers need. */

/** A field of a message: numbers and booleans as varints, text and bytes as they are, a list of fields as a message. */
export type ProtobufField = readonly [
  number: number,
  value: number | bigint | boolean | string | Uint8Array | readonly ProtobufField[] | undefined,
];

/** Fields whose value is undefined are left out. */
export function encodeMessage(fields: readonly ProtobufField[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (value === undefined) continue;
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
      parts.push(varint(number << 3), varint(BigInt(value)));
    } else {
      const bytes =
        typeof value === 'string' || value instanceof Uint8Array ? Buffer.from(value) : encodeMessage(value);
      parts.push(varint((number << 3) | 2), varint(bytes.length), bytes);
    }
  }
  return Buffer.concat(parts);
}

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}
