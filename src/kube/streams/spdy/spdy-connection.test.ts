import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { fakeClock } from '#base/clock.ts';
import { INITIAL_WINDOW, SETTING_INITIAL_WINDOW } from './frame.ts';
import type { SpdyStream } from './spdy-stream.ts';
import { joined } from './testing.ts';

/** Lets everything that can happen without new input happen. */
const settle = async () => {
  for (let turns = 0; turns < 50; turns++) await turn();
};

/** Reads to the end, without destroying the other direction as an iterator would. */
async function allOf(stream: SpdyStream | undefined): Promise<string> {
  assert.ok(stream);
  let text = '';
  stream.duplex.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(stream.duplex, 'end');
  return text;
}

describe('a SPDY connection', { timeout: 120_000 }, () => {
  it('takes streams, carries data both ways and half-closes them', async () => {
    const { peer, streams } = joined();
    peer.open(1, { streamtype: 'stdin' });
    assert.equal((await peer.next('syn-reply')).stream, 1);
    const stream = streams[0];
    assert.equal(stream?.headers['streamtype'], 'stdin');
    peer.data(1, 'to the server', true);
    assert.equal(await allOf(stream), 'to the server');
    stream?.duplex.end('to the client');
    assert.equal(await peer.text(1), 'to the client');
  });

  it('refuses streams that are not wanted, and those beyond the limit', async () => {
    const { peer, streams } = joined({ spdyStreams: 2 });
    peer.open(1, { refuse: 'this' });
    assert.deepEqual(await peer.next('rst-stream'), { type: 'rst-stream', stream: 1, status: 3 });
    for (const id of [3, 5, 7]) peer.open(id, {});
    assert.deepEqual(await peer.next('rst-stream'), { type: 'rst-stream', stream: 7, status: 3 });
    assert.deepEqual(
      streams.map(({ id }) => id),
      [3, 5],
    );
    peer.send({ type: 'rst-stream', stream: 3, status: 5 });
    peer.open(9, {});
    await settle();
    assert.equal(streams.at(-1)?.id, 9);
    assert.ok(streams[0]?.duplex.destroyed);
  });

  it('answers pings of the peer and no others', async () => {
    const { peer } = joined();
    peer.send({ type: 'ping', id: 2 }, { type: 'ping', id: 7 });
    assert.deepEqual(await peer.next('ping'), { type: 'ping', id: 7 });
  });

  it('tells the peer when a stream is given up', async () => {
    const { peer, streams } = joined();
    peer.open(1, {});
    await peer.next('syn-reply');
    streams[0]?.duplex.destroy();
    assert.deepEqual(await peer.next('rst-stream'), { type: 'rst-stream', stream: 1, status: 5 });
    peer.data(1, 'on its way already');
    peer.send({ type: 'ping', id: 1 });
    await peer.next('ping');
  });

  it('reads no further while a stream is full, and goes on when it has been read', async () => {
    const { peer, streams } = joined({ streamBufferBytes: 10_000 });
    peer.open(1, {});
    for (let sent = 0; sent < 50; sent++) peer.data(1, 'x'.repeat(10_000), sent === 49);
    peer.send({ type: 'ping', id: 1 });
    await settle();
    assert.ok(peer.transport.writableLength > 300_000, `${peer.transport.writableLength} bytes are held back`);
    assert.equal((await allOf(streams[0])).length, 500_000);
    await peer.next('ping');
  });

  it('credits what has been read to stream and connection', async () => {
    const { peer, streams } = joined();
    peer.open(1, {});
    peer.data(1, 'x'.repeat(INITIAL_WINDOW));
    await settle();
    streams[0]?.duplex.resume();
    const updates = [await peer.next('window-update'), await peer.next('window-update')];
    assert.deepEqual(new Set(updates.map(({ stream }) => stream)), new Set([0, 1]));
    assert.ok(updates.every(({ delta }) => delta >= INITIAL_WINDOW / 2));
  });

  it('sends without waiting to a peer that never speaks of windows', async () => {
    const { peer, streams } = joined();
    peer.open(1, {});
    await peer.next('syn-reply');
    streams[0]?.duplex.end('x'.repeat(500_000));
    assert.equal((await peer.text(1)).length, 500_000);
  });

  it('keeps to the windows of a peer that does', async () => {
    const { peer, streams } = joined();
    peer.send({ type: 'settings', values: new Map([[SETTING_INITIAL_WINDOW, 1_000]]) });
    peer.open(1, {});
    await peer.next('syn-reply');
    streams[0]?.duplex.end('x'.repeat(3_000));
    assert.equal((await peer.next('data')).bytes.length, 1_000);
    peer.send({ type: 'window-update', stream: 1, delta: 500 });
    assert.equal((await peer.next('data')).bytes.length, 500);
    peer.send({ type: 'window-update', stream: 1, delta: 5_000 });
    assert.equal((await peer.text(1)).length, 1_500);
  });

  it('resets a stream whose window overflows', async () => {
    const { peer } = joined();
    peer.open(1, {});
    peer.send({ type: 'window-update', stream: 1, delta: 0x7fff_ffff });
    assert.deepEqual(await peer.next('rst-stream'), { type: 'rst-stream', stream: 1, status: 7 });
  });

  it('sends all that was written before it says goodbye', async () => {
    const { peer, connection, streams } = joined();
    peer.open(1, {});
    await peer.next('syn-reply');
    streams[0]?.duplex.end('x'.repeat(100_000));
    await once(streams[0]?.duplex ?? peer.transport, 'finish');
    connection.close();
    assert.equal((await peer.text(1)).length, 100_000);
    assert.deepEqual(await peer.next('go-away'), { type: 'go-away', lastStream: 1, status: 0 });
    peer.transport.end();
    await connection.closed;
  });

  it('cuts off a peer that does not hang up in time', async () => {
    const clock = fakeClock();
    const { connection, peer } = joined({ lingerMs: 1_000 }, clock);
    connection.close();
    await peer.next('go-away');
    await clock.advance(1_000);
    await connection.closed;
  });

  it('cuts off a peer that asks and asks, but never reads', async () => {
    const { peer, connection } = joined({ unsentControlBytes: 10_000 });
    peer.transport.pause();
    for (let id = 1; id < 8_000; id += 2) peer.send({ type: 'ping', id });
    await connection.closed;
  });

  it('ends its streams when the peer goes away', async () => {
    const clock = fakeClock();
    const { peer, connection, streams } = joined({ lingerMs: 1_000 }, clock);
    peer.open(1, {});
    await peer.next('syn-reply');
    peer.transport.destroy();
    await clock.advance(1_000);
    await connection.closed;
    assert.ok(streams[0]?.duplex.destroyed);
  });

  const violations: [because: string, act: (peer: ReturnType<typeof joined>['peer']) => void][] = [
    ['opens a stream of ours', (peer) => peer.open(2, {})],
    ['opens a stream twice', (peer) => [1, 1].forEach((id) => peer.open(id, {}))],
    ['sends data on a stream that it never opened', (peer) => peer.data(9, 'x')],
    [
      'overflows the window of the connection',
      (peer) => peer.send({ type: 'window-update', stream: 0, delta: 0x7fff_ffff }),
    ],
    ['speaks no SPDY', (peer) => void peer.transport.write('GET / HTTP/1.1\r\n\r\n'.repeat(10))],
  ];
  for (const [because, act] of violations) {
    it(`tells a peer to go away that ${because}`, async () => {
      const { peer } = joined();
      act(peer);
      assert.equal((await peer.next('go-away')).status, 1);
    });
  }

  it('survives whatever it is sent', async () => {
    const property = fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 5 }), async (chunks) => {
      const { peer, connection } = joined();
      for (const chunk of chunks) peer.transport.write(Buffer.from(chunk));
      peer.transport.end();
      peer.transport.resume();
      await connection.closed;
    });
    await fc.assert(property, { seed: 1, numRuns: 100 });
  });
});
