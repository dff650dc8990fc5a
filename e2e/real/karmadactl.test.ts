/** Karmada's own command line on our instance, as its users know it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import { realPath } from '../../scripts/real-setup.ts';
import { type OurProgram, startMember, startProgram } from './our-program.ts';
import { until } from './processes.ts';
import { configMap, CONFIG_MAPS, deployment, policy, to } from './scenarios/objects.ts';

const karmadactl = realPath('karmadactl');
const run = promisify(execFile);
const CONFIG_MAP = { group: '', version: 'v1', resource: 'configmaps' };
const DEPLOYMENT = { group: 'apps', version: 'v1', resource: 'deployments' };
const POLICY = { group: 'policy.karmada.io', version: 'v1alpha1', resource: 'propagationpolicies' };

describe('karmadactl', { skip: karmadactl ? false : 'karmadactl is not built: npm run real:setup' }, () => {
  let directory = '';
  let karmada: OurProgram;
  let member: OurProgram;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'karmadactl-'));
    karmada = await startProgram(join(directory, 'karmada'), 'karmada');
    member = await startMember(directory, 'm1');
  });
  after(async () => {
    await Promise.all([karmada?.stop(), member?.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });

  async function ctl(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(karmadactl ?? '', [...args, '--kubeconfig', karmada.kubeconfig], { timeout: 60_000 });
    return stdout;
  }
  const cluster = () => karmada.client.get<Cluster>(CLUSTER, { name: 'm1' });
  const inDefault = (object: ReturnType<typeof configMap>) => ({
    ...object,
    metadata: { ...object.metadata, namespace: 'default' },
  });

  it('join brings a cluster in', async () => {
    assert.match(
      await ctl('join', 'm1', '--cluster-kubeconfig', member.kubeconfig),
      /cluster\(m1\) is joined successfully/,
    );
    await until('m1 to be ready', async () =>
      (await cluster()).status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
    );
    assert.match(
      await ctl('get', 'clusters', '--operation-scope', 'karmada'),
      /^m1\s+Karmada\s+v1\.\S+\s+Push\s+True/m,
    );
  });

  it('get shows templates, and what is in members through the proxy', async () => {
    await karmada.client.create(CONFIG_MAP, inDefault(configMap('a')));
    await karmada.client.create(POLICY, inDefault(policy('p', CONFIG_MAPS, to('m1'))));
    await until('the copy', () => member.client.get(CONFIG_MAP, { namespace: 'default', name: 'a' }));
    const members = await ctl('get', 'configmaps', '--operation-scope', 'members', '--clusters', 'm1');
    assert.match(members, /^NAME\s+CLUSTER\s+DATA\s+AGE\s+ADOPTION$/m);
    assert.match(members, /^a\s+m1\s+1\s+\S+\s+Y$/m);
    assert.match(await ctl('get', 'configmaps', '--operation-scope', 'all'), /^a\s+Karmada\s+1\s/m);
  });

  it('describe tells of templates and of members', async () => {
    assert.match(await ctl('describe', 'configmap', 'a'), /propagationpolicy\.karmada\.io\/name: p/);
    const args = ['describe', 'configmap', 'a', '--operation-scope', 'members', '--cluster', 'm1'];
    assert.match(await ctl(...args), /karmada\.io\/managed=true/);
  });

  it('cordon, uncordon and taint change the taints of a cluster', async () => {
    await ctl('cordon', 'm1');
    const unschedulable = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' };
    assert.deepEqual((await cluster()).spec.taints, [unschedulable]);
    await ctl('uncordon', 'm1');
    assert.equal((await cluster()).spec.taints, undefined);
    await ctl('taint', 'clusters', 'm1', 'team=a:NoSchedule');
    assert.deepEqual((await cluster()).spec.taints, [{ key: 'team', value: 'a', effect: 'NoSchedule' }]);
    await ctl('taint', 'clusters', 'm1', 'team:NoSchedule-');
    assert.equal((await cluster()).spec.taints, undefined);
  });

  it('promote makes a template of what a member has', async () => {
    await member.client.create(DEPLOYMENT, inDefault(deployment('legacy', 1)));
    await ctl('promote', 'deployment', 'legacy', '-n', 'default', '-C', 'm1');
    await until('the Deployment to be adopted', async () => {
      const { metadata } = await member.client.get(DEPLOYMENT, { namespace: 'default', name: 'legacy' });
      return metadata.labels?.['karmada.io/managed'] === 'true';
    });
  });

  it('unjoin takes the cluster out, and what was sent there with it', async () => {
    await ctl('unjoin', 'm1', '--cluster-kubeconfig', member.kubeconfig);
    await assert.rejects(cluster(), /not found/);
    await assert.rejects(member.client.get(CONFIG_MAP, { namespace: 'default', name: 'a' }), /not found/);
  });
});
