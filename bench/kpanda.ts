/**
 * How fast the index answers, how far it is behind its clusters, what it takes, and how long the same question takes when
 * every cluster is asked instead, in the same run.
 *
 *     npm run bench -- kpanda [--postgres] [--clusters 20] [--pods 5000] [--seconds 10]
 *
 * Then an index as large as a hundred instances make it: each with a hundred members and its share of 10,000 workloads.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '#base/clock.ts';
import { createServer } from '#base/node-http.ts';
import { type HttpClient, httpClient } from '#kube/client/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import {
  indexCollector,
  indexedObject,
  indexHandler,
  type IndexReader,
  type IndexWriter,
  postgresDatabase,
  prepareIndex,
  type SqlDatabase,
  sqlIndexReader,
  sqlIndexWriter,
  sqliteDatabase,
  watchIndex,
} from '#kpanda/index/index.ts';
import { startPostgres } from '#kpanda/index/store/postgres-server.ts';
import { type FarmAnswer, type FarmRequest, STAMP, TOKEN } from './kpanda/farm.ts';
import { circumstances, writeSection } from './results.ts';

const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    clusters: { type: 'string', default: '20' },
    pods: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '10' },
  },
});
const clusterCount = Number(values.clusters);
const podCount = Number(values.pods);
const seconds = Number(values.seconds);
const WRITES = 500;
const directory = mkdtempSync(join(tmpdir(), 'bench-kpanda-'));
const rows: (readonly [what: string, value: string, target: string])[] = [];
const tell = (what: string, value: string, target = '') => {
  rows.push([what, value, target]);
  console.error(`${what}: ${value}${target === '' ? '' : ` (${target})`}`);
};
const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** Pages as people ask for them, each time of something else. */
const PAGES: readonly ((n: number) => string)[] = [
  (n) => `labelSelector=app%3Dweb-${n % 200}&limit=100`,
  (n) => `labelSelector=tier%3D${n % 2 === 0 ? 'back' : 'front'}&limit=100`,
  (n) => `fieldSelector=spec.nodeName%3Dnode-${n % 50}&limit=100`,
  (n) => `fieldSelector=metadata.namespace%3Dteam-${n % 20}&limit=100`,
  (n) => `labelSelector=app+in+(web-${n % 200},web-${(n + 77) % 200}),tier%3Dfront&limit=100`,
];
const pageOf = (n: number): string => PAGES[n % PAGES.length]?.(Math.floor(n / PAGES.length)) ?? '';
/** Pages that no cluster can be asked for. */
const ONLY_HERE: readonly string[] = [
  'search=web-42&limit=50',
  'fuzzyName=-4711&limit=50',
  'orderby=created_at+desc,name&limit=100',
  'labelSelector=app%3Dweb-9&limit=50&withRemainingCount=true',
  'search=shop/web:13&namespaces=team-7&limit=50',
];

function ask(farm: ChildProcess, request: FarmRequest): Promise<FarmAnswer> {
  return new Promise((resolve) => {
    farm.once('message', (answer) => resolve(answer as FarmAnswer));
    farm.send(request);
  });
}

