/** A person's account on a machine, with a platform to speak to: what journeys of the command line share. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { kubectlPath } from '../scripts/test-tools.ts';
import { endsWithUs } from './guard.ts';
import { type Platform, type Result, type Run, startPlatform, temporaryDirectory } from './platform.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CLI = join(ROOT, 'bin/kairship');
export const EXAMPLE = join(ROOT, 'e2e/fixtures/nginx-in-halves.yaml');

/** What somebody's kubectl knew before. */
export const FOREIGN = `apiVersion: v1
kind: Config
current-context: work # mine
clusters:
- cluster: {server: "https://work.example.com"}
  name: work
contexts:
- context: {cluster: work, user: me}
  name: work
users:
- name: me
  user: {token: secret}
`;

export interface Account {
  readonly home: string;
  /** Where the platform keeps its data. */
  readonly data: string;
  readonly kubeconfig: string;
  readonly platform: Platform;
  readonly server: string;
  readonly cli: Run;
  /** What it printed; it must have gone well. */
  ok(...args: readonly string[]): Promise<string>;
  /** With text on stdin. */
  told(input: string, ...args: readonly string[]): Promise<Result>;
  readonly kubectl: Run;
  run(command: string, args: readonly string[], input?: string): Promise<Result>;
  begin(command: string, args: readonly string[], more?: NodeJS.ProcessEnv): ChildProcess;
  leave(): Promise<void>;
}

export async function account(): Promise<Account> {
  const { path: home, remove } = temporaryDirectory();
  const [data, kubeconfig] = [join(home, 'data'), join(home, 'kube', 'config')];
  mkdirSync(dirname(kubeconfig));
  writeFileSync(kubeconfig, FOREIGN);
  const platform = await startPlatform(data, ['--members', '2']);
  const env = {
    ...process.env,
    NO_COLOR: '1',
    KAIRSHIP_CONFIG: join(home, 'config.yaml'),
    KUBECONFIG: kubeconfig,
    KAIRSHIP_COMPLETION_TIMEOUT: '60',
    PATH: [dirname(CLI), process.env['PATH']].join(delimiter),
  };

  function begin(command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(command, args, { cwd: home, env: { ...env, ...more }, stdio: 'pipe' });
    endsWithUs(child);
    return child;
  }

  async function run(command: string, args: readonly string[], input = ''): Promise<Result> {
    const child = begin(command, args);
    child.stdin?.on('error', () => undefined).end(input);
    const { stdout, stderr } = child;
    assert.ok(stdout && stderr);
    const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'close')]);
    return { code: Number(code), stdout: out, stderr: err };
  }

  return {
    home,
    data,
    kubeconfig,
    platform,
    server: `https://${new URL(platform.consoleUrl).host}`,
    begin,
    run,
    cli: (...args) => run(CLI, args),
    told: (input, ...args) => run(CLI, args, input),
    async ok(...args) {
      const { code, stdout, stderr } = await run(CLI, args);
      assert.equal(code, 0, `kairship ${args.join(' ')}: ${stderr}`);
      return stdout;
    },
    kubectl: (...args) => run(kubectlPath() ?? 'kubectl', args),
    async leave() {
      await platform.stop();
      remove();
    },
  };
}
