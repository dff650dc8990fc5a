/** A member that nobody reaches from outside: by an agent in a process of its own, which alone knows where it is. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { startMember } from '../browser/member.ts';
import { endsWithUs } from '../guard.ts';
import { text } from './asking.ts';
import { eventually, type Stage } from './harness.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/kairship');
const EDGE = '/instances/demo/clusters/edge';

export function pulling(stage: Stage): void {
  describe('A member that pulls', () => {
    let token: string;
    let agent: ChildProcess | undefined;
    let member: Awaited<ReturnType<typeof startMember>>;
    const ended = () => agent?.exitCode ?? agent?.signalCode ?? undefined;
    after(async () => {
      if (ended() === undefined) agent?.kill('SIGKILL');
      await member?.lose();
    });
    const cluster = async () => JSON.parse(await stage.instance('get', 'cluster', 'edge', '-o', 'json'));
    const inEdge = (path: string) =>
      stage.instance('get', '--raw', `/apis/cluster.karmada.io/v1alpha1/clusters/edge/proxy${path}`);

    it('R70: is invited with a token that is not given to everybody, nor for a cluster that can be reached', async () => {
      const short = await stage.admin('POST', `${EDGE}/agent-token`, { expirationSeconds: '5' });
      assert.deepEqual([short.status, /lasts from 600 to 2592000 seconds/.test(short.text)], [400, true], short.text);
      const pushed = await stage.admin('POST', '/instances/demo/clusters/frankfurt/agent-token', {});
      assert.deepEqual([pushed.status, /joins without an agent/.test(pushed.text)], [409, true], pushed.text);
      const invited = await stage.admin('POST', `${EDGE}/agent-token`, {});
      assert.equal(invited.status, 200, invited.text);
      ({ token } = invited.json);
      assert.equal(invited.json.command, `kairship agent --kubeconfig FILE --token ${token}`);
      assert.equal((await cluster()).spec.syncMode, 'Pull');
    });

    it('R54, R55, R70, R71: is taken up by its agent, and nobody is told how to reach it', async () => {
      member = await startMember(stage.directory, 'edge');
      const file = join(stage.directory, 'edge.kubeconfig');
      writeFileSync(file, member.kubeconfig);
      agent = spawn(PROGRAM, ['agent', '--kubeconfig', file, '--region', 'nowhere'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, KAIRSHIP_AGENT_TOKEN: token, KAIRSHIP_LOG: 'error' },
      });
      endsWithUs(agent);
      await eventually(async () => {
        const { json } = await stage.admin('GET', '/instances/demo/clusters?name=edge');
        const found = json.items.find((item: { metadata: { name: string } }) => item.metadata.name === 'edge');
        assert.deepEqual([found?.status.phase, found?.status.proxyMode], ['RUNNING', 'Pull'], text(found));
      });
      const { spec, status } = await cluster();
      assert.deepEqual([spec.apiEndpoint, spec.secretRef, spec.region], [undefined, undefined, 'nowhere']);
      assert.ok(status.kubernetesVersion);
    });

    it('R62: gets what is placed there, and its status comes back', async () => {
      const labels = { app: 'kiosk' };
      const deployment = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'kiosk', namespace: 'default' },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
        },
      };
      const policy = {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: { name: 'kiosk', namespace: 'default' },
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'kiosk' }],
          placement: { clusterAffinity: { clusterNames: ['edge'] } },
        },
      };
      for (const [path, object] of [
        ['deployments', deployment],
        ['propagationpolicies', policy],
      ] as const) {
        const data = JSON.stringify(object);
        const { status, text: said } = await stage.admin('POST', `/instances/demo/namespaces/default/${path}`, {
          data,
        });
        assert.equal(status, 200, said);
      }
      await eventually(async () => {
        const { status } = JSON.parse(await stage.instance('get', 'deployment', 'kiosk', '-o', 'json'));
        assert.equal(status?.readyReplicas, 1);
      });
    });

    it('R72: is reached through its agent: its API, its logs, and in the index', async () => {
      const { items } = JSON.parse(await inEdge('/api/v1/namespaces/default/pods?labelSelector=app%3Dkiosk'));
      const pod = items[0].metadata.name;
      await eventually(async () => assert.match(await inEdge(`/api/v1/namespaces/default/pods/${pod}/log`), /\S/));
      await eventually(async () => {
        const { json } = await stage.admin('GET', `${EDGE}/namespaces/default/pods`);
        const names = (json.items ?? []).map(({ metadata }: { metadata: { name: string } }) => metadata.name);
        assert.ok(names.includes(pod), text(json));
      });
    });

    it('leaves with what it was given, out of the inventory too, and its agent ends in good order', async () => {
      const exit = once(agent as ChildProcess, 'exit');
      assert.equal((await stage.admin('DELETE', EDGE)).status, 200);
      await eventually(async () => {
        const { items } = JSON.parse(await stage.instance('get', 'clusters', '-o', 'json'));
        assert.ok(!items.some(({ metadata }: { metadata: { name: string } }) => metadata.name === 'edge'));
      });
      assert.equal((await exit)[0], 0);
      await eventually(async () =>
        assert.equal(await stage.global('get', 'clusters.kpanda.io', 'edge', '--ignore-not-found', '-o', 'name'), ''),
      );
      await stage.instance('delete', 'deployment,propagationpolicy', 'kiosk');
    });
  });
}
