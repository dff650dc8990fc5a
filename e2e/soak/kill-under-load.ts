/**
 * kill -9 of the API server while clients write and watch, again and again. After each time: every acknowledged write is
 * there, no revision has been given twice, and all watchers have been told the same, with no gap and nothing twice.
 */
import assert from 'node:assert/strict';
import { ask, type Endpoint, type KubeServer, startKube } from '../kube/kube-server.ts';
import { randomOf } from '../kube/random.ts';
import { type Told, type WatchClient, watchClient } from '../kube/watch-client.ts';
import { type Acknowledged, type Writer, writer } from './writer.ts';

export interface KillRun {
  readonly directory: string;
  readonly seed: number;
  readonly rounds: number;
  /** What the server is started with: `['--durability', 'normal']`. */
  readonly flags?: readonly string[];
}

export interface KillReport {
  readonly acknowledged: number;
  readonly events: number;
  readonly resumed: number;
  readonly revision: number;
}

const PATH = '/api/v1/namespaces/default/configmaps';
const WRITERS = 8;
const WATCHERS = 4;
const MOST_WRITES = 600;

export async function killUnderLoad({ directory, seed, rounds, flags = [] }: KillRun): Promise<KillReport> {
  const random = randomOf(seed);
  let server = await startKube(directory, flags);
  const from = (await list(server)).revision;
  const watching = Array.from({ length: WATCHERS }, () => watchClient(server, PATH, from));
  const known: Acknowledged[] = [];
  const given = new Map<number, string>();
  try {
    for (let round = 1; round <= rounds; round++) {
      const before = (await list(server)).revision;
      const writers = Array.from({ length: WRITERS }, (_, i) =>
        writer(server, PATH, `w${i}`, randomOf(seed * 1_000 + round * 10 + i)),
      );
      await writeAndKill(server, writers, 1 + random.whole(MOST_WRITES));
      server = await startKube(directory, [...flags, '--port', String(server.port)]);
      const acknowledged = writers.flatMap((one) => one.acknowledged);
      known.push(...acknowledged);
      checkRevisions(acknowledged, before, given);
      await checkKept(server, writers);
      await checkWatchers(watching, (await list(server)).revision, acknowledged);
    }
    // After one more write is seen, all before it have been.
    const last = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'w-last' } };
    const { body } = await ask(server, { method: 'POST', path: PATH, body: last });
    await Promise.all(watching.map((one) => one.reaches(Number(body.metadata.resourceVersion))));
    const { revision, objects } = await list(server);
    checkSame(watching, objects);
    const [first] = watching;
    const resumed = watching.reduce((sum, one) => sum + one.resumed(), 0);
    return { acknowledged: known.length, events: first?.events.length ?? 0, resumed, revision };
  } finally {
    for (const one of watching) one.stop();
    await server.stop();
  }
}

/** Lets all write until `writes` are acknowledged, then kills the server in the middle of the next ones. */
async function writeAndKill(server: KubeServer, writers: readonly Writer[], writes: number): Promise<void> {
  let count = 0;
  let killed: Promise<void> | undefined;
  await Promise.all(
    writers.map((one) =>
      one.run(() => {
        if (++count === writes) killed = server.kill();
      }),
    ),
  );
  await killed;
}

async function list(server: Endpoint): Promise<{ readonly revision: number; readonly objects: Map<string, string> }> {
  const { body } = await ask(server, { path: PATH });
  const items = body.items as { metadata: { name: string; resourceVersion: string }; data?: { text?: string } }[];
  const ours = items.filter(({ metadata }) => metadata.name.startsWith('w'));
  return {
    revision: Number(body.metadata.resourceVersion),
    objects: new Map(
      ours.map(({ metadata, data }) => [metadata.name, `${metadata.resourceVersion} ${data?.text ?? ''}`]),
    ),
  };
}

function checkRevisions(acknowledged: readonly Acknowledged[], before: number, given: Map<number, string>): void {
  for (const { name, text, revision } of acknowledged) {
    if (text === undefined) continue;
    assert.ok(revision > before, `${name} was acknowledged at ${revision}, but ${before} had been reached already`);
    assert.equal(given.get(revision), undefined, `revision ${revision} was given twice`);
    given.set(revision, name);
  }
}

/** The last acknowledged write of each object is what is there, unless the one write that was under way came after it. */
async function checkKept(server: Endpoint, writers: readonly Writer[]): Promise<void> {
  const { objects } = await list(server);
  for (const one of writers) {
    const unknown = one.underWay();
    const last = new Map(one.acknowledged.map((write) => [write.name, write]));
    for (const { name, text, revision } of last.values()) {
      const found = objects.get(name);
      if (found === undefined) {
        assert.ok(text === undefined || (unknown?.deletes && unknown.name === name), `${name} at ${revision} is lost`);
      } else if (Number(found.split(' ')[0]) > revision) {
        assert.ok(unknown?.name === name && !unknown.deletes, `${name} was written by nobody: ${found.slice(0, 40)}`);
      } else assert.equal(found, `${revision} ${text}`, `${name} is not what was acknowledged`);
    }
  }
}

async function checkWatchers(
  watching: readonly WatchClient[],
  revision: number,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const told = acknowledged.filter(({ text }) => text !== undefined);
  const newest = Math.max(0, ...told.map((one) => one.revision));
  await Promise.all(watching.map((one) => one.reaches(Math.min(newest, revision))));
  for (const { events } of watching) {
    const at = new Map(events.map((event) => [event.revision, event]));
    for (const one of told) {
      const event = at.get(one.revision);
      assert.equal(event?.name, one.name, `a watcher has not been told of ${one.name} at ${one.revision}`);
      assert.equal(event.text, one.text);
    }
  }
}

/** Whatever was acknowledged or not: all watchers tell one history, and it leads to what is there. */
function checkSame(watching: readonly WatchClient[], objects: ReadonlyMap<string, string>): void {
  const line = ({ type, name, revision, text }: Told) => `${revision} ${type} ${name} ${text}`;
  const [first, ...others] = watching.map(({ events }) => events.map(line));
  for (const other of others) assert.deepEqual(other, first);
  const state = new Map<string, string>();
  for (const { type, name, revision, text } of watching[0]?.events ?? []) {
    if (!name.startsWith('w')) continue;
    if (type === 'ADDED') assert.ok(!state.has(name), `${name} was added twice`);
    if (type === 'MODIFIED') assert.ok(state.has(name), `${name} was modified before it was added`);
    if (type === 'DELETED') state.delete(name);
    else state.set(name, `${revision} ${text}`);
  }
  assert.deepEqual(Object.fromEntries(state), Object.fromEntries(objects));
}
