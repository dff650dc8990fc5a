/** What tests of the index share: an index in a file of its own, clusters in this process, a port. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createServer } from '#base/node-http.ts';
import type { Ending } from '#base/testing.ts';
import { type ApiServer, apiServer } from '#kube/apiserver/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import { type Collector, indexCollector } from './collect/collector.ts';
import type { Access } from './query/access.ts';
import { indexHandler } from './serve/index-handler.ts';
import type { IndexReader, IndexWriter } from './store/index-store.ts';
import { prepareIndex } from './store/open-index.ts';
import { TABLES } from './store/schema-sql.ts';
import type { SqlDatabase } from './store/sql-database.ts';
import { sqlIndexReader } from './store/sql-index-reader.ts';
import { sqlIndexWriter } from './store/sql-index-writer.ts';
import { sqliteDatabase } from './store/sqlite-database.ts';

export const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
export const PODS_GVR = { group: '', version: 'v1', resource: 'pods' };

export interface TestIndex {
  readonly database: SqlDatabase;
  readonly writer: IndexWriter;
  readonly reader: IndexReader;
  readonly collector: Collector;
}

/** One for all tests of a file, which run one after another: its threads take longer to start than most tests. */
let shared: { readonly directory: string; readonly database: SqlDatabase } | undefined;
after(async () => {
  await shared?.database.close();
  if (shared) await rm(shared.directory, { recursive: true, force: true });
});

/** A SQLite database with nothing in it. */
export async function emptyDatabase(): Promise<SqlDatabase> {
  if (!shared) {
    const directory = await mkdtemp(join(tmpdir(), 'kairship-index-'));
    shared = { directory, database: sqliteDatabase({ file: join(directory, 'index.db') }) };
  }
  await shared.database.define(TABLES.map((table) => `DROP TABLE IF EXISTS ${table}`));
  return shared.database;
}

/** An empty index that ends with the test. */
export async function testIndex(t: Ending): Promise<TestIndex> {
  const database = await emptyDatabase();
  await prepareIndex(database);
  const writer = await sqlIndexWriter(database);
  const reader = sqlIndexReader(database);
  const collector = indexCollector({ writer });
  t.after(async () => {
    await collector.close();
  });
  return { database, writer, reader, collector };
}

/** A cluster of its own, in this process. */
export async function testCluster(t: Ending): Promise<ApiServer> {
  const server = await apiServer({ store: memoryStore() });
  t.after(() => server.close());
  return server;
}

/** Serves the index on a port; `accessOf` says what the caller may read. */
export async function serveIndex(
  t: Ending,
  reader: IndexReader,
  accessOf: (request: IncomingMessage) => Promise<Access> = () => Promise.resolve('everything'),
): Promise<string> {
  const closing = new AbortController();
  const handler = indexHandler({ reader, accessOf, closing: closing.signal });
  const server = createServer((request, response) => void handler.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    closing.abort();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/apis/clusterpedia.io/v1beta1`;
}

/** Resolves when `look` says so after a commit; tests have a time limit of their own. */
export async function eventually(reader: IndexReader, look: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const fresh = Promise.withResolvers<void>();
    const end = reader.onCommit(() => fresh.resolve());
    try {
      if (await look()) return;
      await Promise.race([fresh.promise, new Promise((resolve) => setTimeout(resolve, 50))]);
    } finally {
      end();
    }
  }
}

export async function kindNamed(reader: IndexReader, resource: string): Promise<number> {
  return (await reader.kinds()).find((each: ApiResource) => each.resource === resource)?.id ?? -1;
}

/** `cluster/namespace/name` of everything of a kind. */
export async function names(reader: IndexReader, resource: string): Promise<readonly string[]> {
  const kind = await kindNamed(reader, resource);
  const { objects } = await reader.page({ kinds: [kind], limit: 5_000 }, 'everything');
  return objects.map((each) => `${each.cluster}/${each.namespace}/${each.name}`);
}
