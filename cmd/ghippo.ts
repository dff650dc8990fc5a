/** `kairship ghippo`: identity and access, on a port of its own; the elected replica also tells products of bindings. */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { badRequest } from '#base/status-error.ts';
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import { ensureFirstAdmin, FIRST_ADMIN } from '#ghippo/bootstrap.ts';
import { runGhippoControllers } from '#ghippo/controllers.ts';
import type { Database } from '#ghippo/database/database.ts';
import { postgresDatabase } from '#ghippo/database/postgres-database.ts';
import { sqliteDatabase } from '#ghippo/database/sqlite-database.ts';
import { startGhippo } from '#ghippo/ghippo.ts';
import { ghippoApi } from '#ghippo/services/index.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { serving } from '#kube/pki/serving.ts';
import { fenced, leaseElection } from '#kube/runtime/index.ts';
import { onePort } from '#rpc/index.ts';
import { runProgram } from './program.ts';

export interface GhippoProgramOptions {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Of the global cluster. */
  readonly kubeconfig?: string;
  /** `postgres://…`; a file in the data directory when absent. */
  readonly database?: string;
}

export function ghippo(options: GhippoProgramOptions): Promise<void> {
  return runProgram('ghippo', async (program) => {
    const { log, signal } = program;
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
    const client = httpClient(await loadKubeconfig(options.kubeconfig));
    const database = await databaseOf(options);
    const own = await startGhippo({ client, database, log, signal });
    await own.ready;
    const password = randomBytes(12).toString('base64url');
    const first = await ensureFirstAdmin(own, { password });
    const identity = `${hostname()}_${randomBytes(4).toString('hex')}`;
    const election = leaseElection({ client, namespace: GHIPPO_NAMESPACE, name: 'ghippo', identity, log });
    const leading = election.run(
      (leadership) =>
        runGhippoControllers({ client: fenced(client, leadership), database, log, signal: leadership.signal }),
      signal,
    );
    const tls = await serving({ directory: join(options.dataDir, 'pki'), commonName: 'Ghippo CA' });
    const api = ghippoApi({ ghippo: own, clock: systemClock, log });
    const server = onePort({
      tls: tls.current(),
      onRequest(request, response) {
        if (request.url === '/readyz' || request.url === '/healthz') response.writeHead(200).end('ok');
        else if (!api.handle(request, response)) response.writeHead(404).end();
      },
      onHttp2: (request, response) => void (api.handle(request, response) || response.writeHead(404).end()),
    });
    void tls.keepFresh(server, signal);
    const port = await server.listen(options.port, options.host);
    program.ready({ port });
    if (program.alone) process.stdout.write(`Ghippo serves at https://${options.host}:${port}\n`);
    // Told once, to who started it: nobody can sign in otherwise.
    if (program.alone && first === 'created') process.stdout.write(`Sign in as ${FIRST_ADMIN} with ${password}\n`);
    return async () => {
      await server.close();
      await leading;
      await database.close();
      client.close();
    };
  });
}

function databaseOf({ database, dataDir }: GhippoProgramOptions): Promise<Database> {
  if (database === undefined) return sqliteDatabase(join(dataDir, 'people.db'));
  if (!/^postgres(ql)?:\/\//.test(database))
    throw badRequest('--database is a URL: postgres://user@host:port/database');
  return postgresDatabase({ url: database });
}
