import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { constants, createDeflate, createInflate } from 'node:zlib';
import { STREAM_LIMITS } from '../limits.ts';
import { DICTIONARY } from './dictionary.ts';
import { decodeHeaders, encodeHeaders, headerDeflater, headerInflater } from './header-block.ts';

const BLOCKS = [
  { streamtype: 'error', port: '8080', requestid: '0' },
  { streamtype: 'data', port: '8080', requestid: '0' },
  { long: 'x'.repeat(40_000) },
  { streamtype: 'data', port: '8080', requestid: '1' },
];

/** One stream of zlib's own, flushed after every block as other peers do. */
function oneStream(stream: ReturnType<typeof createDeflate> | ReturnType<typeof createInflate>) {
  return (block: Buffer) =>
    new Promise<Buffer>((resolve, reject) => {
      const parts: Buffer[] = [];
      const gather = (part: Buffer) => parts.push(part);
      stream.on('data', gather).on('error', reject);
      stream.write(block, () =>
        stream.flush(constants.Z_SYNC_FLUSH, () => {
          stream.off('data', gather);
          resolve(Buffer.concat(parts));
        }),
      );
    });
}

describe('SPDY headers', () => {
  it('are read from a peer that compresses all blocks as one stream', async () => {
    const deflate = oneStream(createDeflate({ dictionary: DICTIONARY, level: 9 }));
    const inflate = headerInflater(STREAM_LIMITS);
    for (const headers of BLOCKS) assert.deepEqual(inflate(await deflate(encodeHeaders(headers))), headers);
  });

  it('are understood by a peer that inflates all blocks as one stream', async () => {
    const inflate = oneStream(createInflate({ dictionary: DICTIONARY }));
    const deflate = headerDeflater();
    for (const headers of BLOCKS) {
      assert.deepEqual(decodeHeaders(await inflate(deflate(headers)), STREAM_LIMITS), headers);
    }
  });

  it('are refused when they inflate beyond the limit', () => {
    const bomb = headerDeflater()({ bomb: 'x'.repeat(1_000_000) });
    assert.ok(bomb.length < 2_000);
    assert.throws(() => headerInflater(STREAM_LIMITS)(bomb), /cannot be inflated/);
  });

  const refused: [because: string, bytes: Buffer, message: RegExp][] = [
    ['too many', Buffer.from([0, 0, 1, 0]), /256 SPDY headers are more than 100/],
    ['a name longer than what is there', Buffer.from([0, 0, 0, 1, 0, 0, 0, 9, 97]), /end early/],
    ['a name in capitals', encodeHeaders({ Port: '1' }), /"Port" is not allowed/],
    ['an empty name', encodeHeaders({ '': '1' }), /"" is not allowed/],
    ['a name given twice', twice(encodeHeaders({ port: '1' })), /"port" is not allowed/],
    ['bytes after the last', Buffer.concat([encodeHeaders({ port: '1' }), Buffer.alloc(1)]), /do not end/],
  ];
  for (const [because, bytes, message] of refused) {
    it(`are refused for ${because}`, () => assert.throws(() => decodeHeaders(bytes, STREAM_LIMITS), message));
  }
});

function twice(block: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, 2]), block.subarray(4), block.subarray(4)]);
}
