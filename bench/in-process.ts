/**
 * What a write costs a controller that runs in the process of the API server: microseconds of CPU for each kind of write
 * the Karmada engine makes, with nothing else going on.
 *
 *     npm run bench -- in-process [memory | sqlite]
 *
 * 50 writes are under way at a time, as with a busy engine. The store's own thread is counted too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { installCrds } from '#karmada/engine/install-crds.ts';
import { RESOURCE_BINDING, WORK } from '#karmada/apis/index.ts';
import { SYSTEM_USER } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import { memoryStore, sqliteStore } from '#kube/store/index.ts';

const [kind = 'memory'] = process.argv.slice(2);
const OBJECTS = 4_000;
const UNDER_WAY = 50;
const NAMESPACE = 'bench';
const CONFIG_MAP: Gvr = { group: '', version: 'v1', resource: 'configmaps' };

const directory = mkdtempSync(join(tmpdir(), 'bench-in-process-'));
const store =
  kind === 'memory' ? memoryStore() : await sqliteStore({ file: join(directory, 'store.db'), durability: 'full' });
const server = await controlPlane({ store, defaultServiceAccounts: false });
const client = server.client(SYSTEM_USER, 'bench');

const labels = { app: 'bench', 'example.com/permanent-id': '6f2c6a52-8d5e-4c58-9d55-6f5b6c2f3a11' };
const metadata = (name: string) => ({
  name,
  namespace: NAMESPACE,
  labels,
  annotations: { 'example.com/policy': name },
});
const configMap = (name: string, text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: metadata(name),
  data: { text, filler: 'x'.repeat(200) },
});
const binding = (name: string, replicas = 0) => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: { ...metadata(name), finalizers: ['karmada.io/binding-controller'] },
  spec: {
    resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: NAMESPACE, name, uid: 'u', resourceVersion: '1' },
    schedulerName: 'default-scheduler',
    placement: { clusterAffinity: { clusterNames: ['one', 'two'] } },
    replicas,
    clusters: [{ name: 'one' }, { name: 'two' }],
  },
});
const work = (name: string) => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { ...metadata(name), finalizers: ['karmada.io/execution-controller'] },
  spec: { workload: { manifests: [configMap(name, name)] } },
});
const condition = { type: 'Applied', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'Applied' };

/** Has `write` done for every object, and tells what one cost. */
async function measure(what: string, write: (client: KubeClient, name: string) => Promise<unknown>): Promise<void> {
  let next = 0;
  const started = performance.now();
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: UNDER_WAY }, async () => {
      while (next < OBJECTS) await write(client, `object-${next++}`);
    }),
  );
  const { user, system } = process.cpuUsage(before);
  const rate = Math.round((OBJECTS / (performance.now() - started)) * 1000);
  console.log(`${((user + system) / OBJECTS).toFixed(0).padStart(6)} µs  ${what.padEnd(34)} ${rate} a second`);
}

try {
  await installCrds(client, systemClock, new AbortController().signal);
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  await client.create({ group: '', version: 'v1', resource: 'namespaces' }, namespace);
  await measure('(what is compiled when first used)', (to, name) => to.create(CONFIG_MAP, configMap(`w-${name}`, '')));
  await measure('create a ConfigMap', (to, name) => to.create(CONFIG_MAP, configMap(name, '1')));
  await measure('update a ConfigMap', (to, name) => to.update(CONFIG_MAP, configMap(name, '2')));
  await measure('merge into a ConfigMap', (to, name) =>
    to.patch(CONFIG_MAP, { namespace: NAMESPACE, name }, { type: 'merge', body: { data: { text: '3' } } }),
  );
  await measure('create a ResourceBinding', (to, name) => to.create(RESOURCE_BINDING, binding(name)));
  await measure('merge into a ResourceBinding', (to, name) =>
    to.patch(RESOURCE_BINDING, { namespace: NAMESPACE, name }, { type: 'merge', body: { spec: { replicas: 2 } } }),
  );
  await measure('merge into its status', (to, name) =>
    to.patch(
      RESOURCE_BINDING,
      { namespace: NAMESPACE, name },
      { type: 'merge', body: { status: { conditions: [{ ...condition, message: 'x', type: 'Scheduled' }] } } },
      { subresource: 'status' },
    ),
  );
  await measure('create a Work', (to, name) => to.create(WORK, work(name)));
  await measure('update the status of a Work', async (to, name) => {
    const object = await to.get(WORK, { namespace: NAMESPACE, name });
    const status = { conditions: [{ ...condition, message: 'Manifest has been applied' }] };
    await to.update(WORK, { ...object, status }, { subresource: 'status' });
  });
} finally {
  await server.close();
  await store.close();
  rmSync(directory, { recursive: true });
}
