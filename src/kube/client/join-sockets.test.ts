import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { joinSockets } from './join-sockets.ts';

/** All that comes, up to its end; the connection stays open the other way. */
async function heard(socket: Socket): Promise<string> {
  let all = '';
  socket.on('data', (chunk: Buffer) => (all += chunk.toString()));
  await once(socket, 'end');
  return all;
}

/** Both ends of a connection. */
async function pair(t: TestContext): Promise<{ readonly near: Socket; readonly far: Socket }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  const [far] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    near.destroy();
    far.destroy();
    server.close();
  });
  return { near, far };
}

describe('two connections that are joined', { timeout: 60_000 }, () => {
  it('pass on everything, also what is said after the other has ended', async (t) => {
    const [caller, member] = [await pair(t), await pair(t)];
    const joined = joinSockets(caller.far, member.near);
    member.far.end('the last words of a server');
    assert.equal(await heard(caller.near), 'the last words of a server');
    caller.near.end('x'.repeat(300_000));
    assert.equal((await heard(member.far)).length, 300_000);
    await joined;
  });

  it('break together', async (t) => {
    const [caller, member] = [await pair(t), await pair(t)];
    const joined = joinSockets(caller.far, member.near);
    member.far.resetAndDestroy();
    caller.near.on('error', () => undefined);
    await joined;
    assert.ok(caller.far.destroyed && member.near.destroyed);
  });

  it('do not wait for ever for one of them to hang up', async (t) => {
    const clock = fakeClock();
    const [caller, member] = [await pair(t), await pair(t)];
    const joined = joinSockets(caller.far, member.near, { clock });
    caller.far.on('end', () => undefined);
    member.far.end();
    await once(member.near, 'end');
    member.near.end();
    await once(member.near, 'close');
    assert.ok(!caller.far.destroyed);
    await clock.advance(5_000);
    await joined;
  });
});
