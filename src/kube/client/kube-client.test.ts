import { apiServer, MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import { memoryStore } from '#kube/store/memory-store.ts';
import { httpClient } from './http-client.ts';
import { kubeClientContract } from './kube-client-contract.ts';

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
