import { apiServer, MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import { memoryStore } from '#kube/store/memory-store.ts';
import { httpClient } from './http-client.ts';
import { kubeClientContract } from './kube-client-contract.ts';
import { loadKubeconfig } from './load-config.ts';

kubeClientContract('inProcessClient', async () => {
  const server = await apiServer({ store: memoryStore() });
  return { client: server.client(), close: () => server.close() };
});

kubeClientContract('httpClient', async () => {
  const authenticators = [staticTokens({ secret: { name: 'admin', groups: [MASTERS] } })];
  const server = await apiServer({ store: memoryStore(), authenticators });
  const { url } = await server.listen({ port: 0 });
  const client = httpClient({ server: url, token: 'secret' });
  return {
    client,
    async close() {
      client.close();
      await server.close();
    },
  };
});

// A real Kubernetes, for those who have one at hand; it is written to, so it is only used when named.
const kubeconfig = process.env['KAIRSHIP_TEST_KUBECONFIG'];
if (kubeconfig !== undefined) {
  kubeClientContract('httpClient to a real Kubernetes', async () => {
    const client = httpClient(await loadKubeconfig(kubeconfig));
    return { client, close: async () => client.close() };
  });
}
