/** A cluster for journeys: a process of its own that can be lost, and comes back where it was. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { endsWithUs } from '../guard.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/kairship');

export interface Member {
  readonly name: string;
  readonly kubeconfig: string;
  /** As when its machine loses power. */
  lose(): Promise<void>;
  recover(): Promise<void>;
}

export async function startMember(directory: string, name: string): Promise<Member> {
  const [data, config] = [join(directory, name), join(directory, `${name}.kubeconfig`)];
  const args = ['member', '--name', name, '--data-dir', data, '--kubeconfig-out', config, '--speed', '20'];
  let child = await serving([...args, '--region', 'eu', '--zone', `eu-${name}`]);
  const kubeconfig = readFileSync(config, 'utf8');
  const port = /server: \S+:(\d+)/.exec(kubeconfig)?.[1] ?? '0';
  return {
    name,
    kubeconfig,
    async lose() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    async recover() {
      child = await serving([...args, '--port', port]);
    },
  };
}

/** What is pasted into a terminal near the cluster; what is answered ends it. */
export function startAgent(directory: string, name: string, token: string): () => Promise<void> {
  const config = join(directory, `${name}.kubeconfig`);
  const child = spawn(PROGRAM, ['agent', '--kubeconfig', config, '--token', token], { stdio: 'ignore' });
  endsWithUs(child);
  return async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
}

async function serving(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NO_COLOR: '1' } });
  endsWithUs(child);
  let output = '';
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('serves at')) done();
    });
    child.on('exit', (code) => fail(new Error(`kairship member ended with ${code}: ${output}`)));
  });
  return child;
}
