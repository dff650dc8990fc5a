import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { installInstances, instanceController, statusSyncController } from '#kairship/instances/index.ts';
import { askInstance } from '#kairship/proxy/ask-instance.ts';
import { type InstancePool, instancePool } from '#kairship/proxy/instance-pool.ts';
import { instanceProxy } from '#kairship/proxy/instance-proxy.ts';
import { consoleFiles } from '#kairship/services/console-files.ts';
import { entrance } from '#kairship/services/entrance.ts';
import { sessions } from '#kairship/services/session.ts';
import { type ApiServer, clientCertificates, MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { kubeconfigFor, saveKubeconfig } from '#kube/client/kubeconfig.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import { type Serving, serving } from '#kube/pki/serving.ts';
import { informers, manager } from '#kube/runtime/index.ts';
import { sqliteStore, type Store } from '#kube/store/index.ts';
import { onePort } from '#rpc/index.ts';
import { serviceAccountKey } from './kube-program.ts';
import { runProgram } from './program.ts';

export interface PlatformOptions {
  readonly host: string;
  readonly port: number;
  readonly globalPort: number;
  readonly dataDir: string;
  readonly tokenFile: string;
}

/** `kairship apiserver`: the platform's entrance, on a global cluster of its own. */
export function apiserver(options: PlatformOptions): Promise<void> {
  return runProgram('apiserver', async (program) => {
    const { log, signal } = program;
    const adminToken = (await readFile(options.tokenFile, 'utf8')).trim();
    const pki = join(options.dataDir, 'pki');
    const tls = await serving({ directory: pki, commonName: 'Kairship CA' });
    const store = await sqliteStore({ file: join(options.dataDir, 'store.db'), durability: 'full', log });
    const global = await globalCluster({ store, tls, pki, adminToken, log });
    const client = global.client(undefined, 'kairship');
    await installInstances(client, systemClock, signal);
    const pool = instancePool({ client, log, signal });
    await pool.ready;
    const controllers = runControllers(client, pool, log, signal);

    const door = entrance({
      proxy: instanceProxy((name) => pool.find(name)),
      sessions: sessions({ key: adminToken, clock: systemClock }),
      console: consoleFiles(resolve(import.meta.dirname, '..', 'console')),
      adminToken,
      ready: () => !signal.aborted,
    });
    const server = onePort({
      tls: tls.current(),
      onRequest: (...exchange) => door.request(...exchange),
      onUpgrade: (...asked) => door.upgrade(...asked),
    });
    const port = await server.listen(options.port, options.host);
    const own = await global.listen({ port: options.globalPort, tls: { ...tls.current(), ca: tls.ca.cert } });
    const config = kubeconfigFor({ name: 'global', server: own.url, ca: tls.ca.cert, token: adminToken });
    await saveKubeconfig(join(options.dataDir, 'kubeconfig'), config);
    program.ready({ port, global: own.url });
    if (program.alone) process.stdout.write(`Kairship serves at https://${options.host}:${port}\n`);

    return async () => {
      await server.close();
      await controllers;
      await global.close();
      await store.close();
    };
  });
}

interface GlobalParts {
  readonly store: Store;
  readonly tls: Serving;
  readonly pki: string;
  readonly adminToken: string;
  readonly log: Log;
}

/** The platform's own Kubernetes, where instances, clusters and people are written down. */
async function globalCluster({ store, tls, pki, adminToken, log }: GlobalParts): Promise<ApiServer> {
  return controlPlane({
    store,
    log,
    authenticators: [staticTokens({ [adminToken]: { name: 'admin', groups: [MASTERS] } }), clientCertificates()],
    serviceAccountKey: await serviceAccountKey(pki),
    ca: () => tls.ca.cert,
    signingAuthority: tls.ca,
    defaultServiceAccounts: false,
  });
}

/** Resolves when all of them have ended, after the signal has aborted. */
function runControllers(client: KubeClient, pool: InstancePool, log: Log, signal: AbortSignal): Promise<void> {
  const shared = informers(client, { log, signal });
  const ask = (name: string, asking: AbortSignal) => askInstance((wanted) => pool.find(wanted), name, asking);
  const controllers = [
    instanceController({ client, informers: shared }),
    statusSyncController({ client, informers: shared, clock: systemClock, ask }),
  ];
  return manager({ client, controllers, informers: shared, log }).start(signal);
}
