/** For tests: a controller on its own, and patience. */
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Controller, type Informers, informers, manager } from '#kube/runtime/index.ts';

/** Runs a controller until the returned function is called. */
export function run(client: KubeClient, make: (shared: Informers) => Controller): () => Promise<void> {
  const stop = new AbortController();
  const shared = informers(client, { signal: stop.signal });
  const ended = manager({ client, controllers: [make(shared)], informers: shared }).start(stop.signal);
  return async () => {
    stop.abort();
    await ended;
  };
}

export async function eventually(check: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await check();
    } catch (error) {
      if (attempt === 500) throw error;
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}
