/**
 * For tests and benchmarks: a PostgreSQL server of this machine's packages, in a directory of its own.
 *
 * PostgreSQL refuses to run as root; there its processes run as the user `postgres` that its package made.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The folder of PostgreSQL's programs, or undefined where it is not installed. */
export function postgresPrograms(): string | undefined {
  const found = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => versionIn(a) - versionIn(b));
  return found.toReversed().find((folder) => existsSync(join(folder, 'initdb')));
}

function versionIn(path: string): number {
  return Number(/\/(\d+)\//.exec(path)?.[1] ?? 0);
}

export async function startPostgres(): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const user = unprivileged();
  const directory = mkdtempSync(join(tmpdir(), 'kairship-postgres-'));
  if (user) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const as = { ...user, cwd: directory };
  const init = ['-D', data, '-U', 'index', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'];
  execFileSync(join(programs, 'initdb'), init, { ...as, stdio: 'pipe' });
  const port = await freePort();
  const settings = [
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${directory}`,
  ];
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
    ...as,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await readyToServe(server);
  return {
    url: `postgres://index@127.0.0.1:${port}/postgres`,
    async stop() {
      const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
      server.kill('SIGINT'); // ends sessions and stops at once
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function readyToServe(server: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      if (said.length < 10_000) said += chunk.toString();
      if (said.includes('ready to accept connections')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${said.slice(-500)}`)));
  });
}

/** Ids of the package's user when this is root, nothing otherwise. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
