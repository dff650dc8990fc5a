/** For tests: a real etcd, on loopback and in a folder of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface EtcdServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The program, if it is installed: named by the environment, from Debian's packages, or built for the real peers. */
export function etcdProgram(): string | undefined {
  const candidates = [process.env['ETCD'], '/usr/bin/etcd', join(homedir(), '.cache/kairship/real/etcd')];
  return candidates.find((path) => path !== undefined && existsSync(path));
}

export async function startEtcd(): Promise<EtcdServer> {
  const program = etcdProgram();
  if (program === undefined) throw new Error('etcd is missing: run npm run test:tools');
  const directory = await mkdtemp(join(tmpdir(), 'kairship-etcd-'));
  const [endpoint, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const flags = [
    `--data-dir=${directory}`,
    `--listen-client-urls=${endpoint}`,
    `--advertise-client-urls=${endpoint}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // Alone it need not wait long for others, nor for a disk that is thrown away.
    '--heartbeat-interval=5',
    '--election-timeout=50',
    '--unsafe-no-fsync',
    '--max-request-bytes=10485760',
    '--log-level=error',
  ];
  const child = spawn(program, flags, { stdio: 'ignore' });
  const gone = once(child, 'exit');
  await answering(`${endpoint}/health`);
  return {
    endpoint,
    async stop() {
      child.kill('SIGKILL');
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const healthy = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (healthy) return;
    if (attempt === 1_000) throw new Error(`${url} does not answer`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
