import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { adoptInstance, installInstances } from '#kairship/instances/adopt.ts';
import { instancePool } from '#kairship/proxy/instance-pool.ts';
import { instanceProxy } from '#kairship/proxy/instance-proxy.ts';
import { consoleFiles } from '#kairship/services/console-files.ts';
import { entrance } from '#kairship/services/entrance.ts';
import { sessions } from '#kairship/services/session.ts';
import { twoWayServer } from '#kairship/services/two-way-server.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { serving } from '#kube/pki/serving.ts';
import { sqliteStore } from '#kube/store/index.ts';
import { runProgram } from './program.ts';

export interface PlatformOptions {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly tokenFile: string;
  readonly adopt: readonly string[];
}

/** `kairship apiserver`: the platform's entrance, on a global cluster of its own. */
export function apiserver(options: PlatformOptions): Promise<void> {
  return runProgram('apiserver', async (program) => {
    const { log, signal } = program;
    const store = await sqliteStore({ file: join(options.dataDir, 'store.db'), durability: 'full', log });
    const global = await apiServer({ store, log });
    const client = global.client(undefined, 'kairship');
    await installInstances(client);
    const pool = instancePool({ client, log, signal });
    await pool.ready;

    const adminToken = (await readFile(options.tokenFile, 'utf8')).trim();
    const tls = await serving({ directory: join(options.dataDir, 'pki'), commonName: 'Kairship CA' });
    const door = entrance({
      proxy: instanceProxy((name) => pool.find(name)),
      sessions: sessions({ key: adminToken, clock: systemClock }),
      console: consoleFiles(resolve(import.meta.dirname, '..', 'console')),
      adminToken,
      ready: () => !signal.aborted,
    });
    const server = twoWayServer({
      tls: tls.current(),
      onRequest: (...exchange) => door.request(...exchange),
      onUpgrade: (...asked) => door.upgrade(...asked),
    });
    const port = await server.listen(options.port, options.host);
    await Promise.all(options.adopt.map((text) => adopt(client, text)));
    program.ready({ port });
    if (program.alone) process.stdout.write(`Kairship serves at https://${options.host}:${port}\n`);

    return async () => {
      await server.close();
      await global.close();
      await store.close();
    };
  });
}

/** `name=kubeconfig`: an instance that runs already. */
async function adopt(client: KubeClient, text: string): Promise<void> {
  const [name = '', path = ''] = text.split(/=(.*)/s);
  const kubeconfig = await waitForFile(path);
  const { server: endpoint } = await loadKubeconfig(path);
  await adoptInstance(client, { name, endpoint, kubeconfig });
}

/** The instance may be starting beside us; its kubeconfig appears when it serves. */
async function waitForFile(path: string): Promise<string> {
  for (;;) {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}
