/**
 * The index ends equal to its clusters, whatever happens in between: random writes to several clusters while the indexing
 * process and the clusters themselves are killed with -9 and started again. At the end every object of every cluster is
 * in the index as it is there, at the same revision, and nothing else is.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import { type HttpClient, httpClient, loadKubeconfig } from '#kube/client/index.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { indexedObject } from '#kpanda/index/index.ts';
import { type KubeServer, startKube } from '../kube/kube-server.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const KINDS: readonly (Gvr & { readonly kind: string; readonly path: string })[] = [
  { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', path: '/api/v1/configmaps' },
  { group: '', version: 'v1', resource: 'secrets', kind: 'Secret', path: '/api/v1/secrets' },
  { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment', path: '/apis/apps/v1/deployments' },
];
const CLUSTERS = 3;
const NAMES = 150;
const AT_ONCE = 16;

export interface IndexProof {
  readonly operations: number;
  readonly kills: number;
  readonly objects: number;
}

/** Numbers that repeat with the seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

interface Panda {
  readonly process: ChildProcess;
  readonly client: HttpClient;
}

async function startPanda(directory: string, args: readonly string[] = []): Promise<Panda> {
  const kubeconfig = join(directory, 'index.kubeconfig');
  const places = ['--data-dir', join(directory, 'kpanda'), '--kubeconfig', join(directory, 'global', 'kubeconfig')];
  const child = spawn(join(ROOT, 'bin/kairship'), ['kpanda', ...places, '--kubeconfig-out', kubeconfig, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4_000)));
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => chunk.includes('serves the index') && done());
    child.on('exit', (code) => fail(new Error(`kpanda ended with ${code}: ${errors}`)));
  });
  return { process: child, client: httpClient(await loadKubeconfig(kubeconfig)) };
}

async function killed({ process: child, client }: Panda): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  client.close();
}

interface Member {
  readonly directory: string;
  server: KubeServer;
  client: HttpClient;
}

async function startMember(directory: string, port = 0): Promise<Member> {
  mkdirSync(directory, { recursive: true });
  const server = await startKube(directory, ['--port', String(port), '--durability', 'full']);
  return { directory, server, client: httpClient(await loadKubeconfig(server.kubeconfig)) };
}

/** Dies, stays away for a moment, and comes back where it was. */
async function restart(member: Member): Promise<void> {
  const { port } = member.server;
  await member.server.kill();
  member.client.close();
  const again = await startMember(member.directory, port);
  member.server = again.server;
  member.client = again.client;
}

function objectOf({ group, version, kind }: (typeof KINDS)[number], name: string, n: number): KubeObject {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const metadata = { name, namespace: 'default', labels: { app: `a-${n % 7}` } };
  if (kind === 'ConfigMap') return { apiVersion, kind, metadata, data: { n: String(n) } };
  if (kind === 'Secret') return { apiVersion, kind, metadata, stringData: { n: String(n) } };
  const containers = [{ name: 'c', image: `web:${n % 5}` }];
  const template = { metadata: { labels: { app: 'x' } }, spec: { containers } };
  return { apiVersion, kind, metadata, spec: { replicas: n % 4, selector: { matchLabels: { app: 'x' } }, template } };
}

/** One random write; what is refused because of what is there already, or because a cluster is away, is no failure. */
async function write({ client }: Member, random: (below: number) => number): Promise<void> {
  const kind = KINDS[random(KINDS.length)];
  if (!kind) return;
  const name = `o-${random(NAMES)}`;
  const n = random(1_000_000);
  try {
    if (random(10) < 3) return await client.delete(kind, { namespace: 'default', name });
    if (random(2) === 0) return void (await client.create(kind, objectOf(kind, name, n)));
    const body = { metadata: { labels: { app: `a-${n % 7}` }, annotations: { n: String(n) } } };
    await client.patch(kind, { namespace: 'default', name }, { type: 'merge', body });
  } catch (error) {
    if (!hasReason(error, 'NotFound', 'AlreadyExists', 'Conflict', 'ServiceUnavailable', 'Timeout')) throw error;
  }
}

/** What differs between a cluster and what the index has of it. */
async function differences(name: string, member: Member, { client }: Panda): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of KINDS) {
    const { items } = await member.client.list(kind);
    const { items: kept } = JSON.parse(await client.getText(`/clusters/${name}${kind.path}`)) as {
      items: readonly KubeObject[];
    };
    const bodies = new Map(kept.map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, object]));
    for (const object of items) {
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      // A database may keep the fields of an object in another order.
      if (!jsonEqual(bodies.get(key), JSON.parse(indexedObject(name, object).body)))
        found.push(`${name}: ${kind.resource} ${key}`);
      bodies.delete(key);
    }
    for (const key of bodies.keys()) found.push(`${name}: ${kind.resource} ${key} is in the index only`);
  }
  return found;
}

const SETTLE_MS = 60_000;

async function settled(members: readonly Member[], panda: Panda): Promise<void> {
  const until = Date.now() + SETTLE_MS;
  for (;;) {
    const all = await Promise.all(members.map((member, n) => differences(`c-${n}`, member, panda)));
    const left = all.flat();
    if (left.length === 0) return;
    if (Date.now() > until) throw new Error(`${left.length} differences:\n${left.slice(0, 10).join('\n')}`);
    await pause(500);
  }
}

export async function proveIndex(options: {
  readonly directory: string;
  readonly seed: number;
  readonly operations: number;
  /** A PostgreSQL; a file when absent. */
  readonly database?: string;
}): Promise<IndexProof> {
  const { directory, seed, operations, database } = options;
  const kept = database === undefined ? [] : ['--database', database];
  const random = randomNumbers(seed);
  mkdirSync(join(directory, 'global'), { recursive: true });
  const global = await startKube(join(directory, 'global'));
  const members = await Promise.all(Array.from({ length: CLUSTERS }, (_, n) => startMember(join(directory, `c-${n}`))));
  const imports = members.flatMap(({ server }, n) => ['--import', `c-${n}=${server.kubeconfig}`]);
  let panda = await startPanda(directory, [...kept, ...imports]);
  let kills = 0;
  try {
    const killEvery = Math.floor(operations / 12);
    for (let done = 0; done < operations; done += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => write(members[random(CLUSTERS)] as Member, random)));
      if (Math.floor(done / killEvery) === Math.floor((done + AT_ONCE) / killEvery)) continue;
      kills++;
      const victim = members[random(CLUSTERS)];
      if (kills % 3 === 0 && victim) await restart(victim);
      else {
        await killed(panda);
        // Everything goes on while nobody looks.
        for (let n = 0; n < 50; n++) await write(members[random(CLUSTERS)] as Member, random);
        panda = await startPanda(directory, kept);
      }
    }
    await settled(members, panda);
    const lists = await Promise.all(members.flatMap(({ client }) => KINDS.map((kind) => client.list(kind))));
    return { operations, kills, objects: lists.reduce((sum, { items }) => sum + items.length, 0) };
  } finally {
    await killed(panda);
    for (const { client } of members) client.close();
    await Promise.all([global, ...members.map(({ server }) => server)].map((server) => server.kill()));
  }
}
