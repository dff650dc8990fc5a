/** What tests of the inventory share: a global cluster, members with kubeconfigs, and everything that runs for them. */
import type { TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { type ApiServer, apiServer, type Authorizer, staticTokens } from '#kube/apiserver/index.ts';
import { kubeconfigFor, kubeconfigText } from '#kube/client/kubeconfig.ts';
import { manager } from '#kube/runtime/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { testIndex } from '../index/testing.ts';
import { type Cluster, clusters as clustersOf } from './cluster.ts';
import { installRegistry } from './cluster-crd.ts';
import { clusterRegistry } from './cluster-registry.ts';
import { collectionController } from './collection-controller.ts';
import { factsController } from './facts-controller.ts';
import { memberClients } from './member-clients.ts';

export const TOKENS = { first: 'token-1', second: 'token-2', reader: 'token-reader', nobody: 'token-nobody' };

export interface TestMember {
  readonly server: ApiServer;
  readonly url: string;
  kubeconfig(token?: string): string;
}

/** Whoever is called `reader` may read all but Secrets; `nobody` may do nothing but ask. */
const authorizer: Authorizer = {
  authorize(user, attributes) {
    if ('path' in attributes || attributes.resource.startsWith('selfsubject')) return { allowed: true };
    const reads = ['get', 'list', 'watch'].includes(attributes.verb);
    const { resource } = attributes;
    return { allowed: user.name === 'reader' && reads && resource !== 'secrets' && resource !== '*' };
  },
};

export async function testMember(t: TestContext): Promise<TestMember> {
  const masters = { groups: ['system:masters'] };
  const server = await apiServer({
    store: memoryStore(),
    authorizer,
    authenticators: [
      staticTokens({
        [TOKENS.first]: { name: 'admin', ...masters },
        [TOKENS.second]: { name: 'admin-2', ...masters },
        [TOKENS.reader]: { name: 'reader', groups: [] },
        [TOKENS.nobody]: { name: 'nobody', groups: [] },
      }),
    ],
  });
  t.after(() => server.close());
  const { url } = await server.listen();
  return {
    server,
    url,
    kubeconfig: (token = TOKENS.first) => kubeconfigText(kubeconfigFor({ name: 'member', server: url, ca: '', token })),
  };
}

/** The inventory with its controllers at work, until the test ends. */
export async function testRegistry(t: TestContext) {
  const stop = new AbortController();
  const global = await apiServer({ store: memoryStore() });
  const client = global.client();
  await installRegistry(client, systemClock, stop.signal);
  const index = await testIndex(t);
  const members = memberClients({ client });
  const { collector, writer, reader } = index;
  const running = manager({
    client,
    controllers: [
      collectionController({ client, members, collector, writer }),
      factsController({ client, members, reader, writer, clock: systemClock }),
    ],
  });
  const ended = running.start(stop.signal);
  await running.ready;
  t.after(async () => {
    stop.abort();
    await ended;
    members.close();
    await global.close();
  });
  const clusters = clustersOf(client);
  return {
    ...index,
    client,
    clusters,
    members,
    registry: clusterRegistry({ client, reader }),
    /** Resolves with the cluster when `look` likes it. */
    until: async (name: string, look: (cluster: Cluster | undefined) => boolean): Promise<Cluster | undefined> => {
      for (;;) {
        const cluster = await clusters.find(name);
        if (look(cluster)) return cluster;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
