/** Our own programs as a user starts them: `bin/kairship karmada`, `bin/kairship member`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { httpClient, type HttpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { endsWithUs } from '../guard.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export interface OurProgram {
  readonly kubeconfig: string;
  readonly client: HttpClient;
  readonly pid: number;
  /** From its start until it announced itself. */
  readonly startUpMs: number;
  stop(): Promise<void>;
  /** kill -9, as a lost machine would go. */
  kill(): void;
}

/** Resolves when the program has announced that it serves. */
export async function startProgram(
  directory: string,
  command: string,
  args: readonly string[] = [],
): Promise<OurProgram> {
  mkdirSync(directory, { recursive: true });
  const kubeconfig = join(directory, 'kubeconfig');
  const places = ['--data-dir', join(directory, 'data'), '--port', '0', '--kubeconfig-out', kubeconfig];
  const started = performance.now();
  const child = spawn(join(ROOT, 'bin/kairship'), [command, ...places, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  endsWithUs(child);
  await announced(child, command);
  const startUpMs = performance.now() - started;
  const client = httpClient(await loadKubeconfig(kubeconfig));
  const stop = async () => {
    client.close();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  };
  return { kubeconfig, client, pid: child.pid ?? 0, startUpMs, stop, kill: () => void child.kill('SIGKILL') };
}

function announced(child: ChildProcess, command: string): Promise<void> {
  let said = '';
  return new Promise((done, fail) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('serves at https://')) done();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('exit', (code) => fail(new Error(`kairship ${command} ended with ${code}: ${said}`)));
  });
}

export function startMember(directory: string, name: string, args: readonly string[] = []): Promise<OurProgram> {
  const size = ['--nodes', '3', '--node-cpu', '8', '--node-memory', '32Gi'];
  return startProgram(join(directory, name), 'member', ['--name', name, ...size, ...args]);
}
