/**
 * The distinguished encoding of ASN.1, as far as a certificate needs it: each function makes one element of bytes.
 *
 * {@link children} reads: it takes an element apart into those it consists of.
 */
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;

export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => element(SEQUENCE, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => element(SET, ...parts);
export const octets = (value: Uint8Array): Buffer => element(OCTET_STRING, value);
export const utf8 = (value: string): Buffer => element(UTF8_STRING, Buffer.from(value));
export const TRUE = Buffer.from([0x01, 0x01, 0xff]);

/** A number given as bytes; it is taken as positive. */
export function integer(value: Uint8Array): Buffer {
  return element(INTEGER, ...((value[0] ?? 0) >= 0x80 ? [Buffer.from([0]), value] : [value]));
}

/** Bits, of which the last byte leaves `unused` out. */
export function bits(value: Uint8Array, unused = 0): Buffer {
  return element(BIT_STRING, Buffer.from([unused]), value);
}

/** An object identifier, as it is written: `2.5.4.3`. */
export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return element(OBJECT_ID, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

/** A moment, to the second: with two digits for the year as long as these are enough. */
export function time(at: Date): Buffer {
  const text = `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  const short = at.getUTCFullYear() < 2050;
  return element(short ? UTC_TIME : GENERALIZED_TIME, Buffer.from(short ? text.slice(2) : text));
}

/** The elements inside an element, each whole. */
export function children(parent: Uint8Array): readonly Buffer[] {
  const bytes = Buffer.from(parent.buffer, parent.byteOffset, parent.byteLength);
  const found: Buffer[] = [];
  for (let at = headLength(bytes, 0); at < bytes.length; ) {
    const end = at + headLength(bytes, at) + contentLength(bytes, at);
    found.push(bytes.subarray(at, end));
    at = end;
  }
  return found;
}

/** What is inside an element, without its tag and length. */
export function contentOf(bytes: Buffer): Buffer {
  return bytes.subarray(headLength(bytes, 0));
}

function headLength(bytes: Buffer, at: number): number {
  const length = bytes[at + 1] ?? 0;
  return length < 0x80 ? 2 : 2 + (length & 0x7f);
}

function contentLength(bytes: Buffer, at: number): number {
  const length = bytes[at + 1] ?? 0;
  return length < 0x80 ? length : bytes.readUIntBE(at + 2, length & 0x7f);
}
