/** Logs, commands and forwarded ports of a pod in a member, through the platform and the instance before it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
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
});
