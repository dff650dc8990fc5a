/** `kairship kpanda`: the inventory of clusters and the index of what is in them, on a port of its own. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { badRequest, hasReason } from '#base/status-error.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { kubeconfigFor, saveKubeconfig } from '#kube/client/kubeconfig.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { readIfPresent, writePrivate } from '#kube/pki/private-file.ts';
import { serving } from '#kube/pki/serving.ts';
import { callerAccess } from '#kpanda/caller-access.ts';
import { reviews } from '#kpanda/reviews.ts';
import { kpandaApi, reviewedCalls } from '#kpanda/services/index.ts';
import {
  INDEX_ROOT,
  type IndexHandler,
  postgresDatabase,
  type SqlDatabase,
  sqliteDatabase,
} from '#kpanda/index/index.ts';
import { type Kpanda, kpanda as startKpanda } from '#kpanda/kpanda.ts';
import { memberClients } from '#kpanda/registry/index.ts';
import { onePort } from '#rpc/index.ts';
import { runProgram } from './program.ts';

export interface KpandaOptions {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Of the global cluster. */
  readonly kubeconfig?: string;
  /** `postgres://…`; a file in the data directory when absent. */
  readonly database?: string;
  readonly kubeconfigOut?: string;
  /** `name=kubeconfig`, several times. */
  readonly import: readonly string[];
}

export function kpanda(options: KpandaOptions): Promise<void> {
  return runProgram('kpanda', async (program) => {
    const { log, signal } = program;
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
    const client = httpClient(await loadKubeconfig(options.kubeconfig));
    const database = databaseOf(options);
    const adminToken = await tokenIn(options.dataDir);
    const identity = `${hostname()}_${randomBytes(4).toString('hex')}`;
    const panda = await startKpanda({ client, database, identity, signal, log });
    const tls = await serving({ directory: join(options.dataDir, 'pki'), commonName: 'Kpanda CA' });
    const asked = reviews(client);
    const handler = panda.handler(callerAccess({ reviews: asked, reader: panda.reader, adminToken }));
    const members = memberClients({ client });
    const api = kpandaApi({
      registry: panda.registry,
      members,
      ...reviewedCalls({ reviews: asked, adminToken }),
      clock: systemClock,
      log,
    });
    const server = onePort({
      tls: tls.current(),
      plain: 'nobody',
      onRequest: (request, response) => {
        if (!api.handle(request, response)) void answer(handler, request, response);
      },
      onHttp2: (request, response) => void (api.handle(request, response) || response.writeHead(404).end()),
    });
    void tls.keepFresh(server, signal);
    const port = await server.listen(options.port, options.host);
    const url = `https://${options.host}:${port}${INDEX_ROOT}/resources`;
    const config = kubeconfigFor({ name: 'index', server: url, ca: tls.ca.cert, token: adminToken });
    if (options.kubeconfigOut !== undefined) await saveKubeconfig(options.kubeconfigOut, config);
    for (const each of options.import) await importFrom(panda, each);
    program.ready({ port, url });
    if (program.alone) announce(url, options);

    return async () => {
      await server.close();
      await panda.ended;
      members.close();
      await database.close();
      client.close();
    };
  });
}

function databaseOf({ database, dataDir }: KpandaOptions): SqlDatabase {
  if (database === undefined) return sqliteDatabase({ file: join(dataDir, 'index.db') });
  if (!/^postgres(ql)?:\/\//.test(database))
    throw badRequest('--database is a URL: postgres://user@host:port/database');
  return postgresDatabase({ url: database });
}

async function answer(handler: IndexHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (/^\/(readyz|livez|healthz)$/.test(request.url ?? '')) return void response.end('ok');
  await handler.handle(request, response);
}

/** Kept with the data, so that a kubeconfig written once works after a restart. */
async function tokenIn(dataDir: string): Promise<string> {
  const path = join(dataDir, 'admin.token');
  const known = await readIfPresent(path);
  if (known !== undefined) return known.trim();
  const token = randomBytes(32).toString('base64url');
  await writePrivate(path, `${token}\n`);
  return token;
}

async function importFrom({ registry }: Kpanda, text: string): Promise<void> {
  const [name = '', path = ''] = text.split(/=(.*)/s);
  if (path === '') throw badRequest(`--import ${text}: write name=kubeconfig`);
  try {
    await registry.importCluster({ name, kubeconfig: await readFile(path, 'utf8') });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

function announce(url: string, { kubeconfigOut }: KpandaOptions): void {
  const lines = [
    `Kpanda serves the index at ${url}`,
    ...(kubeconfigOut === undefined
      ? ['Give --kubeconfig-out FILE to get a kubeconfig for it.']
      : ['', `  export KUBECONFIG=${kubeconfigOut}`, '  kubectl get pods -A']),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
