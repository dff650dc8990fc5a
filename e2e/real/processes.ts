/** Programs of others as child processes: logs in files, ports that are free, an end by process id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endsWithUs } from '../guard.ts';

export interface Processes {
  /** Starts a program; what it says goes to `<name>.log`. */
  start(name: string, command: string, args: readonly string[]): void;
  readonly pids: () => readonly number[];
  /** Throws, with the end of its log, when a program has ended by itself. */
  check(): void;
  /** Ends them, the last started first, and waits until they are gone. */
  stop(): Promise<void>;
}

const ENDS_WITHIN_MS = 5_000;

export function processes(logs: string): Processes {
  const running: { readonly name: string; readonly child: ChildProcess }[] = [];
  const over = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
  return {
    start(name, command, args) {
      const log = openSync(join(logs, `${name}.log`), 'a');
      const child = spawn(command, args, { cwd: logs, stdio: ['ignore', log, log] });
      endsWithUs(child);
      running.push({ name, child });
      closeSync(log);
    },
    pids: () => running.flatMap(({ child }) => (child.pid === undefined || over(child) ? [] : [child.pid])),
    check() {
      const ended = running.find(({ child }) => over(child));
      if (!ended) return;
      const tail = readFileSync(join(logs, `${ended.name}.log`), 'utf8').slice(-2000);
      throw new Error(`${ended.name} ended by itself:\n${tail}`);
    },
    async stop() {
      for (const { child } of running.toReversed()) {
        if (over(child)) continue;
        const gone = once(child, 'exit');
        child.kill();
        const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
        await gone;
        clearTimeout(timer);
      }
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks again and again until there is an answer that is not false, or time is up. */
export async function until<T>(what: string, ask: () => Promise<T>, withinMs = 60_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (let last: unknown; ; await pause(50)) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}; last: ${String(last)}`);
  }
}

/** The status of a GET over HTTPS, whoever signed the certificate: only whether somebody answers is of interest. */
export function httpsStatus(port: number, path: string): Promise<number> {
  const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false };
  return new Promise((done, fail) => {
    const asked = request(options, (response) => done(response.resume().statusCode ?? 0));
    asked.on('error', fail);
    asked.end();
  });
}
