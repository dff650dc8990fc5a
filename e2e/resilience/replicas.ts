/**
 * The platform as it runs in production: one global API server, one PostgreSQL, one writer of the index, one instance,
 * and any number of apiservers and controller-managers, each a process of its own that can be killed or held still.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request as send } from 'node:https';
import { join, resolve } from 'node:path';
import { adoptInstance } from '#kairship/instances/index.ts';
import { startPostgres } from '#kpanda/index/store/postgres-server.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { endsWithUs } from '../guard.ts';
import { eventually } from '../platform.ts';

const KAIRSHIP = resolve(import.meta.dirname, '../../cmd/kairship.ts');
export const INSTANCE = 'shop';
export const ADMIN_TOKEN = 'the-administrator-of-the-replicas';
/** Short, so that takeovers are seen soon. */
export const LEASE = { leaseMs: 5_000, renewMs: 3_000, retryMs: 500 };

export interface Replica {
  readonly name: string;
  /** What it said when it was ready. */
  readonly port: number;
  readonly identity: string;
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void;
  isAlive(): boolean;
  /** Ends it in order. */
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Replicas {
  readonly global: HttpClient;
  readonly apiservers: Replica[];
  readonly managers: Replica[];
  /** The API server of the global cluster, if it is one of ours. */
  readonly globalServer: Replica | undefined;
  /** On a port of its own choice, or on a given one. */
  startApiserver(port?: number): Promise<Replica>;
  startManager(): Promise<Replica>;
  /** Runs embedded instances. */
  startOperator(): Promise<Replica>;
  /** A simulated cluster; answers its kubeconfig. */
  startMember(name: string): Promise<string>;
  ask(replica: Replica, path: string, options?: AskOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface AskOptions {
  readonly method?: string;
  readonly token?: string;
  readonly body?: object;
  readonly withinMs?: number;
  /** Told of what arrives of an answer that does not end. */
  readonly onData?: (chunk: string) => void;
}

export async function startReplicas(
  directory: string,
  counts: { readonly apiservers: number; readonly managers: number },
  /** The kubeconfig of a global cluster that runs already; one of our own when absent. */
  given?: string,
): Promise<Replicas> {
  const at = (...parts: readonly string[]) => join(directory, ...parts);
  mkdirSync(at('logs'), { recursive: true });
  writeFileSync(at('admin.token'), `${ADMIN_TOKEN}\n`, { mode: 0o600 });
  const postgres = await startPostgres();
  const all: Replica[] = [];
  const start = async (name: string, args: readonly string[]) => {
    const replica = await startOne(at('logs', `${name}.log`), name, args);
    all.push(replica);
    return replica;
  };
  const cluster = (name: string) => ['--data-dir', at(name), '--kubeconfig-out', at(`${name}.kubeconfig`)];
  const [globalServer] = await Promise.all([
    given === undefined ? start('global', ['kube-apiserver', ...cluster('global')]) : undefined,
    start('instance', ['karmada', ...cluster('instance')]),
  ]);
  const globalConfig = given ?? at('global.kubeconfig');
  const kubeconfig = ['--kubeconfig', globalConfig];
  const global = httpClient(await loadKubeconfig(globalConfig));
  await start('kpanda', ['kpanda', ...kubeconfig, '--data-dir', at('kpanda'), '--database', postgres.url]);
  const shared = [...kubeconfig, '--index', postgres.url, '--database', postgres.url];

  async function startApiserver(port = 0): Promise<Replica> {
    const name = `apiserver-${all.length}`;
    // One authority for all of them: what one handed out is good at every other.
    const [first] = apiservers;
    if (first) cpSync(at(first.name, 'pki'), at(name, 'pki'), { recursive: true });
    const own = ['--data-dir', at(name), '--token-file', at('admin.token'), '--port', String(port)];
    return start(name, ['apiserver', ...shared, ...own]);
  }

  const startManager = () =>
    start(`manager-${all.length}`, [
      'controller-manager',
      ...shared,
      `--leader-elect-lease-duration=${LEASE.leaseMs}ms`,
      `--leader-elect-renew-deadline=${LEASE.renewMs}ms`,
      `--leader-elect-retry-period=${LEASE.retryMs}ms`,
    ]);

  const apiservers: Replica[] = [];
  const managers: Replica[] = [];
  for (let i = 0; i < counts.apiservers; i += 1) apiservers.push(await startApiserver());
  for (let i = 0; i < counts.managers; i += 1) managers.push(await startManager());
  const text = readFileSync(at('instance.kubeconfig'), 'utf8');
  const { server } = await loadKubeconfig(at('instance.kubeconfig'));
  await adoptInstance(global, { name: INSTANCE, endpoint: server, kubeconfig: text });
  const agent = new Agent({ keepAlive: true, ca: readFileSync(at(apiservers[0]?.name ?? '', 'pki', 'ca.crt')) });

  const replicas: Replicas = {
    global,
    globalServer,
    apiservers,
    managers,
    startApiserver,
    startManager,
    startOperator: () => start('operator', ['operator', ...kubeconfig, '--data-dir', at('operator')]),
    async startMember(name) {
      await start(name, ['member', '--name', name, ...cluster(name)]);
      return readFileSync(at(`${name}.kubeconfig`), 'utf8');
    },
    ask: (replica, path, options = {}) => ask(agent, replica.port, path, options),
    async stop() {
      agent.destroy();
      global.close();
      for (const replica of all) if (replica.isAlive()) replica.kill('SIGCONT');
      await Promise.all(all.toReversed().map((replica) => replica.stop()));
      await postgres.stop();
    },
  };
  for (const replica of apiservers)
    await eventually(async () => {
      const { status, text: said } = await replicas.ask(
        replica,
        `/instances/${INSTANCE}/kube/api/v1/namespaces/default`,
      );
      if (status !== 200) throw new Error(`${replica.name}: ${status} ${said}`);
    });
  return replicas;
}

async function startOne(logFile: string, name: string, args: readonly string[]): Promise<Replica> {
  const log = openSync(logFile, 'a');
  const child: ChildProcess = spawn(process.execPath, [KAIRSHIP, ...args], { stdio: ['ignore', log, log, 'ipc'] });
  closeSync(log);
  endsWithUs(child);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const said = await new Promise<{ readonly port?: number; readonly identity?: string }>((ready, fail) => {
    child.once('message', (message) => ready((message as { ready: object }).ready));
    child.once('exit', (code) => fail(new Error(`${name} ended with ${code}: ${readFileSync(logFile, 'utf8')}`)));
  });
  return {
    name,
    port: said.port ?? 0,
    identity: said.identity ?? '',
    isAlive,
    kill: (signal) => void child.kill(signal),
    async stop() {
      if (!isAlive()) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function ask(agent: Agent, port: number, path: string, options: AskOptions): Promise<Answer> {
  const { method = 'GET', token = ADMIN_TOKEN, body, withinMs = 5_000, onData } = options;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((done, fail) => {
    const asked = send({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        onData?.(chunk.toString());
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', fail);
    });
    asked.setTimeout(withinMs, () => asked.destroy(new Error(`no answer within ${withinMs} ms`)));
    asked.on('error', fail);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
