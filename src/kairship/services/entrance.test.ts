import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { transport } from '#kube/client/transport.ts';
import { createCa } from '#kube/pki/ca.ts';
import { StatusError } from '#base/status-error.ts';
import { identify } from '../access/identify.ts';
import { instanceProxy } from '../proxy/instance-proxy.ts';
import { consoleFiles } from './console-files.ts';
import { entrance } from './entrance.ts';
import { SESSION_COOKIE, sessions } from './session.ts';
import { type OnePort, onePort } from '#rpc/index.ts';

interface Answer {
  readonly code: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

describe('the entrance', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kairship-entrance-'));
  const desk = sessions({ key: 'secret', clock: systemClock });
  /** Stands where an instance is: tells what reached it, echoes bodies, and upgrades to an echo. */
  const seen: { method: string; url: string; headers: http.IncomingHttpHeaders }[] = [];
  const instance = http.createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    request.pipe(response);
  });
  let server: OnePort;
  let port: number;
  let ca: string;

  before(async () => {
    writeFileSync(join(directory, 'index.html'), '<title>console</title>');
    writeFileSync(join(directory, 'app.js'), 'void 0');
    instance.on('upgrade', (request, socket) => {
      if (request.url === '/refused') {
        socket.end('HTTP/1.1 403 Forbidden\r\ntransfer-encoding: chunked\r\n\r\n5\r\nsorry\r\n0\r\n\r\n');
        return;
      }
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n');
      socket.pipe(socket);
    });
    instance.listen(0, '127.0.0.1');
    await once(instance, 'listening');
    const authority = await createCa({ commonName: 'test' });
    const tls = await authority.issue({ commonName: 'server', ips: ['127.0.0.1'], usages: ['server'] });
    ca = authority.cert;
    const behind = transport({
      server: `http://127.0.0.1:${(instance.address() as AddressInfo).port}`,
      token: 'platform',
    });
    const door = entrance({
      proxy: instanceProxy((name) => (name === 'demo' ? behind : undefined)),
      identify: identify({
        identities: { authenticate: () => Promise.reject(new StatusError('Unauthorized', 'Unauthorized')) },
        adminToken: 'admin-token',
        admin: { user: 'admin', groups: ['system:masters'] },
        userOf: (cookie) => desk.userOf(cookie),
        cookieName: SESSION_COOKIE,
      }),
      admit: (caller) => caller,
      sessions: desk,
      console: consoleFiles(directory),
      api: () => false,
      ready: () => true,
    });
    server = onePort({
      tls,
      onRequest: (...exchange) => door.request(...exchange),
      onUpgrade: (...asked) => door.upgrade(...asked),
    });
    port = await server.listen(0, '127.0.0.1');
  });
  after(async () => {
    await server.close();
    instance.closeAllConnections();
    instance.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function call(path: string, options: http.RequestOptions & { body?: string; tls?: boolean } = {}): Promise<Answer> {
    const { body, tls = false, ...rest } = options;
    return new Promise((resolve, reject) => {
      const ask = tls ? https.request : http.request;
      const request = ask({ host: '127.0.0.1', port, path, ca, agent: false, ...rest }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ code: response.statusCode ?? 0, headers: response.headers, text }));
      });
      request.on('error', reject);
      request.end(body);
    });
  }
  const bearer = { authorization: 'Bearer admin-token' };
  const cookie = () => ({ cookie: `${SESSION_COOKIE}=${desk.redeem(desk.link('admin'))?.cookie ?? ''}` });

  it('answers TLS and plain HTTP on one port', async () => {
    assert.equal((await call('/healthz')).text, 'ok');
    assert.equal((await call('/healthz', { tls: true })).text, 'ok');
  });

  it('hands a request on with the platform’s credentials and the caller impersonated', async () => {
    const { code, text } = await call('/instances/demo/kube/api/v1/pods?limit=1', {
      method: 'POST',
      body: 'hello',
      headers: { ...bearer, cookie: 'a=b', 'content-type': 'text/plain' },
    });
    assert.deepEqual([code, text], [200, 'hello']);
    const arrived = seen.at(-1);
    assert.deepEqual([arrived?.method, arrived?.url], ['POST', '/api/v1/pods?limit=1']);
    assert.equal(arrived?.headers.authorization, 'Bearer platform');
    assert.equal(arrived?.headers['impersonate-user'], 'admin');
    assert.equal(arrived?.headers.cookie, undefined);
  });

  it('lets an administrator act as somebody else', async () => {
    await call('/instances/demo/kube/api', { headers: { ...bearer, 'impersonate-user': 'alice' } });
    assert.equal(seen.at(-1)?.headers['impersonate-user'], 'alice');
    assert.equal(seen.at(-1)?.headers['impersonate-group'], undefined);
  });

  it('lets nobody through without credentials, and the instance hears nothing of it', async () => {
    const before_ = seen.length;
    for (const headers of [{}, { authorization: 'Bearer forged' }, { cookie: `${SESSION_COOKIE}=forged.x` }]) {
      const { code, text } = await call('/instances/demo/kube/api/v1/secrets', { headers });
      assert.equal(code, 401);
      assert.match(text, /"reason":"Unauthorized"/);
    }
    assert.equal(seen.length, before_);
  });

  it('a session works from the console’s own pages only', async () => {
    const own = { ...cookie(), 'sec-fetch-site': 'same-origin' };
    assert.equal((await call('/instances/demo/kube/api', { headers: own })).code, 200);
    const foreign = { ...cookie(), 'sec-fetch-site': 'cross-site' };
    assert.equal((await call('/instances/demo/kube/api', { method: 'POST', headers: foreign })).code, 403);
    const old = { ...cookie(), origin: 'http://evil.example' };
    assert.equal((await call('/instances/demo/kube/api', { method: 'POST', headers: old })).code, 403);
  });

  it('does not answer to a foreign name that resolves here', async () => {
    const { code, text } = await call('/healthz', { headers: { host: 'evil.example' } });
    assert.equal(code, 403);
    assert.match(text, /does not answer to the name/);
  });

  it('names the instance that is not there', async () => {
    const { code, text } = await call('/instances/none/kube/api', { headers: bearer });
    assert.equal(code, 404);
    assert.match(text, /instances.kairship.io \\"none\\" not found/);
  });

  it('streams an upgraded connection both ways', async () => {
    const request = http.request({
      host: '127.0.0.1',
      port,
      path: '/instances/demo/kube/api/v1/namespaces/default/pods/p/exec',
      headers: { ...bearer, connection: 'Upgrade', upgrade: 'echo' },
    });
    request.end();
    const [response, socket] = (await once(request, 'upgrade')) as [http.IncomingMessage, import('node:net').Socket];
    assert.equal(response.statusCode, 101);
    socket.write('ping');
    const [echo] = (await once(socket, 'data')) as [Buffer];
    assert.equal(echo.toString(), 'ping');
    socket.destroy();
  });

  it('passes on a refusal of an upgrade, whole', async () => {
    const headers = { ...bearer, connection: 'Upgrade', upgrade: 'echo' };
    const { code, text } = await call('/instances/demo/kube/refused', { headers });
    assert.deepEqual([code, text], [403, 'sorry']);
  });

  it('refuses an upgrade without credentials', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'echo' };
    const { code } = await call('/instances/demo/kube/api/v1/namespaces/default/pods/p/exec', { headers });
    assert.equal(code, 401);
  });

  it('changes a sign-in link for a cookie, and shows the console with it', async () => {
    const signedIn = await call(`/signin?code=${desk.link('admin')}`);
    const set = signedIn.headers['set-cookie']?.[0] ?? '';
    assert.match(set, /HttpOnly; SameSite=Strict/);
    const page = await call('/', { headers: { cookie: set.split(';')[0] ?? '' } });
    assert.match(page.text, /<title>console/);
    assert.match(String(page.headers['content-security-policy']), /default-src 'self'/);
    assert.equal((await call('/')).code, 401);
    assert.equal((await call('/signin?code=junk')).code, 401);
  });

  it('serves the console’s files and nothing beside them', async () => {
    assert.equal((await call('/app.js')).code, 200);
    for (const path of [
      '/missing.js',
      '/../package.json',
      '/%2e%2e/package.json',
      '/..%2f..%2fetc/passwd.html',
      '/a\0.js',
    ]) {
      const { code } = await call(path).catch(() => ({ code: 404 }));
      assert.ok(code === 404 || code === 400 || code === 401, `${path} answered ${code}`);
    }
    assert.equal((await call('/app.js', { method: 'POST' })).code, 405);
  });
});
