import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { WebSocketServer } from 'ws';
import { StatusError } from '#base/status-error.ts';
import type { Pod } from '#gen/kube/types.ts';
import { openSocket, PODS, streamServer } from '../testing.ts';

const NAMESPACE = '/api/v1/namespaces/default';

interface Seen {
  readonly request: IncomingMessage;
  readonly to: string;
}

/** A server in the cluster that answers with what it was asked, and all who were asked. */
async function proxied(t: TestContext, answer?: RequestListener) {
  const seen: Seen[] = [];
  const connectTo = (to: string) => {
    const server = createServer((asked, response) => {
      seen.push({ request: asked, to });
      if (answer) return answer(asked, response);
      asked.setEncoding('utf8').on('data', (chunk) => response.write(chunk));
      asked.on('end', () => response.end(`${asked.method} ${asked.url} at ${to}`));
    });
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (asked, socket, head) =>
      sockets.handleUpgrade(asked, socket, head, (own) => own.on('message', (data) => own.send(data))),
    );
    const [near, far] = duplexPair();
    server.emit('connection', far);
    return Promise.resolve(near);
  };
  const test = await streamServer(t, {
    streams: {
      connect: (pod, port) =>
        port === 1
          ? Promise.reject(new StatusError('ServiceUnavailable', 'connection refused'))
          : connectTo(`${pod.metadata.name}:${port}`),
      connectNode: (node, port) => connectTo(`${node.metadata.name}:${port ?? 'kubelet'}`),
    },
  });
  return { ...test, seen };
}

type Server = Awaited<ReturnType<typeof proxied>>;

async function readyPod({ pod, server }: Server, name: string, app = name): Promise<void> {
  const created = await pod(name, {
    containers: [{ name: 'c', image: 'c', ports: [{ name: 'web', containerPort: 8080 }] }],
  });
  const status = { podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] };
  const labelled = await server
    .client()
    .update<Pod>(PODS, { ...created, metadata: { ...created.metadata, labels: { app } } });
  await server.client().update<Pod>(PODS, { ...labelled, status }, { subresource: 'status' });
}

async function service({ server }: Server, name: string, ports: readonly object[]): Promise<void> {
  await server.client().create(
    { group: '', version: 'v1', resource: 'services' },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'default' },
      spec: { selector: { app: 'web' }, ports },
    },
  );
}

