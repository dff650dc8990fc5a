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

const PATIENCE_MS = 60_000;

export async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}
