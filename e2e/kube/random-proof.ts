/**
 * Random requests to the program, and what must hold afterwards: every answer was clear, nothing failed inside, memory
 * stayed within bounds, the server still answers, and whoever watched knows exactly what lists show.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Endpoint, startKube } from './kube-server.ts';
import { catalogue, defineWidgets, sendRandomRequests } from './random-requests.ts';
import { type WatchClient, watchClient } from './watch-client.ts';

export interface RandomProof {
  readonly codes: Readonly<Record<string, number>>;
  readonly megabytes: number;
  /** How many resources were watched from the first request to the last. */
  readonly watched: number;
}

const MOST_MEGABYTES = 700;
const PATIENCE_MS = 20_000;
const OFTEN_MS = 50;
/** Samples of memory over a run. */
const SAMPLES = 20;

export async function proveRandomRequests(run: {
  readonly directory: string;
  readonly seed: number;
  readonly requests: number;
}): Promise<RandomProof> {
  const { seed, requests } = run;
  const server = await startKube(run.directory);
  const memory = () => megabytesOf(server.process.pid ?? 0);
  try {
    await defineWidgets(server);
    const watching = await watchAll(server);
    let sent = 0;
    let megabytes = 0;
    const told = () => {
      if (sent++ % Math.ceil(requests / SAMPLES) === 0) megabytes = Math.max(megabytes, memory());
    };
    const { codes, complaints } = await sendRandomRequests(server, { seed, requests, told });
    if (complaints.length > 0)
      fail(seed, `${complaints.length} unclear answers:\n${complaints.slice(0, 5).join('\n')}`);
    for (const one of watching) await sameAsList(server, one, seed);
    for (const { watch } of watching) watch.stop();
    if (/a request failed/.test(server.errors())) fail(seed, `failures inside:\n${server.errors().slice(0, 2_000)}`);
    if (megabytes > MOST_MEGABYTES) fail(seed, `it took ${megabytes} MB`);
    if ((await ask(server, { path: '/readyz' })).code !== 200) fail(seed, 'it is not ready any more');
    return { codes, megabytes, watched: watching.length };
  } finally {
    await server.stop();
  }
}

interface Watching {
  readonly path: string;
  readonly before: ReadonlyMap<string, number>;
  readonly watch: WatchClient;
}

async function watchAll(server: Endpoint): Promise<readonly Watching[]> {
  const resources = await catalogue(server);
  const places = resources.filter(({ verbs }) => verbs.includes('watch')).map((one) => `/${one.path}/${one.resource}`);
  const watching: Watching[] = [];
  for (const path of places) {
    const { revision, objects } = await list(server, path);
    watching.push({ path, before: objects, watch: watchClient(server, path, revision) });
  }
  return watching;
}

/** Events come a moment after the write that made them: asked until they agree. */
async function sameAsList(server: Endpoint, { path, before, watch }: Watching, seed: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(OFTEN_MS)) {
    const there = shown((await list(server, path)).objects);
    const known = shown(stateAfter(before, watch));
    if (there === known) return;
    if (Date.now() > deadline) fail(seed, `watchers of ${path} know\n${known}\nbut there is\n${there}`);
  }
}

function stateAfter(before: ReadonlyMap<string, number>, { events }: WatchClient): ReadonlyMap<string, number> {
  const state = new Map(before);
  for (const { type, namespace, name, revision } of events) {
    if (type === 'DELETED') state.delete(`${namespace}/${name}`);
    else state.set(`${namespace}/${name}`, revision);
  }
  return state;
}

const shown = (objects: ReadonlyMap<string, number>) =>
  [...objects]
    .map(([name, revision]) => `${name} at ${revision}`)
    .toSorted()
    .join('\n');

interface List {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly { metadata: { namespace?: string; name: string; resourceVersion: string } }[];
}

async function list(server: Endpoint, path: string) {
  const { body } = await ask(server, { path });
  const { metadata, items } = body as List;
  const objects = items.map(({ metadata: { namespace = '', name, resourceVersion } }): [string, number] => [
    `${namespace}/${name}`,
    Number(resourceVersion),
  ]);
  return { revision: Number(metadata.resourceVersion), objects: new Map(objects) };
}

function megabytesOf(pid: number): number {
  try {
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0; // not every system tells it there
  }
}

function fail(seed: number, what: string): never {
  throw new Error(`seed ${seed}: ${what}`);
}
