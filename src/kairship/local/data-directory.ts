/**
 * Where `kairship up` keeps everything: one folder, readable by its owner alone.
 *
 *     admin.token  admin.kubeconfig  ca.crt     for people
 *     state.json                                 ports, what was done once, how instances were started last
 *     platform/  instances/<name>/  members/<name>/   each program's own data
 *     logs/<program>.log
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { jsonEqual } from '#base/json.ts';
import { readIfPresent, writePrivate } from '#kube/pki/private-file.ts';

export interface DataDirectory {
  readonly path: string;
  at(...parts: readonly string[]): string;
  /** The port a program had last time if it is still free, else a new one; remembered. */
  portFor(program: string): Promise<number>;
  /** Lets go of the port of a program that will not come back. */
  forgetPort(program: string): Promise<void>;
  /** The instances that ran last, each with its flags. */
  instances(): Readonly<Record<string, readonly string[]>>;
  /** Without flags, the instance does not run any more. */
  rememberInstance(name: string, flags: readonly string[] | undefined): Promise<void>;
  /** Does something once in the life of the directory. */
  once(what: string, action: () => Promise<void>): Promise<void>;
  adminToken(): Promise<string>;
}

interface State {
  readonly ports: Readonly<Record<string, number>>;
  readonly done: readonly string[];
  readonly instances?: Readonly<Record<string, readonly string[]>>;
}

export async function dataDirectory(path: string): Promise<DataDirectory> {
  const root = resolve(path);
  for (const folder of ['', 'logs', 'platform', 'instances', 'members']) {
    mkdirSync(join(root, folder), { recursive: true, mode: 0o700 });
  }
  const file = join(root, 'state.json');
  let state = JSON.parse((await readIfPresent(file)) ?? '{"ports":{},"done":[]}') as State;
  let turn: Promise<unknown> = Promise.resolve();

  /** One after the other: two programs must not get one port, nor an older state be written over a newer one. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const taken = turn.then(action);
    turn = taken.catch(() => undefined);
    return taken;
  }

  const remember = (change: (state: State) => State): Promise<void> =>
    inTurn(async () => {
      state = change(state);
      await writePrivate(file, `${JSON.stringify(state, undefined, 2)}\n`);
    });

  return {
    path: root,
    at: (...parts) => join(root, ...parts),
    async portFor(program) {
      const last = state.ports[program];
      const port = await inTurn(async () => {
        const found = last !== undefined && (await isFree(last)) ? last : await unusedPort(Object.values(state.ports));
        state = { ...state, ports: { ...state.ports, [program]: found } };
        return found;
      });
      if (port !== last) await remember((now) => now);
      return port;
    },
    forgetPort: (program) =>
      remember((now) => {
        const { [program]: _, ...ports } = now.ports;
        return { ...now, ports };
      }),
    instances: () => state.instances ?? {},
    async rememberInstance(name, flags) {
      if (jsonEqual(state.instances?.[name], flags)) return;
      await remember((now) => {
        const { [name]: _, ...others } = now.instances ?? {};
        return { ...now, instances: flags === undefined ? others : { ...others, [name]: flags } };
      });
    },
    async once(what, action) {
      if (state.done.includes(what)) return;
      await action();
      await remember((now) => ({ ...now, done: [...now.done, what] }));
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

/** A free port that no other program is promised. */
async function unusedPort(promised: readonly number[]): Promise<number> {
  for (;;) {
    const port = await tryListen(0);
    if (port !== undefined && !promised.includes(port)) return port;
  }
}

/** Whether a program on this machine could listen there now. */
export async function isFree(port: number): Promise<boolean> {
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
