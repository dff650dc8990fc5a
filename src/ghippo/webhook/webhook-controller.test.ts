import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { silentLog } from '#base/log.ts';
import { SYSTEM } from '#ghippo/access/caller.ts';
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import { aGroup } from '#ghippo/decision/testing.ts';
import { informers } from '#kube/runtime/informer.ts';
import { manager } from '#kube/runtime/manager.ts';
import { type TestGhippo, testGhippo } from '../testing.ts';
import { bindingMirror, memoryMirror } from './binding-mirror.ts';
import { deliveryStore } from './delivery-store.ts';
import { httpPost } from './post.ts';
import { receiver } from './receiver.ts';
import type { SignatureHeaders } from './signature.ts';
import { readTruth } from './truth.ts';
import { webhookController } from './webhook-controller.ts';

const KEY = 'whsec_c2hhcmVkIHNlY3JldA==';

/** A product's side: an HTTP server with a receiver, which may be told to misbehave. */
async function product(t: TestContext, test: TestGhippo) {
  const store = memoryMirror();
  const mirror = bindingMirror(store);
  const own = receiver({
    keys: () => [KEY],
    mirror,
    truth: () => readTruth(test.client),
    clock: test.clock,
    log: silentLog,
  });
  const heard: string[] = [];
  let behave: (count: number) => 'take' | 'refuse' | 'take and hang up' = () => 'take';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      heard.push(body);
      const how = behave(heard.length);
      if (how === 'refuse') return response.writeHead(503).end();
      const headers = request.headers as SignatureHeaders;
      own.receive({ headers, body }).then(
        () => (how === 'take' ? response.writeHead(204).end() : response.destroy()),
        () => response.writeHead(401).end(),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, store, heard, misbehave: (how: typeof behave) => void (behave = how) };
}

async function register({ ghippo }: TestGhippo, url: string): Promise<void> {
  const data = { key: Buffer.from(KEY).toString('base64') };
  await ghippo.clients.secrets.create({ metadata: { namespace: GHIPPO_NAMESPACE, name: 'hook' }, data });
  await ghippo.clients.webhookEndpoints.create({ metadata: { name: 'shop' }, spec: { url, secretName: 'hook' } });
}

/** The sender, as the elected replica runs it; ends with the returned function. */
async function sender(test: TestGhippo): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const shared = informers(test.client, { signal: stop.signal });
  const controllers = [
    webhookController({
      client: test.client,
      clients: test.ghippo.clients,
      informers: shared,
      deliveries: deliveryStore(test),
      post: httpPost,
      clock: test.clock,
    }),
  ];
  const crew = manager({ client: test.client, controllers, informers: shared, minRetryMs: 1, maxRetryMs: 5 });
  const running = crew.start(stop.signal);
  await crew.ready;
  test.signal.addEventListener('abort', () => stop.abort());
  return async () => {
    stop.abort();
    await running;
  };
}

const grant = ({ ghippo }: TestGhippo, name: string, role = 'admin') =>
  ghippo.bindings.grant(SYSTEM, { name, role, scope: PLATFORM, subjects: [aGroup('corp:x')] });

async function agreed({ client }: TestGhippo, { store }: Awaited<ReturnType<typeof product>>): Promise<void> {
  for (;;) {
    const truth = (await readTruth(client)).flatMap(({ states }) =>
      states.map(({ key, version }) => `${key}@${version}`),
    );
    const known = [...store.states.values()].flatMap(({ key, version, object }) =>
      object ? [`${key}@${version}`] : [],
    );
    if (truth.toSorted().join() === known.toSorted().join()) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

describe('R28: webhooks', () => {
  it('tell of what is there, of what changes and of what ends', async (t) => {
    const test = await testGhippo(t);
    const shop = await product(t, test);
    await grant(test, 'early');
    await register(test, shop.url);
    await sender(test);
    await agreed(test, shop);
    await grant(test, 'late');
    await agreed(test, shop);
    await test.ghippo.bindings.revoke(SYSTEM, 'early');
    await agreed(test, shop);
    assert.deepEqual(
      [...shop.store.states.values()].map(({ key, object }) => [key, object !== undefined]),
      [
        ['AccessBinding/early', false],
        ['AccessBinding/late', true],
      ],
    );
  });

  it('are repeated until they are acknowledged, and say so', async (t) => {
    const test = await testGhippo(t);
    const shop = await product(t, test);
    shop.misbehave((count) => (['refuse', 'take and hang up', 'take'] as const)[count % 3] ?? 'take');
    await register(test, shop.url);
    await sender(test);
    for (const name of ['a', 'b', 'c', 'd']) await grant(test, name);
    await test.ghippo.bindings.revoke(SYSTEM, 'b');
    await agreed(test, shop);
    const delivering = async () =>
      (await test.ghippo.clients.webhookEndpoints.get('shop')).status?.conditions?.find(
        ({ type }) => type === 'Delivering',
      );
    while ((await delivering())?.status !== 'True') await new Promise((resolve) => setTimeout(resolve, 2));
    assert.ok(shop.heard.length > 4);
  });

  it('catch up after the sender was away, deletions included', async (t) => {
    const test = await testGhippo(t);
    const shop = await product(t, test);
    await register(test, shop.url);
    const stop = await sender(test);
    await grant(test, 'kept');
    await grant(test, 'lost');
    await agreed(test, shop);
    await stop();
    const before = shop.heard.length;
    await test.ghippo.bindings.revoke(SYSTEM, 'lost');
    await grant(test, 'new');
    await sender(test);
    await agreed(test, shop);
    // Only what is new was told: what was acknowledged before is not told again.
    assert.equal(shop.heard.length - before, 2);
    const sequences = shop.heard.map((body) => (JSON.parse(body) as { sequence: number }).sequence);
    assert.deepEqual(
      sequences,
      sequences.map((_, index) => index + 1),
    );
  });

  it('are not sent where they could be read', async () => {
    await assert.rejects(httpPost('http://example.com/hook', {}, '', AbortSignal.timeout(1)), { reason: 'Invalid' });
  });
});
