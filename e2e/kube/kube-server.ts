/** Starts the API server as its user would, and speaks to it as plainly as a test wants to. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Agent, request } from 'node:https';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { endsWithUs } from '../guard.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export interface KubeServer extends Endpoint {
  readonly kubeconfig: string;
  readonly process: ChildProcess;
  /** Everything it has said on stderr. */
  errors(): string;
  /** SIGTERM, and wait until it is gone; answers its exit code. */
  stop(): Promise<number | null>;
  /** kill -9, and wait until it is gone. */
  kill(): Promise<void>;
}

/** What a client has to know of a server. */
export interface Endpoint {
  readonly port: number;
  readonly ca: string;
  /** Who asks: by a token, or by a certificate. */
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** `bin/kairship kube-apiserver` with its data below `directory`; resolves when it has announced itself. */
export async function startKube(directory: string, args: readonly string[] = []): Promise<KubeServer> {
  const kubeconfig = join(directory, 'kubeconfig');
  const places = ['--data-dir', join(directory, 'data'), '--port', '0', '--kubeconfig-out', kubeconfig];
  const child = spawn(join(ROOT, 'bin/kairship'), ['kube-apiserver', ...places, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  endsWithUs(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  let output = '';
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('serves at https://')) done();
    });
    child.on('exit', (code) => fail(new Error(`kube-apiserver ended with ${code}: ${errors}`)));
  });
  return { ...endpointOf(kubeconfig), kubeconfig, process: child, errors: () => errors, ...ends(child) };
}

/** Where a kubeconfig's first user and cluster are. */
export function endpointOf(kubeconfig: string): Endpoint {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as {
    readonly clusters: readonly [{ readonly cluster: { server: string; 'certificate-authority-data': string } }];
    readonly users: readonly [{ readonly user: { readonly token: string } }];
  };
  const { cluster } = config.clusters[0];
  return {
    port: Number(new URL(cluster.server).port),
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
    token: config.users[0].user.token,
  };
}

function ends(child: ChildProcess): Pick<KubeServer, 'stop' | 'kill'> {
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    }
    return child.exitCode;
  };
  return { stop: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) };
}

export interface Answer {
  readonly code: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

export interface Ask {
  readonly method?: string;
  readonly path: string;
  /** Objects are sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
  readonly signal?: AbortSignal;
}

/** One request of the administrator. */
export function ask(server: Endpoint, { method = 'GET', path, body, headers, agent, signal }: Ask) {
  const { port, ca, token, cert, key } = server;
  const sent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return new Promise<Answer>((done, fail) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      ca,
      ...(cert === undefined ? {} : { cert, key }),
      method,
      path,
      agent,
      ...(signal ? { signal } : {}),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(sent === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
        ...headers,
      },
    });
    asked.on('error', fail);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        done({ code: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) });
      });
    });
    asked.end(sent);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
