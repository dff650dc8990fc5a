import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import type { SpdyPeer } from '../spdy/testing.ts';
import { openSocket, openSpdy, openTunnel, refusedSocket, streamServer } from '../testing.ts';

const PATH = '/api/v1/namespaces/default/pods/web/portforward';
const PROTOCOL = 'portforward.k8s.io';

/** Both streams of one forwarded connection, as kubectl opens them. */
async function openPair(peer: SpdyPeer, first: number, requestid: string, port = '8080'): Promise<void> {
  peer.open(first, { streamtype: 'error', port, requestid });
  peer.open(first + 2, { streamtype: 'data', port, requestid });
  await peer.next('syn-reply');
  await peer.next('syn-reply');
  peer.data(first, '', true);
}

describe('port-forward', { timeout: 120_000 }, () => {
  const ways: [name: string, open: (url: string) => Promise<SpdyPeer>][] = [
    ['SPDY', (url) => openSpdy(url, PATH, [PROTOCOL])],
    ['SPDY in a WebSocket', (url) => openTunnel(url, PATH, `SPDY/3.1+${PROTOCOL}`)],
  ];
  for (const [name, open] of ways) {
    it(`carries several connections at a time over ${name}`, async (t) => {
      const { url, pod, asked } = await streamServer(t);
      await pod('web');
      const peer = await open(url);
      await openPair(peer, 1, '0');
      await openPair(peer, 5, '1', '9090');
      peer.data(3, 'to the first', true);
      peer.data(7, 'to the second', true);
      assert.equal(await peer.text(7), 'to the second');
      assert.equal(await peer.text(3), 'to the first');
      assert.equal(await peer.text(1), '');
      assert.deepEqual(
        asked.connections.map(({ port }) => port),
        [8080, 9090],
      );
      peer.transport.end();
    });
  }

  it('says on the error stream why a port is not reached, and takes further connections', async (t) => {
    const { url, pod } = await streamServer(t);
    const { metadata } = await pod('web');
    const peer = await openSpdy(url, PATH, [PROTOCOL]);
    await openPair(peer, 1, '0', '1');
    assert.equal(await peer.text(1), `error forwarding port 1 to pod web, uid ${metadata.uid}: connection refused`);
    assert.equal((await peer.next('rst-stream')).stream, 3);
    await openPair(peer, 5, '1');
    peer.data(7, 'still here', true);
    assert.equal(await peer.text(7), 'still here');
  });

  it('pairs the streams of clients that number no requests', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const peer = await openSpdy(url, PATH, [PROTOCOL]);
    peer.open(1, { streamtype: 'error', port: '80' });
    peer.open(3, { streamtype: 'data', port: '80' });
    peer.data(3, 'paired', true);
    assert.equal(await peer.text(3), 'paired');
  });

  it('refuses streams that make no sense', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const peer = await openSpdy(url, PATH, [PROTOCOL]);
    const wrong = [
      { streamtype: 'data', requestid: '0' },
      { streamtype: 'data', requestid: '0', port: '0' },
      { streamtype: 'data', requestid: '0', port: '65536' },
      { streamtype: 'stdin', requestid: '0', port: '80' },
    ];
    for (const [index, headers] of wrong.entries()) {
      peer.open(index * 2 + 1, headers);
      assert.equal((await peer.next('rst-stream')).stream, index * 2 + 1);
    }
  });

  it('gives up a stream whose other half does not come', async (t) => {
    const clock = fakeClock();
    const { url, pod } = await streamServer(t, { clock });
    await pod('web');
    const peer = await openSpdy(url, PATH, [PROTOCOL]);
    peer.open(1, { streamtype: 'data', port: '80', requestid: '0' });
    await peer.next('syn-reply');
    await clock.advance(30_000);
    assert.equal((await peer.next('rst-stream')).stream, 1);
  });

  it('ends its connections when the client goes', async (t) => {
    const { url, pod, asked } = await streamServer(t);
    await pod('web');
    const peer = await openSpdy(url, PATH, [PROTOCOL]);
    await openPair(peer, 1, '0');
    const stopped = once(asked.connections[0]?.signal ?? new EventTarget(), 'abort');
    peer.transport.destroy();
    await stopped;
  });

  it('speaks channels to clients without SPDY', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const client = await openSocket(url, `${PATH}?ports=8080,1`, 'v4.channel.k8s.io');
    client.send(0, 'hello');
    await client.until(() => client.channel(3).includes('refused') && client.channel(0).length >= 7);
    const port = Buffer.from([0x90, 0x1f]).toString();
    assert.equal(client.channel(0), `${port}hello`);
    assert.equal(client.channel(1), port);
    assert.match(client.channel(3), /error forwarding port 1 to pod web/);
    client.socket.terminate();
  });

  it('refuses too many ports, and none', async (t) => {
    const { url, pod } = await streamServer(t, { limits: { forwardedPorts: 2 } });
    await pod('web');
    const asked = (query: string) => refusedSocket(url, `${PATH}${query}`, 'v4.channel.k8s.io');
    assert.match((await asked('?ports=1,2,3')).status.message, /no more than 2 ports/);
    assert.match((await asked('')).status.message, /"ports" is required/);
    assert.match((await asked('?ports=http')).status.message, /unable to parse "http" as a port/);
  });
});