async function openDatabase(): Promise<{ readonly database: SqlDatabase; readonly stop: () => Promise<void> }> {
  if (!values.postgres) {
    return { database: sqliteDatabase({ file: join(directory, 'index.db') }), stop: () => Promise.resolve() };
  }
  const server = await startPostgres();
  return { database: postgresDatabase({ url: server.url }), stop: () => server.stop() };
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

/** With `BENCH_EACH=1`: how long each of the questions took that were asked in turn. */
function tellEach(times: readonly number[], questions: readonly string[]): void {
  if (!process.env['BENCH_EACH']) return;
  for (const [place, question] of questions.entries()) {
    const own = times.filter((_, n) => n % questions.length === place);
    console.error(`  ${ms(percentile(own, 0.5))}  ${question}`);
  }
}

async function timed(rounds: number, work: (n: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const started = performance.now();
    await work(n);
    times.push(performance.now() - started);
  }
  return times;
}

async function getJson(client: HttpClient, path: string): Promise<{ readonly items: readonly KubeObject[] }> {
  return JSON.parse(await client.getText(path));
}

/** Serves the index on a port, as its users meet it. */
async function served(reader: IndexReader) {
  const handler = indexHandler({ reader, accessOf: () => Promise.resolve('everything') });
  const server = createServer((request, response) => void handler.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/apis/clusterpedia.io/v1beta1/resources`;
  const client = httpClient({ server: url });
  return {
    client,
    close() {
      client.close();
      server.close();
    },
  };
}

/** The same question to every cluster at once, and the answers put together. */
async function fanOut(members: readonly HttpClient[], query: string): Promise<readonly KubeObject[]> {
  const answers = await Promise.all(members.map((member) => getJson(member, `/api/v1/pods?${query}`)));
  return answers.flatMap(({ items }) => items).slice(0, 100);
}

async function indexOfClusters(): Promise<void> {
  const farm = fork(join(import.meta.dirname, 'kpanda/farm.ts'));
  const { database, stop } = await openDatabase();
  try {
    const answer = await ask(farm, { make: { clusters: clusterCount, pods: podCount } });
    const members = ('urls' in answer ? answer.urls : []).map((server) => httpClient({ server, token: TOKEN }));
    await prepareIndex(database);
    const writer = await sqlIndexWriter(database);
    const reader = sqlIndexReader(database);
    const collector = indexCollector({ writer });
    const total = clusterCount * podCount;

    const memory = process.memoryUsage().rss;
    const started = performance.now();
    const pods = { include: ['pods', 'namespaces'] };
    for (const [n, member] of members.entries()) await collector.follow(`cluster-${n}`, member, pods);
    const kind = () => reader.kinds().then((kinds) => kinds.find(({ resource }) => resource === 'pods')?.id ?? -1);
    while ((await reader.count({ kinds: [await kind()] }, 'everything')) < total) await pause(1_000);
    const took = performance.now() - started;
    tell(
      `${total} objects of ${clusterCount} clusters indexed`,
      `${(took / 1000).toFixed(1)} s, ${Math.round((total * 1000) / took)} objects/s`,
    );
    tell('memory it took', `${Math.round((process.memoryUsage().rss - memory) / 2 ** 20)} MB`);

    const http = await served(reader);
    await timed(20, (n) => getJson(http.client, `/api/v1/pods?${pageOf(n)}`));
    const pages = await timed(250, (n) => getJson(http.client, `/api/v1/pods?${pageOf(n)}`));
    tellEach(
      pages,
      PAGES.map((page) => page(0)),
    );
    tell('filtered page, p50 / p95', `${ms(percentile(pages, 0.5))} / ${ms(percentile(pages, 0.95))}`, 'p95 ≤ 50 ms');
    const searches = await timed(150, (n) => getJson(http.client, `/api/v1/pods?${ONLY_HERE[n % ONLY_HERE.length]}`));
    tell(
      'search, fuzzy name, order, count, p50 / p95',
      `${ms(percentile(searches, 0.5))} / ${ms(percentile(searches, 0.95))}`,
    );
    const fanned = await timed(50, (n) => fanOut(members, pageOf(n)));
    tell(
      'the same pages asked of every cluster, p50 / p95',
      `${ms(percentile(fanned, 0.5))} / ${ms(percentile(fanned, 0.95))}`,
    );
    const ratio = percentile(fanned, 0.5) / percentile(pages, 0.5);
    tell('the index is faster', `${ratio.toFixed(1)} × (p50)`, '≥ 10 ×');

    await syncLag(farm, reader, await kind());
    http.close();
    await collector.close();
    for (const member of members) member.close();
  } finally {
    farm.disconnect();
    await database.close();
    await stop();
  }
}

/** From the moment a cluster has a change until a watch on the index tells it. */
async function syncLag(farm: ChildProcess, reader: IndexReader, kind: number): Promise<void> {
  const end = new AbortController();
  const lags: number[] = [];
  const watching = (async () => {
    const after = await reader.revision();
    for await (const event of watchIndex(reader, { kinds: [kind] }, 'everything', {
      after,
      clock: systemClock,
      signal: end.signal,
    })) {
      if (event.type === 'BOOKMARK') continue;
      const { metadata } = JSON.parse(event.object.body) as KubeObject;
      lags.push(Date.now() - Number(metadata.annotations?.[STAMP]));
    }
  })();
  const cpu = process.cpuUsage();
  const answer = await ask(farm, { write: { perSecond: WRITES, seconds } });
  await pause(1_000);
  end.abort();
  await watching;
  const spent = process.cpuUsage(cpu);
  const written = 'written' in answer ? answer.written : 0;
  tell(
    `lag under ${WRITES} writes/s (${written} written, ${lags.length} told), p50 / p95 / max`,
    `${ms(percentile(lags, 0.5))} / ${ms(percentile(lags, 0.95))} / ${ms(Math.max(...lags))}`,
    '≤ 1 s',
  );
  tell('CPU of the indexing process for a write', `${((spent.user + spent.system) / 1000 / written).toFixed(2)} ms`);
}

const INSTANCES = 100;
const MEMBERS = 100;
const WORKLOADS = 10_000;

function resource(group: string, version: string, name: string, kind: string, namespaced: boolean) {
  return {
    group,
    version,
    resource: name,
    kind,
    namespaced,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: [],
    subresources: [],
  };
}

/** An index as large as R37 asks for, written straight into it: only reading is measured. */
async function manyInstances(): Promise<void> {
  const { database, stop } = await (values.postgres
    ? openDatabase()
    : Promise.resolve({
        database: sqliteDatabase({ file: join(directory, 'large.db') }),
        stop: () => Promise.resolve(),
      }));
  try {
    await prepareIndex(database);
    const writer = await sqlIndexWriter(database);
    const started = performance.now();
    await fillInstances(writer);
    tell(
      `${INSTANCES} instances × ${MEMBERS} members, ${WORKLOADS} workloads written`,
      `${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
    const reader = sqlIndexReader(database);
    const http = await served(reader);
    const lists = [
      '/apis/apps/v1/deployments?limit=500',
      '/apis/apps/v1/deployments?limit=100&orderby=name+desc&withRemainingCount=true',
      '/clusters/k-17/apis/apps/v1/deployments?limit=500',
      '/clusters/k-42/apis/cluster.karmada.io/v1alpha1/clusters',
      '/apis/apps/v1/deployments?search=shop-77&limit=100',
      '/apis/apps/v1/deployments?labelSelector=app%3Dshop-7&limit=500',
    ];
    await timed(12, (n) => getJson(http.client, lists[n % lists.length] ?? ''));
    const times = await timed(120, (n) => getJson(http.client, lists[n % lists.length] ?? ''));
    tellEach(times, lists);
    tell('list in it, p50 / p95', `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.95))}`, 'p95 < 1 s');
    http.close();
  } finally {
    await database.close();
    await stop();
  }
}

async function fillInstances(writer: IndexWriter): Promise<void> {
  const deployments = await writer.kind(resource('apps', 'v1', 'deployments', 'Deployment', true));
  const clusters = await writer.kind(resource('cluster.karmada.io', 'v1alpha1', 'clusters', 'Cluster', false));
  const state = { phase: 'Following' as const, position: '1', changedAt: 1, message: '' };
  const share = WORKLOADS / INSTANCES;
  for (let instance = 0; instance < INSTANCES; instance++) {
    const workloads = Array.from({ length: share }, (_, n) => deploymentOf(instance * share + n));
    const own = `k-${instance}`;
    const members = Array.from({ length: MEMBERS }, (_, n) => memberOf(instance * MEMBERS + n));
    await writer.commit([
      {
        cluster: own,
        kind: deployments,
        objects: workloads.map((each) => indexedObject(own, each)),
        deleted: [],
        at: 1,
        state,
      },
      {
        cluster: own,
        kind: clusters,
        objects: members.map((each) => indexedObject(own, each)),
        deleted: [],
        at: 1,
        state,
      },
      // Each member runs one of the workloads.
      ...workloads.map((each, n) => {
        const cluster = `member-${instance * MEMBERS + n}`;
        return { cluster, kind: deployments, objects: [indexedObject(cluster, each)], deleted: [], at: 1, state };
      }),
    ]);
    const sources = [own, ...members.map(({ metadata }) => metadata.name)];
    await writer.saySources(
      sources.map((name) => ({ name, identity: name, reachable: true, heardAt: Date.now(), message: '' })),
    );
  }
}

function deploymentOf(n: number): KubeObject {
  const name = `shop-${n % 100}-${n}`;
  const labels = { app: `shop-${n % 100}` };
  const containers = [{ name: 'web', image: `shop:${n % 30}`, env: [{ name: 'NOTE', value: 'x'.repeat(600) }] }];
  const metadata = {
    name,
    namespace: `team-${n % 20}`,
    uid: `u-${n}`,
    resourceVersion: String(n + 1),
    labels,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas: 2, template: { spec: { containers } } },
  };
}

function memberOf(n: number): KubeObject {
  const metadata = {
    name: `member-${n}`,
    uid: `m-${n}`,
    resourceVersion: String(n + 1),
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  return { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata, spec: { syncMode: 'Push' } };
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}

try {
  const facts = circumstances();
  if (clusterCount > 0) await indexOfClusters();
  await manyInstances();
  const name = values.postgres ? 'kpanda-postgres' : 'kpanda';
  if (clusterCount * podCount < 100_000) process.exit(0); // a rehearsal, not a result
  const head = `## The index, in ${values.postgres ? 'PostgreSQL' : 'SQLite'}\n\n${facts.map((each) => `- ${each}`).join('\n')}`;
  const body = rows.map(([what, value, target]) => `| ${what} | ${value} | ${target} |`).join('\n');
  writeSection(name, `${head}\n\n| | measured | wanted |\n|---|---|---|\n${body}`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
