import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import { SYSTEM } from '#ghippo/access/caller.ts';
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import { browser } from '#ghippo/oidc/testing/browser.ts';
import { identityProvider } from '#ghippo/oidc/testing/identity-provider.ts';
import { hashOf, SESSION_COOKIE } from '#ghippo/session/index.ts';
import { ofSuite } from '#base/testing.ts';
import { type TestGhippo, testGhippo } from '#ghippo/testing.ts';
import { transport } from '#kube/client/transport.ts';
import { createCa } from '#kube/pki/ca.ts';
import { identify } from '../access/identify.ts';
import { instanceProxy } from '../proxy/instance-proxy.ts';
import { consoleFiles } from './console-files.ts';
import { entrance } from './entrance.ts';
import { askingPath, comparedCode } from './program-request.ts';
import { signInDesk } from './sign-in.ts';
import { type OnePort, onePort } from '#rpc/index.ts';

interface Answer {
  readonly code: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

describe('R2: the entrance', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kairship-entrance-'));
  /** Stands where an instance is: tells what reached it, echoes bodies, and upgrades to an echo. */
  const seen: { method: string; url: string; headers: http.IncomingHttpHeaders }[] = [];
  const instance = http.createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    request.pipe(response);
  });
  const suite = ofSuite();
  let people: TestGhippo;
  let server: OnePort;
  let port: number;
  let ca: string;

  before(async () => {
    mkdirSync(join(directory, 'dist/assets'), { recursive: true });
    writeFileSync(join(directory, 'dist/index.html'), '<title>console</title>');
    writeFileSync(join(directory, 'dist/app.js'), 'void 0');
    writeFileSync(join(directory, 'dist/assets/app-1a2b.js'), 'void 1');
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
    people = await testGhippo(suite);
    await people.caller('admin', 'admin');
    const { ghippo } = people;
    const files = consoleFiles(directory);
    const door = entrance({
      proxy: instanceProxy((name) => (name === 'demo' ? behind : undefined)),
      identify: identify({
        identities: ghippo,
        adminToken: 'admin-token',
        admin: { user: 'admin', groups: ['system:masters'] },
      }),
      admit: (caller) => caller,
      desk: signInDesk({ identities: ghippo, files }),
      console: files,
      api: () => false,
      terminals: {
        placeOf: (url) => (url === '/a-terminal' ? { instance: 'demo', name: 'one' } : undefined),
        requireOpen: ({ caller }) =>
          caller.user === 'admin' ? Promise.resolve() : Promise.reject(new StatusError('Forbidden', 'not yours')),
        async serve(_visit, socket) {
          socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n');
        },
      },
      agents: async () => undefined,
      record: () => undefined,
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
  const link = (user = 'admin') => people.ghippo.signIns.createLink(SYSTEM, user);
  /** The cookie a browser holds after an answer. */
  const cookieOf = ({ headers }: Answer, name = SESSION_COOKIE) => ({
    cookie: headers['set-cookie']?.find((each) => each.startsWith(`${name}=`))?.split(';')[0] ?? '',
  });
  const own = { 'sec-fetch-site': 'same-origin' };
  function send(path: string, form: Record<string, string>, headers: http.OutgoingHttpHeaders = own): Promise<Answer> {
    const body = new URLSearchParams(form).toString();
    return call(path, { method: 'POST', body, headers: { 'content-length': body.length, ...headers } });
  }
  /** Where a page goes on to by itself. */
  const goesOnTo = ({ text }: Answer) => text.match(/content="0; url=([^"]+)"/)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const signedIn = async (user = 'admin') => cookieOf(await call(`/signin?code=${await link(user)}`));

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

  it('R11, R12: lets nobody through without credentials, and the instance hears nothing of it', async () => {
    const before_ = seen.length;
    for (const headers of [
      {},
      { authorization: 'Bearer forged' },
      { cookie: `${SESSION_COOKIE}=forged`, 'sec-fetch-site': 'same-origin' },
    ]) {
      const { code, text } = await call('/instances/demo/kube/api/v1/secrets', { headers });
      assert.equal(code, 401);
      assert.match(text, /"reason":"Unauthorized"/);
    }
    assert.equal(seen.length, before_);
  });

  it('a session works from the console’s own pages only', async () => {
    const mine = { ...(await signedIn()), ...own };
    assert.equal((await call('/instances/demo/kube/api', { headers: mine })).code, 200);
    const foreign = { ...(await signedIn()), 'sec-fetch-site': 'cross-site' };
    assert.equal((await call('/instances/demo/kube/api', { method: 'POST', headers: foreign })).code, 403);
    const old = { ...(await signedIn()), origin: 'http://evil.example' };
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

  it('upgrades a session for the console’s own pages only', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'echo', ...(await signedIn()) };
    const host = `127.0.0.1:${port}`;
    const codeOf = async (path: string, headers: http.OutgoingHttpHeaders) => {
      const request = http.request({
        host: '127.0.0.1',
        port,
        path,
        headers: { ...upgrade, ...headers },
        agent: false,
      });
      request.end();
      const [response] = (await Promise.race([once(request, 'upgrade'), once(request, 'response')])) as [
        http.IncomingMessage,
      ];
      request.destroy();
      return response.statusCode;
    };
    for (const path of ['/instances/demo/kube/api/v1/namespaces/default/pods/p/exec', '/a-terminal']) {
      assert.equal(await codeOf(path, {}), 403);
      assert.equal(await codeOf(path, { origin: 'https://evil.example' }), 403);
      assert.equal(await codeOf(path, { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' }), 403);
      assert.equal(await codeOf(path, { origin: `http://${host}` }), 101);
      assert.equal(await codeOf(path, { cookie: '', ...bearer }), 101);
      assert.equal(await codeOf(path, { cookie: '' }), 401);
    }
    assert.equal(await codeOf('/no-terminal', { origin: `http://${host}` }), 404);
  });

  it('changes a sign-in link for a cookie, once, and shows the console with it', async () => {
    const code = await link();
    const answer = await call(`/signin?code=${code}`);
    assert.match(String(answer.headers['set-cookie']?.[0]), /HttpOnly; SameSite=Strict/);
    const page = await call('/', { headers: cookieOf(answer) });
    assert.match(page.text, /<title>console/);
    assert.match(String(page.headers['content-security-policy']), /default-src 'self'/);
    assert.equal((await call(`/signin?code=${code}`)).code, 401);
    for (const path of ['/', '/signin?code=junk']) assert.equal((await call(path)).code, 401);
  });

  it('does not use a link up for whoever only looks at it', async () => {
    const code = await link();
    await call(`/signin?code=${code}`, { method: 'HEAD' });
    assert.equal((await call(`/signin?code=${code}`)).code, 200);
  });

  it('refuses a session that was ended and a user who was disabled at once, pages and instances alike', async () => {
    await people.caller('dora');
    const first = await signedIn('dora');
    const asked = (cookie: object) =>
      Promise.all(
        ['/', '/instances/demo/kube/api'].map(
          async (path) => (await call(path, { headers: { ...cookie, 'sec-fetch-site': 'same-origin' } })).code,
        ),
      );
    assert.deepEqual(await asked(first), [200, 200]);
    await people.ghippo.sessions.revokeAll('dora');
    assert.deepEqual(await asked(first), [401, 401]);

    const second = await signedIn('dora');
    assert.deepEqual(await asked(second), [200, 200]);
    await people.ghippo.users.updateUser(SYSTEM, 'dora', { disabled: true });
    await people.until(() => people.ghippo.snapshot.current().user('dora')?.spec.disabled === true);
    assert.deepEqual(await asked(second), [401, 401]);
    assert.equal((await call(`/signin?code=${await link('dora')}`)).code, 401);
  });

  it('signs in with a password and out again', async () => {
    const password = 'tr0ub4dor&3';
    await people.ghippo.users.createUser(SYSTEM, { name: 'paul', password });
    await people.until(() => people.ghippo.snapshot.current().user('paul') !== undefined);
    const wrong = await send('/signin', { user: 'paul', password: 'guess' }, own);
    assert.equal(wrong.code, 401);
    assert.match(wrong.text, /role="alert">The name or the password is not right\./);
    assert.equal((await send('/signin', { user: 'paul', password }, { 'sec-fetch-site': 'cross-site' })).code, 403);
    const mine = cookieOf(await send('/signin', { user: 'paul', password }, own));
    assert.equal((await call('/', { headers: mine })).code, 200);
    assert.equal((await send('/signout', {}, { ...mine, 'sec-fetch-site': 'cross-site' })).code, 403);
    assert.equal((await call('/', { headers: mine })).code, 200);
    const out = await send('/signout', {}, { ...mine, ...own });
    assert.deepEqual([out.code, out.headers.location], [303, '/signin']);
    assert.match(String(out.headers['set-cookie']?.[0]), /Max-Age=0/);
    assert.equal((await call('/', { headers: mine })).code, 401);
  });

  it('signs in at an identity provider, in the browser that went there and in no other', async (t) => {
    const back = `http://127.0.0.1:${port}/signin/oidc/corp/callback`;
    const provider = await identityProvider(t, back);
    await provider.tell({ sub: 'sub-1', claims: { preferred_username: 'olga' } });
    const { identityProviders, secrets } = people.ghippo.clients;
    const data = { clientSecret: Buffer.from('client secret').toString('base64') };
    await secrets.create({ metadata: { namespace: GHIPPO_NAMESPACE, name: 'corp' }, data });
    const spec = { issuer: provider.issuer, clientId: 'kairship', clientSecretName: 'corp', displayName: 'Corp <&>' };
    await identityProviders.create({ metadata: { name: 'corp' }, spec });
    assert.match((await call('/signin')).text, /href="\/signin\/oidc\/corp">Sign in with Corp &lt;&amp;>/);
    const chinese = { headers: { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' } };
    assert.match((await call('/signin', chinese)).text, /lang="zh-CN".*>使用 Corp &lt;&amp;> 登录</s);
    const late = await call('/signin?code=used', chinese);
    assert.match(late.text, /role="alert">该链接已被使用或已过期。</);
    assert.match((await call('/signin?code=used')).text, /role="alert">The link was used already or is too old\.</);

    const sent = await call('/signin/oidc/corp?next=%2Fi%2Fdemo');
    assert.equal(sent.code, 302);
    const at = new URL(sent.headers.location ?? '');
    assert.equal(at.origin, provider.issuer);
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(at.searchParams.get(name), name);
    assert.match(String(sent.headers['set-cookie']?.[0]), /^ghippo_signin=.*HttpOnly; SameSite=Lax; Path=\/signin;/);
    const returned = await browser().signIn(at.href, 'sub-1', back);
    const path = returned.pathname + returned.search;
    const other = await call(path);
    assert.equal(other.code, 401);
    assert.match(other.text, /begun in another browser/);
    const cookie = ['ghippo_signin', 'ghippo_next'].map((name) => cookieOf(sent, name).cookie).join('; ');
    const answer = await call(path, { headers: { cookie } });
    assert.equal(answer.code, 200, answer.text);
    assert.equal(goesOnTo(answer), '/i/demo');
    await people.until(() => people.ghippo.snapshot.current().user('olga') !== undefined);
    assert.equal((await call('/', { headers: cookieOf(answer) })).code, 200);
    assert.equal((await call(path, { headers: cookieOf(sent, 'ghippo_signin') })).code, 401);
    assert.equal((await call('/signin/oidc/none')).code, 404);
  });

  it('goes on after signing in to the page that was asked for, and to no other site', async () => {
    const page = await call('/i/demo/workloads?kind=Job');
    assert.match(page.text, /action="\/signin\?next=%2Fi%2Fdemo%2Fworkloads%3Fkind%3DJob"/);
    for (const [next, to] of [
      ['/i/demo/workloads?kind=Job', '/i/demo/workloads?kind=Job'],
      ['//evil.example/', '/'],
      ['https://evil.example/', '/'],
    ] as const) {
      const query = new URLSearchParams({ code: await link(), next });
      assert.equal(goesOnTo(await call(`/signin?${query.toString()}`)), to);
    }
  });

  it('lets somebody who is signed in allow a program on their computer, once they have seen who asks', async () => {
    await people.caller('carl');
    const program = {
      challenge: hashOf('secret'),
      state: 's'.repeat(20),
      redirect: 'http://127.0.0.1:9/',
      computer: 'pc',
    };
    const asked = askingPath(program);
    const stranger = await call(asked);
    assert.equal(stranger.code, 401);
    assert.ok(stranger.text.includes(`action="/signin?${new URLSearchParams({ next: asked }).toString()}"`));
    const mine = { ...(await signedIn('carl')), ...own };
    const page = await call(asked, { headers: mine });
    assert.equal(page.code, 200);
    assert.match(page.text, new RegExp(`On <b>pc</b>.*<b>carl</b>[^]*${comparedCode(program.challenge)}`));
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/);

    const decide = (decision: string, headers: http.OutgoingHttpHeaders = mine, more: object = {}) =>
      send('/signin/program', { ...program, decision, ...more }, headers);
    assert.equal((await decide('allow', { ...mine, 'sec-fetch-site': 'cross-site' })).code, 403);
    assert.equal((await decide('allow', own)).code, 401);
    assert.equal((await decide('allow', mine, { redirect: 'http://evil.example:9/' })).code, 400);
    assert.equal(goesOnTo(await decide('deny')), `http://127.0.0.1:9/?error=access_denied&state=${program.state}`);

    const answer = new URL(goesOnTo(await decide('allow')));
    assert.equal(answer.origin, 'http://127.0.0.1:9');
    assert.equal(answer.searchParams.get('state'), program.state);
    const shown = { code: answer.searchParams.get('code') ?? '', verifier: 'secret' };
    assert.equal((await people.ghippo.signIns.signInByCode(shown)).session.user, 'carl');
  });

  it('R7: answers programs in JSON: who they are first, then that there is nothing', async () => {
    const { text: token } = await people.ghippo.tokens.createToken({ user: 'admin', method: 'session' }, {});
    for (const path of ['/apis/none.io/v1/things', '/none.v1.NoneService/Get', '/none']) {
      for (const authorization of ['Bearer admin-token', `Bearer ${token}`]) {
        const { code, headers, text } = await call(path, { headers: { authorization } });
        assert.deepEqual([code, headers['content-type']], [404, 'application/json'], path);
        assert.match(text, /"reason":"NotFound"/);
      }
      const forged = await call(path, { headers: { authorization: 'Bearer forged' } });
      assert.deepEqual([forged.code, forged.headers['content-type']], [401, 'application/json']);
    }
    assert.equal((await call('/apis/none.io/v1/things')).headers['content-type'], 'application/json');
    assert.equal((await call('/apis/none.io/v1/things', { method: 'POST', headers: bearer })).code, 404);
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

  it('lets a browser keep what carries a hash, and nothing else', async () => {
    const { headers } = await call('/assets/app-1a2b.js');
    assert.match(headers['cache-control'] ?? '', /immutable/);
    assert.equal((await call('/app.js')).headers['cache-control'], 'no-store');
    const small = await call('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(small.headers['content-encoding'], 'gzip');
  });

  it('shows the console’s one page at every address of it', async () => {
    const headers = await signedIn();
    for (const path of ['/i/demo/workloads', '/i/demo/policies/ClusterPropagationPolicy/-/kairship.instance-viewer']) {
      const page = await call(path, { headers });
      assert.deepEqual([page.code, page.headers['content-type']], [200, 'text/html; charset=utf-8'], path);
      assert.match(page.text, /<title>console/);
      assert.equal((await call(path)).code, 401);
    }
  });
});
