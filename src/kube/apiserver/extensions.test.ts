import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import type { ApiExtension } from './extension.ts';
import { testServer } from './testing.ts';

const base = { group: 'tests.example.io', version: 'v1', resource: 'echoes', kind: { kind: 'Echo' }, namespaced: true };

const echo: ApiExtension = {
  ...base,
  verbs: ['get', 'create'],
  async serve(request) {
    const { verb, user, namespace, name, query } = request;
    if (name === 'missing') throw new StatusError('NotFound', 'no such echo');
    return {
      object: { kind: 'Echo', verb, user: user.name, namespace, name, q: query.get('q'), body: await request.body() },
    };
  },
};

const tunnel: ApiExtension = {
  ...base,
  subresource: 'tunnel',
  verbs: ['get'],
  async serve({ raw, rest }) {
    if (raw && 'upgrade' in raw) raw.upgrade.socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\nthrough ${rest}`);
    else if (raw) raw.response.writeHead(200, { 'content-type': 'text/plain' }).end(`plain ${rest}`);
    return undefined;
  },
};

describe('An extension', () => {
  it('answers with objects over HTTP and in-process', async (t) => {
    const { call, server } = await testServer(t, { extensions: [echo] });
    const path = '/apis/tests.example.io/v1/namespaces/n/echoes';
    const posted = await call('POST', `${path}?q=1`, { hello: 'you' });
    assert.equal(posted.code, 201);
    assert.deepEqual(posted.body, {
      kind: 'Echo',
      verb: 'create',
      user: 'admin',
      namespace: 'n',
      q: '1',
      body: { hello: 'you' },
    });
    assert.equal((await call('GET', `${path}/missing`)).body.message, 'no such echo');
    const got = await server.client().get(base, { namespace: 'n', name: 'a' });
    assert.equal(got['name'], 'a');
  });

  it('is listed in discovery, and its group with it', async (t) => {
    const { call, server } = await testServer(t, { extensions: [echo, tunnel] });
    const { body } = await call('GET', '/apis/tests.example.io/v1');
    assert.deepEqual(
      body.resources.map(({ name, verbs }: { name: string; verbs: string[] }) => [name, verbs.join()]),
      [
        ['echoes', 'get,create'],
        ['echoes/tunnel', 'get'],
      ],
    );
    const found = (await server.client().discover()).find(({ resource }) => resource === 'echoes');
    assert.deepEqual(found?.subresources, ['tunnel']);
  });

  it('may take the connection, and with it upgrades', async (t) => {
    const { call, url } = await testServer(t, { extensions: [tunnel] });
    const path = '/apis/tests.example.io/v1/namespaces/n/echoes/a/tunnel/deep/down';
    assert.equal((await call('GET', path)).text, 'plain deep/down');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const headers = 'host: x\r\nauthorization: Bearer admin\r\nconnection: upgrade\r\nupgrade: test\r\n';
    socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
    const chunks = await socket.toArray();
    assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1.1 101 .*through deep\/down$/s);
  });

  it('refuses upgrades to those who may not, and where nobody serves them', async (t) => {
    const { url } = await testServer(t, { extensions: [tunnel] });
    for (const [token, path, code] of [
      ['nobody', '/apis/tests.example.io/v1/namespaces/n/echoes/a/tunnel', '401'],
      ['tok-alice', '/apis/tests.example.io/v1/namespaces/n/echoes/a/tunnel', '403'],
      ['admin', '/api/v1/namespaces/n/pods/p/exec', '404'],
    ]) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const headers = `host: x\r\nauthorization: Bearer ${token}\r\nconnection: upgrade\r\nupgrade: test\r\n`;
      socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
      assert.match(Buffer.concat(await socket.toArray()).toString(), new RegExp(`^HTTP/1.1 ${code} `));
    }
  });
});
