/**
 * Where `kairship up` keeps everything: one folder, readable by its owner alone.
 *
 *     admin.token  admin.kubeconfig  ca.crt     for people
 *     state.json                                 ports, and what was done once
 *     platform/  instances/<name>/  members/<name>/   each program's own data
 *     logs/<program>.log
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { readIfPresent, writePrivate } from '#kube/pki/private-file.ts';

export interface DataDirectory {
  readonly path: string;
  at(...parts: readonly string[]): string;
  /** The port a program had last time if it is still free, else a new one; remembered. */
  portFor(program: string): Promise<number>;
  /** Lets go of the port of a program that will not come back. */
  forgetPort(program: string): Promise<void>;
  /** Does something once in the life of the directory. */
  once(what: string, action: () => Promise<void>): Promise<void>;
  adminToken(): Promise<string>;
}

interface State {
  readonly ports: Readonly<Record<string, number>>;
  readonly done: readonly string[];
}

export async function dataDirectory(path: string): Promise<DataDirectory> {
  const root = resolve(path);
  for (const folder of ['', 'logs', 'platform', 'instances', 'members']) {
    mkdirSync(join(root, folder), { recursive: true, mode: 0o700 });
  }
  const file = join(root, 'state.json');
  let state = JSON.parse((await readIfPresent(file)) ?? '{"ports":{},"done":[]}') as State;

  async function remember(next: State): Promise<void> {
    state = next;
    await writePrivate(file, `${JSON.stringify(state, undefined, 2)}\n`);
  }

  return {
    path: root,
    at: (...parts) => join(root, ...parts),
    async portFor(program) {
      const last = state.ports[program];
      const port = last !== undefined && (await isFree(last)) ? last : await anyFreePort();
      if (port !== last) await remember({ ...state, ports: { ...state.ports, [program]: port } });
      return port;
    },
    async forgetPort(program) {
      const { [program]: _, ...ports } = state.ports;
      await remember({ ...state, ports });
    },
    async once(what, action) {
      if (state.done.includes(what)) return;
      await action();
      await remember({ ...state, done: [...state.done, what] });
    },
    async adminToken() {
      const known = await readIfPresent(join(root, 'admin.token'));
      if (known !== undefined) return known.trim();
      const token = randomBytes(32).toString('base64url');
      await writePrivate(join(root, 'admin.token'), `${token}\n`);
      return token;
    },
  };
}

async function anyFreePort(): Promise<number> {
  return (await tryListen(0)) ?? 0;
}

async function isFree(port: number): Promise<boolean> {
  return (await tryListen(port)) !== undefined;
}

async function tryListen(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address ? address.port : undefined;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}
