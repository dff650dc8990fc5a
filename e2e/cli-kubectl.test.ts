/** The command line beside others: kubectl and helm through it, and a person at a terminal. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { kubectlPath } from '../scripts/test-tools.ts';
import { type Account, account, EXAMPLE, FOREIGN } from './cli-account.ts';
import { eventually } from './platform.ts';

describe('the command line beside others', () => {
  let me: Account;
  before(async () => {
    me = await account();
    await me.ok('login', '--data-dir', me.data, '--name', 'here');
    await me.ok('apply', '-f', EXAMPLE);
  });
  after(() => me.leave());

  describe('kubectl, by kairship kubeconfig --merge', () => {
    it('finds an instance and its members beside what was there', async () => {
      await me.ok('kubeconfig', '--merge', '--members');
      const merged = readFileSync(me.kubeconfig, 'utf8');
      for (const line of FOREIGN.split('\n')) assert.ok(merged.includes(line), line);
      assert.equal(readFileSync(`${me.kubeconfig}.before-kairship`, 'utf8'), FOREIGN);
      const { stdout } = await me.kubectl('config', 'get-contexts', '-o', 'name');
      assert.deepEqual(stdout.trim().split('\n').sort(), ['demo', 'demo/frankfurt', 'demo/singapore', 'work']);
      assert.equal((await me.kubectl('config', 'current-context')).stdout, 'work\n');
      await me.ok('use', 'demo');
      assert.match((await me.kubectl('get', 'clusters', '--no-headers')).stdout, /^frankfurt .*\nsingapore /);
    });

    it('watches, applies, reads logs, runs commands and forwards ports', async (t) => {
      const member = ['--context', 'demo/frankfurt'];
      const watching = me.begin(kubectlPath() ?? 'kubectl', ['get', 'configmaps', '-w', '-o', 'name']);
      t.after(() => watching.kill('SIGKILL'));
      let seen = '';
      watching.stdout?.on('data', (chunk: Buffer) => (seen += chunk.toString()));
      await eventually(async () => assert.match(seen, /kube-root-ca/));
      const config = JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'seen' },
        data: { a: 'b' },
      });
      const applied = await me.run(kubectlPath() ?? 'kubectl', ['apply', '-f', '-'], config);
      assert.match(applied.stdout, /configmap\/seen created/, applied.stderr);
      await eventually(async () => assert.match(seen, /configmap\/seen/));

      const pods = await me.kubectl(
        ...member,
        'get',
        'pods',
        '-l',
        'app=storefront',
        '-o',
        'jsonpath={.items[0].metadata.name}',
      );
      const pod = pods.stdout;
      assert.match((await me.kubectl(...member, 'logs', pod)).stdout, /^starting /);
      assert.equal((await me.kubectl(...member, 'exec', pod, '--', 'hostname')).stdout, `${pod}\n`);
      await forwards(t, member, pod);
    });

    async function forwards(t: TestContext, member: readonly string[], pod: string): Promise<void> {
      const ports = 'jsonpath={.spec.containers[0].ports[0].containerPort}';
      const { stdout: port } = await me.kubectl(...member, 'get', 'pod', pod, '-o', ports);
      const forward = me.begin(kubectlPath() ?? 'kubectl', [...member, 'port-forward', `pod/${pod}`, `0:${port}`]);
      assert.ok(forward.stdout);
      const ended = once(forward, 'exit').then(([code]) => assert.fail(`port-forward ended with ${code}`));
      const [line] = (await Promise.race([once(forward.stdout, 'data'), ended])) as [Buffer];
      const [, local] = /127\.0\.0\.1:(\d+)/.exec(String(line)) ?? [];
      const [response] = await once(get(`http://127.0.0.1:${local}/`), 'response');
      assert.match(await text(response), new RegExp(`pod: ${pod}\n`));
      ended.catch(() => undefined);
      forward.kill('SIGKILL');
    }

    it('and helm installs through it', async () => {
      const chart = join(me.home, 'chart');
      mkdirSync(join(chart, 'templates'), { recursive: true });
      writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: little\nversion: 0.1.0\n');
      writeFileSync(
        join(chart, 'templates', 'config.yaml'),
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {a: b}\n',
      );
      const helm = kubectlPath('1.35', 'helm') ?? 'helm';
      const installed = await me.run(helm, ['install', 'little', chart, '--kube-context', 'demo']);
      assert.equal(installed.code, 0, installed.stderr);
      assert.match((await me.kubectl('get', 'configmap', 'little', '-o', 'name')).stdout, /configmap\/little/);
      assert.equal((await me.run(helm, ['uninstall', 'little', '--kube-context', 'demo'])).code, 0);
    });

    it('and calls us as its plugin', async () => {
      assert.match((await me.kubectl('kairship', 'instance', 'list', '-o', 'name')).stdout, /instance\/demo/);
    });
  });

  describe('completion', () => {
    const LINES = ['kairship clu', 'kairship why dep', 'kairship why deployments/ngi', 'kairship apply -f ./only-'];
    /** With one more letter: a space is before it where a word has ended. */
    const COMPLETED = [
      'kairship cluster x',
      'kairship why deployments/x',
      'kairship why deployments/nginx x',
      'kairship apply -f ./only-one.yaml x',
    ];
    before(() => writeFileSync(join(me.home, 'only-one.yaml'), ''));

    /** Typed in a real shell: each line, the key that completes it, and keys that make it print itself instead. */
    async function completed(shell: string, ...setUp: readonly string[]): Promise<readonly string[]> {
      const ready = (lines: number) => new RegExp(`sourced-2(?:[^]*\n<[^\n]*>){${lines}}[^]*ready> `);
      const screen = await seen(me, `env TERM=dumb ${shell}`, [
        [/\$ /, `${[...setUp, 'PS1="ready> "', 'echo sourced-$((1+1))'].join('; ')}\r`],
        ...LINES.map((line, index) => [ready(index), `${line}\tx\u0001echo "<\u0005>"\r`] as const),
        [ready(LINES.length), 'exit\r'],
      ]);
      return [...screen.matchAll(/^<(.*)>\r*$/gm)].map(([, line = '']) => line);
    }

    it('works in bash', { skip: lacks('bash') }, async () => {
      assert.deepEqual(
        await completed(`PS1='$ ' bash --norc --noprofile`, 'source <(kairship completion bash)'),
        COMPLETED,
      );
    });

    for (const [how, ...setUp] of [
      ['sourced', 'autoload -U compinit', 'compinit -u -D', 'source <(kairship completion zsh)'],
      [
        'on the fpath',
        'mkdir -p fpath',
        'kairship completion zsh > fpath/_kairship',
        'fpath+=($PWD/fpath)',
        'autoload -U compinit',
        'compinit -u -D',
      ],
    ] as const)
      it(`works in zsh, ${how}`, { skip: lacks('zsh') }, async () => {
        assert.deepEqual(await completed(`PS1='$ ' zsh -f`, 'bindkey -e', ...setUp), COMPLETED);
      });

    it('works in fish', { skip: lacks('fish') }, async () => {
      const asked = LINES.map((line) => `complete -C '${line}'`).join('; ');
      const { stdout, stderr } = await me.run('fish', ['-N', '-c', `kairship completion fish | source; ${asked}`]);
      assert.deepEqual(
        stdout.trim().split('\n'),
        ['cluster', 'deployments/', 'deployments/nginx', './only-one.yaml'],
        stderr,
      );
    });
  });

  describe('in a terminal', { skip: hasScript() ? false : 'needs script of util-linux' }, () => {
    it('rewrites how far a change has come, in colour', async () => {
      const changed = join(me.home, 'changed.yaml');
      writeFileSync(changed, readFileSync(EXAMPLE, 'utf8').replace(/replicas: \d+/, 'replicas: 6'));
      const screen = await seen(me, `kairship apply -f ${changed}`);
      assert.ok(screen.includes('\u001b[2A\u001b[0J'), screen);
      assert.ok(screen.includes('\u001b[32mready\u001b[39m'), screen);
      assert.match(screen, /Arrived everywhere/);
    });

    it('asks for a password, and hides it', async () => {
      await me.told('correct horse battery', 'user', 'create', 'alice', '--password-stdin');
      const screen = await seen(me, `kairship login ${me.server} --user alice --name asked`, [
        [/Password: /, 'correct horse battery\r'],
      ]);
      assert.match(screen, /context .*asked.* is current/);
      assert.doesNotMatch(screen, /horse/);
      await me.ok('logout');
    });

    it('leaves everything as it is when the answer is no', async () => {
      const screen = await seen(me, 'kairship cluster remove singapore', [[/\[y\/N\] /, 'n\r']]);
      assert.match(screen, /cluster "singapore" stays/);
      assert.match(await me.ok('cluster', 'list', '-o', 'name'), /singapore/);
    });

    it('is a terminal of a pod', async () => {
      const screen = await seen(me, 'kairship exec -it deploy/nginx -C frankfurt -- sh', [
        [/[#$] /, 'hostname; exit 4\r'],
      ]);
      assert.match(screen, /nginx-\w+-\w+\r+\n/);
    });
  });
});

/** Everything a person would have seen, control characters included. */
async function seen(
  me: Account,
  command: string,
  typed: readonly (readonly [when: RegExp, what: string])[] = [],
): Promise<string> {
  const child = me.begin('script', ['-qec', `stty cols 120 rows 40; ${command}`, '/dev/null'], {
    TERM: 'xterm',
    NO_COLOR: '',
  });
  let screen = '';
  const left = [...typed];
  child.stdout?.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    const [next] = left;
    if (!next?.[0].test(screen)) return;
    left.shift();
    child.stdin?.write(next[1]);
  });
  await once(child, 'close');
  return screen;
}

/** Why a shell cannot be tried here; false when it can. */
function lacks(shell: string): string | false {
  if (!hasScript()) return 'needs script of util-linux';
  return spawnSync(shell, ['-c', 'exit 0']).status === 0 ? false : `needs ${shell}, which is not installed`;
}

function hasScript(): boolean {
  return process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
}
