import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import { kubeconfigFor, kubeconfigText } from '#kube/client/kubeconfig.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memoryStore } from '#kube/store/index.ts';
import { adoptInstance } from '../instances/adopt.ts';
import { installInstances } from '../instances/install.ts';
import { INSTANCES } from '../instances/instance.ts';
import { type InstancePool, instancePool } from './instance-pool.ts';

async function globalCluster(t: TestContext): Promise<{ client: KubeClient; pool: InstancePool }> {
  const server = await apiServer({ store: memoryStore() });
  const stop = new AbortController();
  t.after(async () => {
    stop.abort();
    await server.close();
  });
  const client = server.client();
  await installInstances(client, systemClock, stop.signal);
  const pool = instancePool({ client, log: silentLog, signal: stop.signal });
  await pool.ready;
  return { client, pool };
}

const adopt = (client: KubeClient, name: string, token: string) => {
  const endpoint = 'https://127.0.0.1:1';
  const kubeconfig = kubeconfigText(kubeconfigFor({ name, server: endpoint, token }));
  return adoptInstance(client, { name, endpoint, kubeconfig });
};

async function until<T>(check: () => T | undefined): Promise<T> {
  for (;;) {
    const found = check();
    if (found !== undefined) return found;
    await new Promise((done) => setImmediate(done));
  }
}

describe('R30, R31: the pool of instances', { timeout: 120_000 }, () => {
  it('finds an instance as soon as it is registered, and no other under its name', async (t) => {
    const { client, pool } = await globalCluster(t);
    assert.equal(pool.find('a'), undefined);
    await Promise.all([adopt(client, 'a', 'one'), adopt(client, 'b', 'two')]);
    const a = await until(() => pool.find('a'));
    assert.notEqual(await until(() => pool.find('b')), a);
  });

  it('makes a new connection when the credential changes, and keeps it when nothing does', async (t) => {
    const { client, pool } = await globalCluster(t);
    await adopt(client, 'a', 'one');
    const first = await until(() => pool.find('a'));
    await adopt(client, 'a', 'two');
    const second = await until(() => (pool.find('a') === first ? undefined : pool.find('a')));
    await adopt(client, 'a', 'two');
    await client.patch(INSTANCES, { name: 'a' }, { type: 'merge', body: { metadata: { labels: { x: 'y' } } } });
    assert.equal(pool.find('a'), second);
  });

  it('never has the connection of one under the name of another, however they come, change and go', async (t) => {
    const { client, pool } = await globalCluster(t);
    const names = Array.from({ length: 8 }, (_, n) => `i${n}`);
    const pooled = () => names.map((name) => pool.find(name));
    await Promise.all(names.map((name) => adopt(client, name, `first-${name}`)));
    const first = await until(() => (pooled().every((found) => found !== undefined) ? pooled() : undefined));
    // At once: half of them get another credential, a quarter goes, the others stay.
    await Promise.all(
      names.map(async (name, at) => {
        if (at % 4 === 0) await client.delete(INSTANCES, { name });
        else if (at % 2 === 1) await adopt(client, name, `second-${name}`);
      }),
    );
    const became = (at: number) => (at % 4 === 0 ? 'gone' : at % 2 === 1 ? 'new' : 'same');
    const is = (at: number) => {
      const now = pool.find(`i${at}`);
      return now === undefined ? 'gone' : now === first[at] ? 'same' : 'new';
    };
    await until(() => (names.every((_, at) => is(at) === became(at)) ? true : undefined));
    const left = pooled().filter((found) => found !== undefined);
    assert.equal(new Set([...first, ...left]).size, names.length + 4, 'each connection is of one instance');
  });

  it('forgets an instance that is deleted', async (t) => {
    const { client, pool } = await globalCluster(t);
    await adopt(client, 'a', 'one');
    await until(() => pool.find('a'));
    await client.delete(INSTANCES, { name: 'a' });
    await until(() => (pool.find('a') ? undefined : true));
  });
});