describe('a proxy into the cluster', { timeout: 120_000 }, () => {
  it('hands a request to a pod as it is, and its answer back', async (t) => {
    const test = await proxied(t);
    await readyPod(test, 'web');
    const { text, code } = await test.call('GET', `${NAMESPACE}/pods/web/proxy/a%2Fb/c?x=%20y&watch=true`);
    assert.deepEqual([code, text], [200, 'GET /a%2Fb/c?x=%20y&watch=true at web:8080']);
    const posted = await test.call('POST', `${NAMESPACE}/pods/http:web:9090/proxy/`, 'body ');
    assert.equal(posted.text, 'body POST / at web:9090');
  });

  it('keeps the credentials of its caller', async (t) => {
    const test = await proxied(t);
    await readyPod(test, 'web');
    const secret = {
      'impersonate-user': 'admin',
      'impersonate-group': 'system:masters',
      'x-remote-user': 'admin',
      connection: 'x-own',
      'x-own': '1',
      cookie: 'c=1',
    };
    await test.call('GET', `${NAMESPACE}/pods/web/proxy/`, undefined, secret);
    const { headers = {} } = test.seen[0]?.request ?? {};
    for (const name of ['authorization', 'impersonate-user', 'x-remote-user', 'x-own'])
      assert.equal(headers[name], undefined);
    assert.equal(headers.cookie, 'c=1');
    assert.equal(headers['x-forwarded-uri'], `${NAMESPACE}/pods/web/proxy/`);
  });

  it('sends those who forget the slash there again', async (t) => {
    const { call } = await proxied(t);
    const { code, headers } = await call('GET', `${NAMESPACE}/pods/web/proxy?a=1`);
    assert.deepEqual([code, headers['location']], [301, `${NAMESPACE}/pods/web/proxy/?a=1`]);
  });

  it('keeps redirects of the server behind it', async (t) => {
    const test = await proxied(t, (asked, response) => {
      response.writeHead(302, { location: String(asked.headers['x-to']) }).end();
    });
    await readyPod(test, 'web');
    const to = async (location: string) =>
      (await test.call('GET', `${NAMESPACE}/pods/web/proxy/`, undefined, { 'x-to': location })).headers['location'];
    assert.equal(await to('/login'), `${NAMESPACE}/pods/web/proxy/login`);
    assert.equal(await to('next'), 'next');
    assert.equal(await to('https://elsewhere.example/x'), 'https://elsewhere.example/x');
  });

  it('finds ready pods behind a service, in turn, by number or name of a port', async (t) => {
    const test = await proxied(t);
    await readyPod(test, 'a', 'web');
    await readyPod(test, 'b', 'web');
    await test.pod('not-ready');
    await service(test, 'web', [
      { name: 'http', port: 80, targetPort: 'web' },
      { name: 'admin', port: 81, targetPort: 9000 },
    ]);
    const ask = async (id: string) => (await test.call('GET', `${NAMESPACE}/services/${id}/proxy/`)).text;
    const answers = new Set([await ask('web:80'), await ask('web:80')]);
    assert.deepEqual(answers, new Set(['GET / at a:8080', 'GET / at b:8080']));
    assert.match(await ask('web:admin'), /:9000$/);
    assert.match(await ask('web:99'), /no service port 99 found for service \\"web\\"/);
    assert.match(await ask('web'), /no endpoints available for service \\"web\\"/);
  });

  it('reaches the kubelet of a node, and its other ports', async (t) => {
    const test = await proxied(t);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } };
    await test.server.client().create({ group: '', version: 'v1', resource: 'nodes' }, node);
    assert.equal((await test.call('GET', '/api/v1/nodes/n1/proxy/healthz')).text, 'GET /healthz at n1:kubelet');
    assert.equal((await test.call('GET', '/api/v1/nodes/n1:9100/proxy/')).text, 'GET / at n1:9100');
  });

  it('passes WebSockets through', async (t) => {
    const test = await proxied(t);
    await readyPod(test, 'web');
    const client = await openSocket(test.url, `${NAMESPACE}/pods/web/proxy/socket`, 'chat');
    client.send(0, 'hello');
    await client.until(() => client.channel(0) === 'hello');
    client.socket.terminate();
  });

  it('lets a refused upgrade be read', async (t) => {
    const test = await proxied(t);
    await readyPod(test, 'web');
    const headers = { authorization: 'Bearer admin', connection: 'Upgrade', upgrade: 'websocket' };
    const asked = request(`${test.url}${NAMESPACE}/pods/web/proxy/`, { headers });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 400);
    response.resume();
    await once(response, 'end');
  });

  const refused: [because: string, path: string, code: number, message: RegExp][] = [
    ['an unknown pod', '/pods/gone/proxy/', 404, /pods "gone" not found/],
    ['a pod without an address', '/pods/new/proxy/', 400, /address not allowed/],
    ['a port that is none', '/pods/web:x/proxy/', 400, /unable to parse "x" as a port/],
    ['a scheme that is none', '/pods/ftp:web:21/proxy/', 400, /invalid pod request "ftp:web:21"/],
    ['a port where nobody is', '/pods/web:1/proxy/', 503, /error trying to reach service: connection refused/],
  ];
  for (const [because, path, code, message] of refused) {
    it(`refuses ${because}`, async (t) => {
      const test = await proxied(t);
      await readyPod(test, 'web');
      await test.pod('new');
      const answer = await test.call('GET', `${NAMESPACE}${path}`);
      assert.equal(answer.code, code);
      assert.match(answer.body.message, message);
    });
  }
});
