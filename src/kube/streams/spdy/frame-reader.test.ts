import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { StatusError } from '#base/status-error.ts';
import { STREAM_LIMITS } from '../limits.ts';
import type { SpdyFrame } from './frame.ts';
import { frameReader } from './frame-reader.ts';
import { frameWriter } from './frame-writer.ts';

/** Records that are plain objects, as those that are read. */
const record = <T>(model: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) => fc.record(model, { noNullPrototype: true });
const stream = fc.integer({ min: 1, max: 0x7fff_ffff });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const headers = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 12 }).map((name) => name.toLowerCase()),
  fc.string({ maxLength: 40 }),
  { maxKeys: 6, noNullPrototype: true },
);
const frame: fc.Arbitrary<SpdyFrame> = fc.oneof(
  record({
    type: fc.constant('syn-stream' as const),
    stream,
    headers,
    fin: fc.boolean(),
    unidirectional: fc.boolean(),
  }),
  record({ type: fc.constantFrom('syn-reply' as const, 'headers' as const), stream, headers, fin: fc.boolean() }),
  record({
    type: fc.constant('data' as const),
    stream,
    bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fin: fc.boolean(),
  }),
  record({ type: fc.constant('rst-stream' as const), stream, status: uint32 }),
  record({
    type: fc.constant('settings' as const),
    values: fc
      .array(fc.tuple(fc.integer({ min: 0, max: 0xff_ffff }), uint32), { maxLength: 5 })
      .map((all) => new Map(all)),
  }),
  record({ type: fc.constant('ping' as const), id: uint32 }),
  record({ type: fc.constant('go-away' as const), lastStream: fc.nat(0x7fff_ffff), status: uint32 }),
  record({
    type: fc.constant('window-update' as const),
    stream: fc.nat(0x7fff_ffff),
    delta: fc.integer({ min: 1, max: 0x7fff_ffff }),
  }),
);

/** Cuts `bytes` at the given places, wherever they fall. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  return [...sorted, bytes.length].map((to, index) => bytes.subarray(sorted[index - 1] ?? 0, to));
}

/** Data comes in pieces that depend on the cuts: only joined again can they be compared. */
function whole(frames: readonly SpdyFrame[], sent: readonly SpdyFrame[]): SpdyFrame[] {
  const left = [...frames];
  return sent.map((original) => {
    const first = left.shift();
    assert.ok(first);
    if (first.type !== 'data' || original.type !== 'data') return first;
    const parts = [first];
    while (parts.reduce((sum, { bytes }) => sum + bytes.length, 0) < original.bytes.length) {
      const more = left.shift();
      assert.ok(more?.type === 'data');
      parts.push(more);
    }
    assert.ok(parts.slice(0, -1).every(({ fin }) => !fin));
    return { ...first, bytes: Buffer.concat(parts.map(({ bytes }) => bytes)), fin: parts.at(-1)?.fin ?? false };
  });
}

describe('a SPDY frame reader', () => {
  it('reads what was written, however the bytes are cut', () => {
    const property = fc.property(
      fc.array(frame, { maxLength: 8 }),
      fc.array(fc.nat(5_000), { maxLength: 20 }),
      (sent, places) => {
        const encode = frameWriter();
        const bytes = Buffer.concat(sent.map((one) => encode(one)));
        const reader = frameReader(STREAM_LIMITS);
        const read = cut(bytes, places).flatMap((chunk) => reader.push(chunk));
        assert.deepEqual(whole(read, sent), sent);
      },
    );
    fc.assert(property, { seed: 1, numRuns: 300 });
  });

  it('refuses bytes that are none of its own, and never fails otherwise', () => {
    const control = fc
      .tuple(fc.nat(12), fc.nat(255), fc.uint8Array({ maxLength: 60 }))
      .map(([type, flags, payload]) => Buffer.from([0x80, 3, 0, type, flags, 0, 0, payload.length, ...payload]));
    const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    const property = fc.property(fc.array(fc.oneof(control, noise), { maxLength: 6 }), (chunks) => {
      const reader = frameReader(STREAM_LIMITS);
      try {
        for (const chunk of chunks) reader.push(chunk);
      } catch (error) {
        assert.ok(error instanceof StatusError, String(error));
      }
    });
    fc.assert(property, { seed: 1, numRuns: 1_000 });
  });

  const refused: [because: string, bytes: readonly number[], message: RegExp][] = [
    ['another version', [0x80, 2, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1], /version 3/],
    ['a control frame beyond the limit', [0x80, 3, 0, 1, 0, 0xff, 0xff, 0xff], /too long/],
    ['a control frame too short for its type', [0x80, 3, 0, 3, 0, 0, 0, 4, 0, 0, 0, 1], /too short/],
    ['data of stream 0', [0, 0, 0, 0, 0, 0, 0, 1, 0], /no stream/],
    ['a stream without a number', [0x80, 3, 0, 3, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1], /no number/],
    ['settings that claim more than they have', [0x80, 3, 0, 4, 0, 0, 0, 4, 0, 0, 0, 9], /length they claim/],
    ['a window that grows by nothing', [0x80, 3, 0, 9, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 0], /by nothing/],
    ['headers without the dictionary', [0x80, 3, 0, 2, 0, 0, 0, 8, 0, 0, 0, 1, 0x78, 0x9c, 1, 2], /dictionary/],
  ];
  for (const [because, bytes, message] of refused) {
    it(`refuses ${because}`, () => assert.throws(() => frameReader(STREAM_LIMITS).push(Buffer.from(bytes)), message));
  }

  it('passes over control frames it does not know', () => {
    const unknown = [0x80, 3, 0, 10, 0, 0, 0, 2, 1, 2];
    const ping = [0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1];
    assert.deepEqual(frameReader(STREAM_LIMITS).push(Buffer.from([...unknown, ...ping])), [{ type: 'ping', id: 1 }]);
  });
});
