/** Real kubectl of several versions against simulated pods: what users type, and what they see. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type KubectlVersion, KUBECTL_VERSIONS, kubectlPath } from '../../../scripts/test-tools.ts';
import { type StreamServer, streamServer } from './testing.ts';

const web = {
  containers: [
    { name: 'web', image: 'web:1', ports: [{ containerPort: 8080 }], env: [{ name: 'WHO', value: 'world' }] },
    { name: 'side', image: 'side:1' },
  ],
};

type Kubectl = (...args: readonly string[]) => ChildProcessWithoutNullStreams;

/** kubectl with a kubeconfig of its own; what it speaks can be chosen. */
function kubectl(t: TestContext, version: KubectlVersion, kubeconfig: string, websockets = true): Kubectl {
  const path = kubectlPath(version);
  assert.ok(path, `kubectl ${version} is missing: run npm run test:tools`);
  const env = {
    PATH: process.env['PATH'],
    KUBECTL_REMOTE_COMMAND_WEBSOCKETS: String(websockets),
    KUBECTL_PORT_FORWARD_WEBSOCKETS: String(websockets),
    KUBECTL: path,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: `${kubeconfig}.cache`,
  };
  return (...args) => {
    const [command = '', ...rest] = args[0] === 'script' ? args : [path, ...args];
    const child = spawn(command, rest, { env });
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
}

async function result(child: ChildProcessWithoutNullStreams, input = '') {
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { code, out, err };
}

/** Resolves when a child has printed what is wanted, with all it has printed. */
function printed(child: ChildProcessWithoutNullStreams, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (wanted.test(out)) resolve(out);
    });
    child.on('exit', () => reject(new Error(`ended without ${wanted}: ${out}`)));
  });
}

/** Lines come quickly, for those that are waited for; where they are counted, the container is said to be slow. */
const pace = { everyMs: 200, keptLines: 1_000 };

let server: StreamServer;
const ends: (() => unknown)[] = [];
before(async () => {
  server = await streamServer({ after: (action) => void ends.push(action as () => unknown) }, { pace });
  await server.run('web', web);
});
after(async () => {
  for (const end of ends) await end();
});

/** Versions differ in how they speak of streams; what else they ask for is the same, and the newest does all of it. */
const newest = KUBECTL_VERSIONS.at(-1);

for (const version of KUBECTL_VERSIONS) {
  describe(`kubectl ${version}`, { concurrency: 4 }, () => {
    const ofNewest: (name: string, act: (t: TestContext) => Promise<void>) => void = (name, act) => {
      if (version === newest) it(name, act);
    };
    const client = (t: TestContext, websockets = true) => kubectl(t, version, server.kubeconfig, websockets);

    ofNewest('logs: all of it, a tail, the latest, with times, of another container', async (t) => {
      const logs = client(t);
      await server.run('old', web, Date.now() - 5_000);
      await server.end('old');
      const [all, tail, since, side, none] = await Promise.all([
        result(logs('logs', 'old', '-c', 'web')),
        result(logs('logs', 'old', '-c', 'web', '--tail=2', '--timestamps')),
        result(logs('logs', 'old', '-c', 'web', '--since=1h')),
        result(logs('logs', 'old', '-c', 'side', '--limit-bytes=13')),
        result(logs('logs', 'old', '-c', 'web', '--previous')),
      ]);
      assert.deepEqual([all.code, all.err], [0, '']);
      assert.match(
        all.out,
        /^starting web from web:1 in default\/old on n1\nlistening on port 8080\n(.*GET .*\n){20,}web ended/,
      );
      assert.match(
        tail.out,
        /^\S+T\d\d:\d\d:\d\d\.\d{9}Z 10\.244\S+ "GET .*\n\S+Z web ended with exit code 0 \(Completed\)\n$/,
      );
      assert.equal(since.out, all.out);
      assert.equal(side.out, 'starting side');
      assert.equal(none.code, 1);
      assert.match(none.err, /previous terminated container "web" in pod "old" not found/);
    });

    ofNewest('logs -f and attach: to the end of the container', async (t) => {
      await server.run('job', {});
      const following = client(t)('logs', '-f', 'job');
      const attached = client(t)('attach', 'job');
      const both = Promise.all([text(following.stdout), text(attached.stdout)]);
      await Promise.all([printed(following, /working \(\d+\)\nworking/), printed(attached, /working/)]);
      await server.end('job');
      for (const out of await both) assert.match(out, /main ended with exit code 0 \(Completed\)\n$/);
    });

    for (const websockets of [true, false]) {
      const over = websockets ? 'WebSockets' : 'SPDY';
      it(`exec over ${over}: output, errors, exit code and input`, async (t) => {
        const exec = client(t, websockets);
        const script = 'echo hello $WHO; cat /nope; exit 3';
        const failing = result(exec('exec', 'web', '-c', 'web', '--', 'sh', '-c', script));
        const input = 'x'.repeat(300_000);
        const piped = result(exec('exec', '-i', 'web', '-c', 'web', '--', 'cat'), input);
        assert.deepEqual(await failing, {
          code: 3,
          out: 'hello world\n',
          err: "cat: can't open '/nope': No such file or directory\ncommand terminated with exit code 3\n",
        });
        assert.deepEqual(await piped, { code: 0, out: input, err: '' });
      });

      // Older ones: over what they speak unless told otherwise.
      const atTerminal = websockets ? it : ofNewest;
      atTerminal(`exec -it over ${over}: a shell at a terminal`, async (t) => {
        // script gives kubectl the terminal that it asks for.
        const command = '"$KUBECTL" exec -it web -c web -- sh';
        const shell = client(t, websockets)('script', '-qec', command, '/dev/null');
        const out = text(shell.stdout);
        const exited = once(shell, 'exit');
        await printed(shell, /simulated[^\n]*\n\/ # $/);
        shell.stdin.write('hostname\r');
        await printed(shell, /web\r\n\/ # $/);
        shell.stdin.write('exit 5\r');
        assert.deepEqual(await exited, [5, null]);
        assert.match(await out, /\/ # hostname\r\nweb\r\n/);
      });

      it(`port-forward over ${over}: several connections at a time`, async (t) => {
        const forward = client(t, websockets)('port-forward', 'pod/web', '0:8080');
        const [, port] = /127\.0\.0\.1:(\d+)/.exec(await printed(forward, /127\.0\.0\.1:\d+ -> 8080/)) ?? [];
        const pages = await Promise.all([1, 2, 3, 4].map((n) => page(`http://127.0.0.1:${port}/${n}`)));
        assert.deepEqual(
          pages,
          [1, 2, 3, 4].map((n) => `pod: web\nnamespace: default\ncluster: m1\nnode: n1\nport: 8080\npath: /${n}\n`),
        );
      });
    }

    ofNewest('is told what is wrong', async (t) => {
      const exec = client(t);
      const [container, pod, program] = await Promise.all([
        result(exec('exec', 'web', '-c', 'nope', '--', 'true')),
        result(exec('exec', 'gone', '--', 'true')),
        result(exec('exec', 'web', '-c', 'web', '--', 'vi')),
      ]);
      assert.match(container.err, /container nope is not valid for pod web/);
      assert.match(pod.err, /pods "gone" not found/);
      assert.deepEqual(
        [program.code, program.err],
        [127, 'sh: vi: not found\ncommand terminated with exit code 127\n'],
      );
    });
  });
}

async function page(url: string): Promise<string> {
  const [response] = await once(get(url), 'response');
  return text(response);
}
