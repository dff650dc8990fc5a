import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import type { Secret } from '#gen/kube/types.ts';
import { CLUSTER } from '#karmada/apis/index.ts';
import { installCrds } from '#karmada/engine/install-crds.ts';
import { MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import { httpClient } from '#kube/client/http-client.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import { type Serving, serving } from '#kube/pki/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { join } from './join.ts';

const SECRET = { group: '', version: 'v1', resource: 'secrets' };
const CONFIG_MAP = { group: '', version: 'v1', resource: 'configmaps' };

async function certificates(t: TestContext): Promise<Serving> {
  const directory = await mkdtemp(path(tmpdir(), 'join-'));
  t.after(() => rm(directory, { recursive: true }));
  return serving({ directory });
}

/** A member as its administrator reaches it: over TLS, with an authority of its own. */
async function member(t: TestContext): Promise<ClusterConfig> {
  const tls = await certificates(t);
  const server = await controlPlane({
    store: memoryStore(),
    authenticators: [staticTokens({ admin: { name: 'admin', groups: [MASTERS] } })],
    ca: () => tls.ca.cert,
  });
  t.after(() => server.close());
  const { url } = await server.listen({ tls: tls.current() });
  return { server: url, ca: tls.ca.cert, token: 'admin' };
}

async function control(t: TestContext): Promise<KubeClient> {
  const server = await controlPlane({ store: memoryStore() });
  t.after(() => server.close());
  const client = server.client();
  await installCrds(client, systemClock, new AbortController().signal);
  return client;
}

/** A client with what joining has left in the control plane, and nothing else. */
async function asRegistered(t: TestContext, plane: KubeClient, name: string, server: string) {
  const { data = {} } = await plane.get<Secret>(SECRET, { namespace: 'karmada-cluster', name });
  const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString();
  const client = httpClient({ server, token: text('token'), ca: text('caBundle') });
  t.after(() => client.close());
  return client;
}

describe('joining a cluster', () => {
  it('leaves credentials in the control plane that may do everything in the member', async (t) => {
    const [plane, config] = await Promise.all([control(t), member(t)]);
    const cluster = await join({ control: plane, member: config, name: 'm1', region: 'r1' });
    assert.equal(cluster.spec.apiEndpoint, config.server);

    const used = await asRegistered(t, plane, 'm1', config.server);
    const metadata = { name: 'c', namespace: 'default' };
    await used.create(CONFIG_MAP, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } });
    await used.delete(CONFIG_MAP, metadata);
    assert.equal(await used.getText('/healthz'), 'ok');
  });

  it('is refused for a cluster that has joined, under whatever name', async (t) => {
    const [plane, config] = await Promise.all([control(t), member(t)]);
    await join({ control: plane, member: config, name: 'm1' });
    for (const name of ['m1', 'm2']) {
      await assert.rejects(join({ control: plane, member: config, name }), { reason: 'AlreadyExists' });
    }
    assert.equal((await plane.list(CLUSTER)).items.length, 1);
  });
});
