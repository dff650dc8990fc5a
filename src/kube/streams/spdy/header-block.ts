/**
 * Headers as SPDY/3 writes them: a count, then each name and value with its length, deflated as one never-ending stream.
 *
 * Every block ends on a byte with the compressor flushed, so the only state between blocks is the last 32 KiB of plain
 * text. That is kept here, and each block is (in)flated by itself against it: nothing asynchronous, and a bomb is
 * stopped at the limit. After a failure the stream is lost, and with it the connection.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { StreamLimits } from '../limits.ts';
import { DICTIONARY, DICTIONARY_ID } from './dictionary.ts';
import type { Headers } from './frame.ts';

type HeaderLimits = Pick<StreamLimits, 'spdyHeaderBytes' | 'spdyHeaders'>;

const WINDOW = 32_768;
/** Deflate with a 32 KiB window and a preset dictionary, then which. */
const ZLIB_HEAD = Buffer.from([0x78, 0xf9, 0, 0, 0, 0]);
ZLIB_HEAD.writeUInt32BE(DICTIONARY_ID, 2);

const after = (history: Buffer, text: Buffer) => Buffer.concat([history, text]).subarray(-WINDOW);

export function headerDeflater(): (headers: Headers) => Buffer {
  let history: Buffer = DICTIONARY;
  let head: Buffer = ZLIB_HEAD;
  return (headers) => {
    const text = encodeHeaders(headers);
    const deflated = deflateRawSync(text, { dictionary: history, finishFlush: constants.Z_SYNC_FLUSH });
    const block = Buffer.concat([head, deflated]);
    history = after(history, text);
    head = Buffer.alloc(0);
    return block;
  };
}

export function headerInflater(limits: HeaderLimits): (block: Buffer) => Headers {
  let history: Buffer = DICTIONARY;
  let first = true;
  return (block) => {
    const text = inflate(first ? withoutHead(block) : block, history, limits.spdyHeaderBytes);
    first = false;
    history = after(history, text);
    return decodeHeaders(text, limits);
  };
}

function withoutHead(block: Buffer): Buffer {
  const known = block.length >= 6 && (block.readUInt8(0) & 0x0f) === 8 && (block.readUInt8(1) & 0x20) !== 0;
  if (!known || block.readUInt16BE(0) % 31 !== 0 || block.readUInt32BE(2) !== DICTIONARY_ID) {
    throw badRequest('SPDY headers are not compressed with the dictionary of version 3');
  }
  return block.subarray(6);
}

function inflate(block: Buffer, dictionary: Buffer, maxOutputLength: number): Buffer {
  try {
    return inflateRawSync(block, { dictionary, maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (cause) {
    throw new StatusError('BadRequest', 'SPDY headers cannot be inflated', { cause });
  }
}

export function encodeHeaders(headers: Headers): Buffer {
  const fields = Object.entries(headers).flat();
  const parts = [uint32(fields.length / 2)];
  for (const field of fields) parts.push(uint32(Buffer.byteLength(field)), Buffer.from(field));
  return Buffer.concat(parts);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function decodeHeaders(text: Buffer, { spdyHeaders }: HeaderLimits): Headers {
  let at = 0;
  const number = () => {
    if (text.length < at + 4) throw badRequest('SPDY headers end early');
    at += 4;
    return text.readUInt32BE(at - 4);
  };
  const field = () => {
    const length = number();
    if (length > text.length - at) throw badRequest('SPDY headers end early');
    at += length;
    return text.toString('utf8', at - length, at);
  };
  const count = number();
  if (count > spdyHeaders) throw badRequest(`${count} SPDY headers are more than ${spdyHeaders}`);
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const name = field();
    if (name === '' || name !== name.toLowerCase() || headers.has(name)) {
      throw badRequest(`SPDY header ${JSON.stringify(name)} is not allowed here`);
    }
    headers.set(name, field());
  }
  if (at !== text.length) throw badRequest('SPDY headers do not end where they should');
  return Object.fromEntries(headers);
}
