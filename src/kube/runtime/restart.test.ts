import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type ApiServer, apiServer, MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/memory-store.ts';
import { done } from './controller.ts';
import { informer } from './informer.ts';
import { manager } from './manager.ts';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}
const gvr = { group: '', version: 'v1', resource: 'configmaps' };
const resource = { gvr, kind: 'ConfigMap', namespaced: true };
const scope = { namespace: 'default' };
const map = (name: string, labels: Record<string, string> = {}) => ({
  metadata: { ...scope, name, labels },
  data: { a: '1' },
});

describe('the runtime over HTTP', () => {
  const store = memoryStore();
  const stop = new AbortController();
  const opened: { server?: ApiServer; client?: HttpClient } = {};
  const authenticators = [staticTokens({ secret: { name: 'admin', groups: [MASTERS] } })];

  async function start(port = 0): Promise<number> {
    opened.server = await apiServer({ store, authenticators });
    return (await opened.server.listen({ port })).port;
  }

  afterEach(async () => {
    stop.abort();
    opened.client?.close();
    await opened.server?.close();
  });

  it('goes on where it was when the server is away for a while', async () => {
    const port = await start();
    const client = (opened.client = httpClient({ server: `http://127.0.0.1:${port}`, token: 'secret' }));
    const maps = typed<ConfigMap>(client, resource);
    const followed = informer<ConfigMap>(client, gvr, { ...scope, labelSelector: 'copy' }, { signal: stop.signal });
    const arrived = (key: string) =>
      new Promise<void>((resolve) => {
        const leave = followed.subscribe(({ type, object }) => {
          if (type !== 'added' || keyOf(object) !== key) return;
          resolve();
          setImmediate(() => leave());
        });
      });
    /** Copies each ConfigMap with the label `source`, so that each change causes another. */
    const copier = {
      name: 'copier',
      concurrency: 4,
      watches: [{ gvr, ...scope, labelSelector: 'source' }],
      async reconcile({ key }: { key: string }) {
        const source = await maps.find(key);
        if (source)
          await maps.ensure({ ...map(`copy-of-${source.metadata.name}`, { copy: 'yes' }), data: source.data ?? {} });
        return done;
      },
    };
    const running = manager({ client, controllers: [copier], maxRetryMs: 100 }).start(stop.signal);

    await maps.create(map('one', { source: 'yes' }));
    await arrived('default/copy-of-one');

    await opened.server?.close();
    const meanwhile = await apiServer({ store });
    const inside = typed<ConfigMap>(meanwhile.client(), resource);
    await inside.create(map('two', { source: 'yes' }));
    await inside.remove('default/copy-of-one');
    await meanwhile.close();
    await start(port);

    await arrived('default/copy-of-two');
    assert.deepEqual(followed.list().map(keyOf), ['default/copy-of-two']);
    await maps.create(map('three', { source: 'yes' }));
    await arrived('default/copy-of-three');
    stop.abort();
    await running;
  });
});
