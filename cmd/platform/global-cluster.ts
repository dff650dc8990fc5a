/**
 * The cluster in which instances, clusters and people are written down: one of the platform's own, in a file of its
 * data directory, or a Kubernetes that replicas share.
 */
import { join } from 'node:path';
import type { Log } from '#base/log.ts';
import { type AdmissionPlugin, clientCertificates, MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import { httpClient } from '#kube/client/http-client.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { kubeconfigFor, saveKubeconfig } from '#kube/client/kubeconfig.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { type Transport, transport } from '#kube/client/transport.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import type { Serving } from '#kube/pki/serving.ts';
import { sqliteStore } from '#kube/store/index.ts';
import { serviceAccountKey } from '../kube-program.ts';

export interface GlobalCluster {
  readonly client: KubeClient;
  /** The way to it for kubectl through the entrance. */
  readonly transport: Transport;
  readonly url: string;
  close(): Promise<void>;
}

export async function sharedGlobalCluster(kubeconfig: string): Promise<GlobalCluster> {
  const config = { ...(await loadKubeconfig(kubeconfig)), userAgent: 'kairship-apiserver' };
  const [client, own] = [httpClient(config), transport(config)];
  return {
    client,
    transport: own,
    url: config.server,
    async close() {
      client.close();
      own.close();
    },
  };
}

export interface OwnGlobalClusterOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly tls: Serving;
  readonly adminToken: string;
  readonly admission: readonly AdmissionPlugin[];
  readonly log: Log;
}

export async function ownGlobalCluster(options: OwnGlobalClusterOptions): Promise<GlobalCluster> {
  const { dataDir, port, tls, adminToken, admission, log } = options;
  const store = await sqliteStore({ file: join(dataDir, 'store.db'), durability: 'full', log });
  const server = await controlPlane({
    store,
    log,
    admission,
    authenticators: [staticTokens({ [adminToken]: { name: 'admin', groups: [MASTERS] } }), clientCertificates()],
    serviceAccountKey: await serviceAccountKey(join(dataDir, 'pki')),
    ca: () => tls.ca.cert,
    signingAuthority: tls.ca,
    defaultServiceAccounts: false,
  });
  const { url } = await server.listen({ port, tls: { ...tls.current(), ca: tls.ca.cert } });
  const access = { server: url, ca: tls.ca.cert, token: adminToken };
  await saveKubeconfig(join(dataDir, 'kubeconfig'), kubeconfigFor({ name: 'global', ...access }));
  const own = transport(access);
  return {
    client: server.client(undefined, 'kairship'),
    transport: own,
    url,
    async close() {
      own.close();
      await server.close();
      await store.close();
    },
  };
}
