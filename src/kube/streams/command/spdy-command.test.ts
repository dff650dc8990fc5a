import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import type { SpdyPeer } from '../spdy/testing.ts';
import { openSpdy, streamServer, upgrade } from '../testing.ts';

const EXEC = '/api/v1/namespaces/default/pods/web/exec';
const V4 = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const SUCCESS = '{"metadata":{},"status":"Success"}';

/** Opens streams as clients do: numbers 1, 3, 5 … */
async function openStreams(peer: SpdyPeer, ...types: readonly string[]): Promise<void> {
  types.forEach((streamtype, index) => peer.open(index * 2 + 1, { streamtype }));
  for (const _ of types) await peer.next('syn-reply');
}

describe('a command over SPDY', { timeout: 120_000 }, () => {
  it('has a stream for each direction', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const peer = await openSpdy(url, `${EXEC}?stdin=1&stdout=1&command=cat`, V4);
    await openStreams(peer, 'error', 'stdin', 'stdout');
    peer.data(3, 'hello ');
    peer.data(3, 'world', true);
    assert.equal(await peer.text(5), 'hello world');
    assert.equal(await peer.text(1), SUCCESS);
    assert.equal((await peer.next('go-away')).status, 0);
  });

  it('carries more than any buffer holds, both ways', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const peer = await openSpdy(url, `${EXEC}?stdin=1&stdout=1&command=cat`, V4);
    await openStreams(peer, 'error', 'stdin', 'stdout');
    for (let sent = 0; sent < 100; sent++) peer.data(3, 'x'.repeat(50_000), sent === 99);
    assert.equal((await peer.text(5)).length, 5_000_000);
  });

  it('tells its exit code, its failure, and, to clients of old, just the sentence', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const exiting = await openSpdy(url, `${EXEC}?stdout=1&command=exit&command=7`, V4);
    await openStreams(exiting, 'error', 'stdout');
    assert.deepEqual(JSON.parse(await exiting.text(1)).details.causes, [{ reason: 'ExitCode', message: '7' }]);
    const failing = await openSpdy(url, `${EXEC}?stdout=1&command=fail`, ['v3.channel.k8s.io']);
    await openStreams(failing, 'error', 'stdout');
    assert.equal(await failing.text(1), 'the runtime is broken');
  });

  it('is resized by a stream of its own', async (t) => {
    const { url, pod, asked } = await streamServer(t);
    await pod('web');
    const peer = await openSpdy(url, `${EXEC}?stdin=1&stdout=1&tty=1&command=cat`, V4);
    await openStreams(peer, 'error', 'stdin', 'stdout', 'resize');
    peer.data(7, '{"Width":120,"Height":40}\n');
    peer.data(3, '', true);
    await peer.text(1);
    assert.deepEqual(asked.sizes, [{ width: 120, height: 40 }]);
  });

  it('refuses streams that were not asked for, and the same one twice', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const peer = await openSpdy(url, `${EXEC}?stdout=1&command=say`, V4);
    peer.open(1, { streamtype: 'stdin' });
    assert.equal((await peer.next('rst-stream')).stream, 1);
    peer.open(3, { streamtype: 'error' });
    peer.open(5, { streamtype: 'error' });
    assert.equal((await peer.next('rst-stream')).stream, 5);
    peer.open(7, { streamtype: 'stdout' });
    assert.equal(await peer.text(3), SUCCESS);
  });

  it('is not started for a client that does not open its streams in time', async (t) => {
    const clock = fakeClock();
    const { url, pod, asked } = await streamServer(t, { clock });
    await pod('web');
    const peer = await openSpdy(url, `${EXEC}?stdout=1&command=say`, V4);
    peer.open(1, { streamtype: 'error' });
    await peer.next('syn-reply');
    const closed = once(peer.transport, 'close');
    await clock.advance(30_000);
    await closed;
    assert.deepEqual(asked.commands, []);
  });

  it('is cut off when it has been idle for four hours', async (t) => {
    const clock = fakeClock();
    const { url, pod, asked } = await streamServer(t, { clock });
    await pod('web');
    const peer = await openSpdy(url, `${EXEC}?stdout=1&command=hang`, V4);
    await openStreams(peer, 'error', 'stdout');
    const closed = once(peer.transport, 'close');
    await clock.advance(4 * 3_600_000 - 1);
    assert.equal(asked.commands[0]?.signal.aborted, false);
    await clock.advance(1);
    await closed;
    assert.equal(asked.commands[0]?.signal.aborted, true);
  });

  const refused: [because: string, protocols: readonly string[], code: number, message: RegExp][] = [
    ['no protocol', [], 400, /header X-Stream-Protocol-Version does not exist/],
    ['unknown protocols', ['a', 'b'], 403, /client supports \[a b\], server accepts \[v5.channel.k8s.io/],
  ];
  for (const [because, protocols, code, message] of refused) {
    it(`is refused with ${because}`, async (t) => {
      const { url, pod } = await streamServer(t);
      await pod('web');
      const answer = await upgrade(url, `${EXEC}?stdout=1&command=say`, protocols);
      assert.ok('code' in answer);
      assert.equal(answer.code, code);
      assert.match(answer.text, message);
    });
  }

  it('takes the first protocol of the client that it knows', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const answer = await upgrade(url, `${EXEC}?stdout=1&command=say`, ['v9', 'v4.channel.k8s.io', 'v5.channel.k8s.io']);
    assert.ok('socket' in answer);
    assert.equal(answer.protocol, 'v4.channel.k8s.io');
    answer.socket.destroy();
  });
});
