/** The servers that are measured: ours, and Kubernetes' own with its etcd where their programs are given. */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { endpointOf, startKube } from '#e2e/kube/kube-server.ts';
import type { Target } from './connection.ts';

export interface Measured extends Target {
  readonly pids: readonly number[];
  /** From the start of its processes until it said it was ready. */
  readonly startUpMs: number;
  stop(): Promise<void>;
}

export async function startOurs(directory: string): Promise<Measured> {
  mkdirSync(directory);
  const started = performance.now();
  const server = await startKube(directory);
  const { port, token = '' } = endpointOf(server.kubeconfig);
  await ready({ port, token });
  const startUpMs = performance.now() - started;
  return { port, token, startUpMs, pids: [server.process.pid ?? 0], stop: async () => void (await server.stop()) };
}

export interface RealBinaries {
  readonly apiserver: string;
  readonly etcd: string;
}

/** kube-apiserver as it is by default, on an etcd of its own. */
export async function startReal(directory: string, { apiserver, etcd }: RealBinaries): Promise<Measured> {
  mkdirSync(directory);
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const token = 'bench-token';
  const files = secrets(directory, token);
  const store = `http://127.0.0.1:${client}`;
  const started = performance.now();
  const children = [
    run(etcd, [
      `--data-dir=${join(directory, 'etcd')}`,
      `--listen-client-urls=${store}`,
      `--advertise-client-urls=${store}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-cluster=default=http://127.0.0.1:${peer}`,
    ]),
    run(apiserver, [
      `--etcd-servers=${store}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${join(directory, 'certs')}`,
      `--token-auth-file=${files.tokens}`,
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${files.key}`,
      `--service-account-signing-key-file=${files.key}`,
      '--service-cluster-ip-range=10.96.0.0/16',
    ]),
  ];
  await ready({ port, token });
  const startUpMs = performance.now() - started;
  const stop = async () => {
    for (const child of children.toReversed()) await end(child);
  };
  return { port, token, startUpMs, pids: children.map(({ pid }) => pid ?? 0), stop };
}

function secrets(directory: string, token: string): { readonly tokens: string; readonly key: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const files = { tokens: join(directory, 'tokens.csv'), key: join(directory, 'sa.key') };
  writeFileSync(files.tokens, `${token},admin,admin,"system:masters"\n`);
  writeFileSync(files.key, privateKey.export({ type: 'sec1', format: 'pem' }));
  return files;
}

function run(command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, { stdio: 'ignore' });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function ready(target: Target): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; ) {
    if ((await health(target).catch(() => 0)) === 200) return;
    if (Date.now() > deadline) throw new Error('the server did not become ready within a minute');
    await new Promise((done) => setTimeout(done, 20));
  }
}

function health({ port, token }: Target): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const options = { host: '127.0.0.1', port, path: '/readyz', headers, rejectUnauthorized: false, agent: false };
  return new Promise((done, fail) => {
    const asked = request(options, (response) => done(response.resume().statusCode ?? 0));
    asked.on('error', fail);
    asked.end();
  });
}

/** Megabytes of memory a server's processes hold now, and have held at most. */
export function memory(pids: readonly number[]): { readonly now: number; readonly most: number } {
  const sum = (field: string) =>
    pids.reduce((total, pid) => {
      const found = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      return total + Number(found?.[1] ?? 0) / 1024;
    }, 0);
  return { now: sum('VmRSS'), most: sum('VmHWM') };
}
