import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { openSocket, refusedSocket, streamServer } from '../testing.ts';

const EXEC = '/api/v1/namespaces/default/pods/web/exec';
const run = (...command: readonly string[]) =>
  `${EXEC}?stdin=true&stdout=true&stderr=true&${command.map((word) => `command=${encodeURIComponent(word)}`).join('&')}`;
const SUCCESS = '{"metadata":{},"status":"Success"}';

describe('a command over a WebSocket', { timeout: 120_000 }, () => {
  it('has its input, its output and its end told apart', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const client = await openSocket(url, run('cat'), 'v5.channel.k8s.io');
    client.send(0, 'hello ');
    client.send(0, 'world');
    client.socket.send(Buffer.from([255, 0]));
    assert.equal((await client.closed).code, 1000);
    assert.equal(client.channel(1), 'hello world');
    assert.equal(client.channel(3), SUCCESS);
  });

  it('says at once that it is being started', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const client = await openSocket(url, run('hang'), 'v5.channel.k8s.io');
    await client.until(() => client.count() === 1);
    assert.equal(client.channel(1), '');
    client.socket.terminate();
  });

  it('tells a failure by its exit code', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const client = await openSocket(url, run('exit', '3'), 'v4.channel.k8s.io');
    await client.closed;
    const status = JSON.parse(client.channel(3));
    assert.equal(status.status, 'Failure');
    assert.equal(status.reason, 'NonZeroExitCode');
    assert.deepEqual(status.details, { causes: [{ reason: 'ExitCode', message: '3' }] });
  });

  it('keeps stderr apart, and tells why it could not be run', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const complaining = await openSocket(url, run('complain', 'bitterly'), 'v5.channel.k8s.io');
    await complaining.closed;
    assert.deepEqual([complaining.channel(1), complaining.channel(2)], ['', 'bitterly']);
    const failing = await openSocket(url, run('fail'), 'v5.channel.k8s.io');
    await failing.closed;
    assert.equal(JSON.parse(failing.channel(3)).message, 'the runtime is broken');
  });

  it('speaks base64 to those who ask for it, and plain text to those of old', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const client = await openSocket(url, run('say', 'ünïcode'), 'v4.base64.channel.k8s.io');
    await client.closed;
    assert.deepEqual([client.channel(1), client.channel(3)], ['ünïcode', SUCCESS]);
    const old = await openSocket(url, run('fail'), 'channel.k8s.io');
    await old.closed;
    assert.equal(old.channel(3), 'the runtime is broken');
  });

  it('is resized with its terminal', async (t) => {
    const { url, pod, asked } = await streamServer(t);
    await pod('web');
    const client = await openSocket(url, `${run('cat')}&tty=true`, 'v5.channel.k8s.io');
    client.send(4, '{"Width":80,"Hei');
    client.send(4, 'ght":24}{"Width":100,"Height":30}nonsense');
    client.socket.send(Buffer.from([255, 0]));
    await client.closed;
    assert.deepEqual(asked.sizes, [
      { width: 80, height: 24 },
      { width: 100, height: 30 },
    ]);
    assert.equal(asked.commands[0]?.stderr, false, 'a terminal has one output');
  });

  it('is ended when its client goes', async (t) => {
    const { url, pod, asked } = await streamServer(t);
    await pod('web');
    const client = await openSocket(url, run('hang'), 'v5.channel.k8s.io');
    await client.until(() => client.count() === 1);
    const stopped = once(asked.commands[0]?.signal ?? new EventTarget(), 'abort');
    client.socket.terminate();
    await stopped;
  });

  it('is ended with the server', async (t) => {
    const { url, pod, server } = await streamServer(t);
    await pod('web');
    const client = await openSocket(url, run('hang'), 'v5.channel.k8s.io');
    await Promise.all([client.closed, server.close()]);
  });

  it('is cut off when a message is too long, and when it breaks the protocol', async (t) => {
    const { url, pod } = await streamServer(t, { limits: { messageBytes: 1_000 } });
    await pod('web');
    const long = await openSocket(url, run('cat'), 'v5.channel.k8s.io');
    long.send(0, 'x'.repeat(1_000));
    assert.equal((await long.closed).code, 1009);
    const wrong = await openSocket(url, run('cat'), 'v5.channel.k8s.io');
    wrong.socket.send(Buffer.from([255]));
    assert.equal((await wrong.closed).code, 1002);
  });

  it('reads no further while the command does not', async (t) => {
    const { url, pod } = await streamServer(t, { limits: { streamBufferBytes: 10_000 } });
    await pod('web');
    const client = await openSocket(url, run('hang'), 'v5.channel.k8s.io');
    // More than all buffers on the way can hold: the sockets of both ends and the command's own input.
    let sent = 0;
    const block = Buffer.alloc(1 << 20);
    for (; sent < 64 && client.socket.bufferedAmount < 4 << 20; sent++) {
      client.socket.send(block);
      await new Promise(setImmediate);
    }
    assert.ok(client.socket.bufferedAmount >= 4 << 20, `${client.socket.bufferedAmount} bytes wait at the client`);
    client.socket.terminate();
  });

  it('is cut off when its client asks and asks, but never reads', async (t) => {
    const { url, pod, asked } = await streamServer(t, { limits: { unsentControlBytes: 10_000 } });
    await pod('web');
    const client = await openSocket(url, run('hang'), 'v5.channel.k8s.io');
    await client.until(() => client.count() === 1);
    const { socket } = client;
    socket.pause();
    socket.on('error', () => undefined);
    while (!asked.commands[0]?.signal.aborted) {
      for (let pings = 0; pings < 1_000; pings++) socket.ping(Buffer.alloc(125));
      await new Promise(setImmediate);
    }
    socket.terminate();
  });

  const refused: [because: string, path: string, protocol: string, code: number, message: RegExp][] = [
    ['an unknown protocol', run('cat'), 'v9.channel.k8s.io', 400, /supports \[v5.channel.k8s.io/],
    ['no command', `${EXEC}?stdout=true`, 'v5.channel.k8s.io', 400, /at least one command/],
    ['no stream', `${EXEC}?command=cat`, 'v5.channel.k8s.io', 400, /at least 1 of stdin, stdout, stderr/],
    ['an unknown container', `${run('cat')}&container=x`, 'v5.channel.k8s.io', 400, /container x is not valid/],
    ['an unknown pod', run('cat').replace('web', 'gone'), 'v5.channel.k8s.io', 404, /pods "gone" not found/],
    ['a pod without a node', run('cat').replace('web', 'nowhere'), 'v5.channel.k8s.io', 400, /have a host assigned/],
  ];
  for (const [because, path, protocol, code, message] of refused) {
    it(`is refused with ${because}`, async (t) => {
      const { url, pod } = await streamServer(t);
      await pod('web');
      await pod('nowhere', { nodeName: '' });
      const answer = await refusedSocket(url, path, protocol);
      assert.equal(answer.code, code);
      assert.match(answer.status.message, message);
    });
  }

  it('is refused without an upgrade, beyond the number of sessions, and to those who may only read', async (t) => {
    const readers = {
      authorize: (user: { readonly name: string }, { verb }: { readonly verb: string }) => ({
        allowed: user.name === 'admin' || verb === 'get',
      }),
      rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
    };
    const { url, pod, call } = await streamServer(t, { limits: { sessions: 1 }, server: { authorizer: readers } });
    await pod('web');
    assert.match((await call('GET', run('cat'))).body.message, /Upgrade request required/);
    const reader = await refusedSocket(url, run('cat'), 'v5.channel.k8s.io', 'tok-alice');
    assert.equal(reader.code, 403);
    const first = await openSocket(url, run('hang'), 'v5.channel.k8s.io');
    assert.equal((await refusedSocket(url, run('cat'), 'v5.channel.k8s.io')).code, 429);
    first.socket.terminate();
  });

  it('can be joined instead of started', async (t) => {
    const { url, pod } = await streamServer(t);
    await pod('web');
    const client = await openSocket(url, `${EXEC.replace('exec', 'attach')}?stdout=true`, 'v5.channel.k8s.io');
    await client.closed;
    assert.equal(client.channel(1), 'attached');
  });
});
