/**
 * The long proofs: `npm run test:soak`. Each prints what it did and what it found; the seed repeats it.
 *
 *     SEED=42 npm run test:soak            all
 *     npm run test:soak -- kill random     some
 *
 * Results worth keeping are noted in docs/verification.md.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startPostgres } from '#kpanda/index/store/postgres-server.ts';
import { killLoop } from '#kube/store/kill-loop.ts';
import { proveRandomRequests } from '../kube/random-proof.ts';
import { temporaryDirectory } from '../platform.ts';
import { killEngine } from './engine-kill.ts';
import { killUnderLoad } from './kill-under-load.ts';
import { proveIndex } from './kpanda.ts';
import { memberTrouble } from './member-trouble.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));
const REQUESTS = 10_000;
const ROUNDS = 20;
const TROUBLED_ROUNDS = 60;

/** Each answers what it did in one line, and throws when a promise was broken. */
const PROOFS: Readonly<Record<string, readonly [what: string, proof: (directory: string) => Promise<string>]>> = {
  random: [`${REQUESTS} random requests, each with a clear answer`, randomRequests],
  kill: [`kill -9 of the API server under load, ${ROUNDS} rounds`, killServer('full')],
  'kill-normal': [`the same with --durability normal, ${ROUNDS} rounds`, killServer('normal')],
  store: [`kill -9 of a writing store, ${ROUNDS} rounds`, killStore('full')],
  'store-normal': [`the same with durability normal, ${ROUNDS} rounds`, killStore('normal')],
  index: ['10,000 random writes to 3 clusters, index and clusters killed between', (at) => indexEqual(at)],
  'index-postgres': ['the same with the index in PostgreSQL', indexInPostgres],
  engine: ['kill -9 of an instance during 500 propagations, 10 times', killInstance],
  members: [`two of three members in random trouble, ${TROUBLED_ROUNDS} rounds`, troubleMembers],
};

async function indexInPostgres(directory: string): Promise<string> {
  const server = await startPostgres();
  try {
    return await indexEqual(directory, server.url);
  } finally {
    await server.stop();
  }
}

async function indexEqual(directory: string, database?: string): Promise<string> {
  const wanted = { directory, seed, operations: 10_000, ...(database === undefined ? {} : { database }) };
  const { operations, kills, objects } = await proveIndex(wanted);
  return `${operations} writes, ${kills} kills, ${objects} objects equal in index and clusters`;
}

async function killInstance(directory: string): Promise<string> {
  const { operations, kills, left } = await killEngine({ directory, seed, templates: 500, kills: 10 });
  return `${operations} writes, ${kills} kills, ${left} templates left, each once in both members`;
}

async function troubleMembers(): Promise<string> {
  const { operations, troubles, left } = await memberTrouble({ seed, rounds: TROUBLED_ROUNDS });
  return `${operations} writes, ${troubles} troubles, ${left} templates left, as they should be in all members`;
}

async function randomRequests(directory: string): Promise<string> {
  const { codes, megabytes, watched } = await proveRandomRequests({ directory, seed, requests: REQUESTS });
  const counts = Object.entries(codes).map(([code, count]) => `${code}: ${count}`);
  return `${counts.join(', ')}; at most ${megabytes} MB; ${watched} watched resources as listed`;
}

type Durability = 'full' | 'normal';

function killServer(durability: Durability): (directory: string) => Promise<string> {
  return async (directory) => {
    const flags = ['--durability', durability];
    const { acknowledged, events, resumed, revision } = await killUnderLoad({ directory, seed, rounds: ROUNDS, flags });
    return `${acknowledged} acknowledged writes kept, ${events} events to each of 4 watchers, ${resumed} resumptions, revision ${revision}`;
  };
}

function killStore(durability: Durability): (directory: string) => Promise<string> {
  return async (directory) => {
    const file = join(directory, 'store.db');
    const { acknowledged, revision } = await killLoop({ file, rounds: ROUNDS, seed, durability });
    return `${acknowledged} acknowledged writes kept, revision ${revision}`;
  };
}

/** What is proven; a copy without its history cannot say. */
function commit(): string {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: [...stdio] }).trim();
  } catch {
    return 'unknown';
  }
}

const wanted = process.argv.slice(2);
console.log(`${new Date().toISOString().slice(0, 10)}, commit ${commit()}, seed ${seed}`);
let failed = 0;
for (const [name, [what, proof]] of Object.entries(PROOFS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { path, remove } = temporaryDirectory();
  const started = Date.now();
  try {
    const result = await proof(path);
    console.log(`✓ ${what} (${Math.round((Date.now() - started) / 1000)} s)\n  ${result}`);
  } catch (error) {
    failed += 1;
    console.log(`✗ ${what}\n  ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    remove();
  }
}
process.exit(failed === 0 ? 0 : 1);
