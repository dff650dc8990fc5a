/**
 * Clusters to be indexed, in a process of their own: API servers with pods in them, on ports of this machine.
 *
 * Told how many, it makes them and says where they are; told `write`, it changes pods at a steady rate, each change
 * carrying the time at which it was made.
 */
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { apiServer, staticTokens } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';

export interface FarmOrder {
  readonly clusters: number;
  /** Pods of each cluster. */
  readonly pods: number;
}

export type FarmRequest =
  | { readonly write: { readonly perSecond: number; readonly seconds: number } }
  | { readonly make: FarmOrder };
export type FarmAnswer = { readonly urls: readonly string[] } | { readonly written: number };

export const TOKEN = 'bench';
export const STAMP = 'bench.kairship.io/at';
const PODS = { group: '', version: 'v1', resource: 'pods' };
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const IN_NAMESPACES = 20;

const clients: KubeClient[] = [];
let made: FarmOrder = { clusters: 0, pods: 0 };

function podOf(n: number): KubeObject {
  const app = `web-${n % 200}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${app}-${n}`,
      namespace: `team-${n % IN_NAMESPACES}`,
      labels: { app, tier: n % 3 === 0 ? 'back' : 'front', 'pod-template-hash': `h${n % 977}` },
      annotations: { note: 'x'.repeat(400) },
    },
    spec: {
      nodeName: `node-${n % 50}`,
      containers: [
        { name: 'web', image: `registry.example.io/shop/web:${n % 40}`, env: [{ name: 'N', value: String(n) }] },
      ],
    },
  };
}

async function fill(client: KubeClient, pods: number): Promise<void> {
  for (let n = 0; n < IN_NAMESPACES; n++) {
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `team-${n}` } });
  }
  for (let n = 0; n < pods; n += 50) {
    await Promise.all(Array.from({ length: Math.min(50, pods - n) }, (_, k) => client.create(PODS, podOf(n + k))));
  }
}

async function make(order: FarmOrder): Promise<readonly string[]> {
  made = order;
  const urls: string[] = [];
  for (let n = 0; n < order.clusters; n++) {
    const users = { [TOKEN]: { name: 'bench', groups: ['system:masters'] } };
    const server = await apiServer({ store: memoryStore(), authenticators: [staticTokens(users)] });
    const client = server.client();
    await fill(client, order.pods);
    clients.push(client);
    urls.push((await server.listen()).url);
  }
  return urls;
}

async function write(perSecond: number, seconds: number): Promise<number> {
  const total = perSecond * seconds;
  const started = Date.now();
  let written = 0;
  for (let n = 0; n < total; n++) {
    const due = started + (n * 1000) / perSecond;
    // Also when it is late: writes of this process never wait for anything, and whoever watches must be told meanwhile.
    await (due > Date.now() ? pause(Math.max(1, due - Date.now())) : turn());
    const client = clients[n % clients.length];
    const pod = podOf((n * 7) % made.pods).metadata;
    const body = { metadata: { annotations: { [STAMP]: String(Date.now()) } } };
    await client?.patch(PODS, { namespace: pod.namespace ?? '', name: pod.name }, { type: 'merge', body });
    written++;
  }
  return written;
}

process.on('message', (request: FarmRequest) => {
  const answer: Promise<FarmAnswer> =
    'make' in request
      ? make(request.make).then((urls) => ({ urls }))
      : write(request.write.perSecond, request.write.seconds).then((written) => ({ written }));
  void answer.then((said) => process.send?.(said));
});
process.on('disconnect', () => process.exit(0));
