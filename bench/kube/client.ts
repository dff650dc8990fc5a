/**
 * The client of the benchmark, a process of its own: runs the workload on the server it is told of and sends each figure
 * to its parent as it is known.
 *
 *     node client.ts '{"port":6443,"token":"…","pids":[1,2]}'
 */
import { readFileSync } from 'node:fs';
import { type Answer, type Connection, connection, requestOf, type Target } from './connection.ts';
import { watchers } from './watchers.ts';

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Milliseconds, where single requests were timed. */
  readonly p50?: number;
  readonly p99?: number;
  /** Microseconds of the server's CPU for one of them. */
  readonly cpu?: number;
}

const target = JSON.parse(process.argv[2] ?? '{}') as Target & { readonly pids: readonly number[] };
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const OBJECTS = 5_000;
const CLIENTS = 64;
const WARM_UP = 20;
const NAMESPACES = '/api/v1/namespaces';

const report = (figure: Figure) => process.send?.(figure);
const path = (namespace: string, name = '') => `${NAMESPACES}/${namespace}/configmaps${name && `/${name}`}`;

/** A ConfigMap of about 1 KB in all. */
const object = (name: string, text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'bench' } },
  data: { text, filler: 'x'.repeat(900) },
});

/** Milliseconds of CPU the server's processes have used. */
function serverCpu(): number {
  const ticks = target.pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * 10;
}

function must({ code }: Answer, what: string): void {
  if (code >= 300) throw new Error(`${what} was answered with ${code}`);
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

/** Closed loops: every connection sends its next request as soon as the last is answered, until `next` says no more. */
async function loop(
  what: string,
  connections: readonly Connection[],
  next: (client: number, turn: number) => Buffer | undefined,
): Promise<void> {
  const took: number[] = [];
  const [cpu, started] = [serverCpu(), performance.now()];
  await Promise.all(
    connections.map(async (each, client) => {
      for (let turn = 0; ; turn++) {
        const request = next(client, turn);
        if (!request) return;
        const sent = performance.now();
        must(await each.send(request), what);
        took.push(performance.now() - sent);
      }
    }),
  );
  const elapsed = performance.now() - started;
  took.sort((a, b) => a - b);
  report({
    what,
    value: (took.length / elapsed) * 1000,
    unit: '/s',
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
    cpu: ((serverCpu() - cpu) / took.length) * 1000,
  });
}

/** Stops a loop when its time is up. */
function timed(request: (client: number, turn: number) => Buffer, seconds = SECONDS) {
  const until = performance.now() + seconds * 1000;
  return (client: number, turn: number) => (performance.now() < until ? request(client, turn) : undefined);
}

const put = (namespace: string, name: string, text: string) =>
  requestOf(target, 'PUT', path(namespace, name), object(name, text));
const post = (namespace: string, name: string) => requestOf(target, 'POST', path(namespace), object(name, name));

async function listing(one: Connection): Promise<void> {
  const all = requestOf(target, 'GET', path('many'));
  const took: number[] = [];
  let size = 0;
  for (let i = 0; i < 12; i++) {
    const sent = performance.now();
    const answer = await one.send(all);
    must(answer, 'list');
    size = answer.bytes;
    took.push(performance.now() - sent);
  }
  if (size < OBJECTS * 1000) throw new Error(`a list of ${OBJECTS} has only ${size} bytes`);
  took.sort((a, b) => a - b);
  const p50 = quantile(took, 0.5);
  report({ what: `list ${OBJECTS} × 1 KB`, value: p50, unit: 'ms', p99: quantile(took, 0.99) });
}

/** Every watcher is told of every change: how many tellings in a second. */
async function fanOut(connections: readonly Connection[], count: number, events: number): Promise<void> {
  const namespace = `fan-${count}`;
  await namespaceOf(connections[0], namespace);
  const watching = await watchers(target, `${path(namespace)}?watch=true&resourceVersion=0`, count);
  const [cpu, started] = [serverCpu(), performance.now()];
  const told = watching.told(events);
  const writers = connections.slice(0, 16);
  let written = 0;
  await Promise.all(
    writers.map(async (each, client) => {
      for (let turn = 0; written++ < events; turn++) {
        const name = `o-${client}`;
        must(await each.send(turn === 0 ? post(namespace, name) : put(namespace, name, String(turn))), 'write');
      }
    }),
  );
  await told;
  const elapsed = performance.now() - started;
  watching.close();
  const deliveries = events * count;
  report({
    what: `watch, ${count} watchers`,
    value: (deliveries / elapsed) * 1000,
    unit: 'deliveries/s',
    cpu: ((serverCpu() - cpu) / deliveries) * 1000,
  });
}

async function namespaceOf(one: Connection | undefined, name: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const answer = await one?.send(requestOf(target, 'POST', NAMESPACES, body));
  if (answer && answer.code !== 409) must(answer, `namespace ${name}`);
}

/** What is compiled when it has been used a while is not what is measured. */
async function warmUp(connections: readonly Connection[]): Promise<void> {
  const turns = async (each: Connection, client: number) => {
    for (let turn = 0; turn < WARM_UP; turn++) {
      const name = `warm-${client}-${turn}`;
      must(await each.send(post('single', name)), 'create');
      must(await each.send(put('single', name, 'again')), 'update');
      must(await each.send(requestOf(target, 'GET', path('single', name))), 'get');
    }
  };
  await Promise.all(connections.map(turns));
}

const all = await Promise.all(Array.from({ length: CLIENTS }, () => connection(target)));
const one = all.slice(0, 1);
for (const name of ['single', 'many']) await namespaceOf(all[0], name);
await warmUp(all);

await loop(
  'create, 1 client',
  one,
  timed((_, turn) => post('single', `c-${turn}`), SECONDS / 2),
);
let created = 0;
await loop(`create, ${CLIENTS} clients`, all, () => (created < OBJECTS ? post('many', `m-${created++}`) : undefined));
await loop(
  `update, ${CLIENTS} clients`,
  all,
  timed((client, turn) => put('many', `m-${client}`, `u-${turn}`)),
);
await loop(
  'get, 1 client',
  one,
  timed(() => requestOf(target, 'GET', path('many', 'm-1')), SECONDS / 2),
);
await loop(
  `get, ${CLIENTS} clients`,
  all,
  timed((client) => requestOf(target, 'GET', path('many', `m-${client}`))),
);
if (all[0]) await listing(all[0]);
await fanOut(all, 1, 2_000);
await fanOut(all, 100, 2_000);
await fanOut(all, 1_000, 500);
for (const { socket } of all) socket.destroy();
process.disconnect?.();
