/** Starts the product as its user would, and the real clients that journeys drive it with. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type KubectlVersion, kubectlPath } from '../scripts/test-tools.ts';
import { endsWithUs } from './guard.ts';

const ROOT = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

export interface Platform {
  readonly directory: string;
  readonly consoleUrl: string;
  /** Everything printed on stdout so far. */
  output(): string;
  readonly process: ChildProcess;
  /** Ctrl-C, and wait until it is gone. */
  stop(): Promise<void>;
}

/** A data directory of its own, removed by the returned function. */
export function temporaryDirectory(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'kairship-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** `bin/kairship up` on a free port; resolves when it has announced itself. */
export async function startPlatform(directory: string, args: readonly string[] = []): Promise<Platform> {
  const child = spawn(join(ROOT, 'bin/kairship'), ['up', '--data-dir', directory, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  endsWithUs(child);
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = output.match(/http:\/\/\S+signin\?code=\S+/)?.[0];
      if (found !== undefined && output.includes('Everything is kept')) done(found);
    });
    child.on('exit', (code) => fail(new Error(`kairship up ended with ${code}: ${errors}`)));
  });
  return {
    directory,
    consoleUrl: url,
    process: child,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGINT');
      await gone;
    },
  };
}

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Run = (...args: readonly string[]) => Promise<Result>;

/** kubectl with a kubeconfig of ours and a cache of its own. */
export function kubectl(kubeconfig: string, version: KubectlVersion = '1.35'): Run {
  const path = kubectlPath(version);
  if (path === undefined) throw new Error(`kubectl ${version} is missing: run npm run test:tools`);
  const cache = `${kubeconfig}.cache`;
  return (...args) => runCommand(path, ['--kubeconfig', kubeconfig, '--cache-dir', cache, ...args]);
}

export const kairship: Run = (...args) => runCommand(join(ROOT, 'bin/kairship'), args);

async function runCommand(command: string, args: readonly string[]): Promise<Result> {
  try {
    const { stdout, stderr } = await run(command, args, {
      env: { ...process.env, NO_COLOR: '1' },
      maxBuffer: 64 << 20,
      timeout: 60_000,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : 1, stdout: stdout ?? '', stderr: stderr ?? String(error) };
  }
}

/** Asks again until `check` no longer throws; the last failure is thrown when the time is up. */
export async function eventually<T>(check: () => Promise<T>, withinMs = 60_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
