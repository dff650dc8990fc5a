/** Logs, commands and forwarded ports of a pod in a member, through the platform and the instance before it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { kubectlPath } from '../scripts/test-tools.ts';
import { eventually, kubectl, type Platform, type Run, startPlatform, temporaryDirectory } from './platform.ts';

const MEMBER = ['--context', 'demo/frankfurt'];

describe('streams of a member, through two proxies', { timeout: 120_000 }, () => {
  const { path: directory, remove } = temporaryDirectory();
  const kubeconfig = join(directory, 'admin.kubeconfig');
  let platform: Platform;
  let k: Run;
  let pod: string;

  before(async () => {
    platform = await startPlatform(directory, ['--members', '1']);
    k = kubectl(kubeconfig);
    pod = await eventually(async () => {
      const running = '--field-selector=status.phase=Running';
      const { stdout } = await k(...MEMBER, 'get', 'pods', running, '-o', 'jsonpath={.items[0].metadata.name}');
      assert.notEqual(stdout, '');
      return stdout;
    });
  });
  after(async () => {
    await platform.stop();
    remove();
  });

  it('a pod tells its log', async () => {
    const { code, stdout } = await k(...MEMBER, 'logs', pod);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^starting \\S+ from \\S+ in default/${pod} on frankfurt-`));
  });

  it('a command in a pod has its output, its errors and its exit code', async () => {
    const { code, stdout, stderr } = await k(...MEMBER, 'exec', pod, '--', 'sh', '-c', 'hostname; cat /nope; exit 3');
    assert.deepEqual([code, stdout], [3, `${pod}\n`]);
    assert.match(stderr, /can't open '\/nope'/);
  });

  for (const websockets of ['true', 'false']) {
    const over = websockets === 'true' ? 'WebSockets' : 'SPDY';
    const start = (t: TestContext, ...args: readonly string[]) => {
      const env = {
        ...process.env,
        KUBECTL_REMOTE_COMMAND_WEBSOCKETS: websockets,
        KUBECTL_PORT_FORWARD_WEBSOCKETS: websockets,
      };
      const child = spawn(kubectlPath() ?? 'kubectl', ['--kubeconfig', kubeconfig, ...MEMBER, ...args], { env });
      t.after(() => child.kill('SIGKILL'));
      return child;
    };

    it(`input reaches a command over ${over}`, async (t) => {
      const exec = start(t, 'exec', '-i', pod, '--', 'cat');
      const input = 'x'.repeat(500_000);
      exec.stdin.end(input);
      assert.equal(await text(exec.stdout), input);
    });

    it(`a port is forwarded over ${over}`, async (t) => {
      const ports = 'jsonpath={.spec.containers[0].ports[0].containerPort}';
      const { stdout: port } = await k(...MEMBER, 'get', 'pod', pod, '-o', ports);
      const forward = start(t, 'port-forward', `pod/${pod}`, `0:${port}`);
      const [line] = await once(forward.stdout, 'data');
      const [, local] = /127\.0\.0\.1:(\d+)/.exec(String(line)) ?? [];
      const [response] = await once(get(`http://127.0.0.1:${local}/`), 'response');
      assert.match(await text(response), new RegExp(`pod: ${pod}\n.*\ncluster: frankfurt\n`));
    });
  }

  describe('in a browser', () => {
    let origin: string;
    let cookie: string;

    before(async () => {
      origin = new URL(platform.consoleUrl).origin;
      const welcome = await fetch(platform.consoleUrl);
      cookie = welcome.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    });

    it('a shell of the console runs our own commands and no others, with a record of each', async (t) => {
      const shells = `${origin}/apis/kairship.io/v1alpha1/instances/demo/cloudshells`;
      const headers = { cookie, origin, 'content-type': 'application/json' };
      const made = await fetch(shells, { method: 'POST', headers, body: '{"data":{"spec":{"ttl":60}}}' });
      const { metadata, status } = (await made.json()) as {
        metadata: { name: string };
        status: { terminalUrl: string };
      };
      assert.equal(status.terminalUrl, `${new URL(shells).pathname}/${metadata.name}/terminal`);
      const at = browserTerminal(t, `${origin}${status.terminalUrl}`, { cookie, origin });
      at.resize(120, 40);
      await at.until(/demo> /);
      at.type('kubectl get clusters\r');
      await at.until(/frankfurt +\S+ +Push/);
      at.type('bash -c id\r');
      await at.until(/there is no command "bash"/);
      at.type('kubectl apply -f -\r');
      await at.until(/Ctrl-D/);
      at.type('apiVersion: v1\rkind: ConfigMap\rmetadata: {name: typed}\r\u0004');
      await at.until(/configmap\/typed applied/);
      assert.equal((await k('get', 'configmap', 'typed')).code, 0);
      await eventually(async () => {
        const records = await fetch(`${origin}/apis/ghippo.io/v1alpha3/audits`, { headers });
        const found = await records.text();
        for (const line of ['kubectl get clusters', 'bash -c id']) assert.ok(found.includes(line), found);
      });
      // Closed elsewhere: whoever sits at it is cut off.
      await fetch(`${shells}/${metadata.name}`, { method: 'DELETE', headers });
      assert.equal(await at.ended, undefined);
    });

    it('a command in a pod has a terminal', async (t) => {
      const query = 'container=&command=sh&stdin=true&stdout=true&tty=true';
      const path = `/instances/demo/kube/apis/cluster.karmada.io/v1alpha1/clusters/frankfurt/proxy/api/v1/namespaces/default/pods/${pod}/exec?${query}`;
      const at = browserTerminal(t, origin + path, { cookie, origin });
      await at.until(/# /);
      at.type('hostname\rexit 4\r');
      assert.equal(await at.ended, 4);
      assert.match(at.shown(), new RegExp(pod));
    });
  });
});

/** As the console opens one: `v5.channel.k8s.io`, the first byte of each message is its channel. */
function browserTerminal(t: TestContext, url: string, headers: { readonly cookie: string; readonly origin: string }) {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), 'v5.channel.k8s.io', { headers });
  t.after(() => socket.terminate());
  let shown = '';
  let code: number | undefined;
  let look = () => {};
  const opened = once(socket, 'open');
  const send = (channel: number, text: string) =>
    void opened.then(() => socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)])));
  socket.on('message', (data: Buffer) => {
    const text = data.subarray(1).toString();
    if (data[0] === 1) shown += text;
    if (data[0] === 3) code = Number(/"message":"(\d+)"/.exec(text)?.[1] ?? 0);
    look();
  });
  return {
    type: (keys: string) => send(0, keys),
    resize: (width: number, height: number) => send(4, JSON.stringify({ Width: width, Height: height })),
    shown: () => shown,
    /** The exit code, if there was one. */
    ended: once(socket, 'close').then(() => code),
    async until(wanted: RegExp) {
      while (!wanted.test(shown)) {
        assert.ok(socket.readyState <= WebSocket.OPEN, shown);
        await new Promise<void>((resolve) => (look = resolve));
      }
    },
  };
}
