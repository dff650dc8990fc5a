/** For tests: a global cluster in this process that ends with the test. */
import type { TestContext } from 'node:test';
import { apiServer } from '#kube/apiserver/api-server.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memoryStore } from '#kube/store/index.ts';

export interface GlobalCluster {
  readonly client: KubeClient;
  /** Aborts when the test ends, before the cluster does. */
  readonly signal: AbortSignal;
}

export async function globalCluster(t: TestContext): Promise<GlobalCluster> {
  const server = await apiServer({ store: memoryStore() });
  const stop = new AbortController();
  t.after(async () => {
    stop.abort();
    await server.close();
  });
  return { client: server.client(undefined, 'ghippo'), signal: stop.signal };
}
