import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { transport } from './transport.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** A server that answers the first request of each connection and hangs up on the second, as one that just gave it up does. */
async function forgetful(t: TestContext): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      asked.push(data.toString().split(' ')[0] ?? '');
      if (++requests === 1) socket.write(OK);
      else socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function sender(t: TestContext, url: string) {
  const connection = transport({ server: url });
  t.after(() => connection.close());
  return async (method: string, body?: string) => {
    const answer = await connection.send({ method, path: '/', ...(body === undefined ? {} : { body }) });
    answer.setEncoding('utf8');
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    return text;
  };
}

describe('a kept connection that the server has just given up', () => {
  it('costs a read nothing: it is asked again on a new one', async (t) => {
    const { url, asked } = await forgetful(t);
    const send = sender(t, url);
    assert.equal(await send('GET'), 'ok');
    assert.equal(await send('GET'), 'ok');
    assert.deepEqual(asked, ['GET', 'GET', 'GET']);
  });

  it('fails a write, which may have been done', async (t) => {
    const { url, asked } = await forgetful(t);
    const send = sender(t, url);
    assert.equal(await send('POST', '{}'), 'ok');
    await assert.rejects(send('POST', '{}'), { reason: 'ServiceUnavailable' });
    assert.deepEqual(asked, ['POST', 'POST']);
  });
});
