/** Real Kubernetes API servers as members of our engine: joined, sent to, reported from, and left clean. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Cluster, CLUSTER, RESOURCE_BINDING, type ResourceBinding } from '#karmada/apis/index.ts';
import { join as joinMember, unjoin } from '#karmada/cluster/index.ts';
import { type KarmadaApiServer, karmadaApiServer } from '#karmada/engine/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';
import { until } from './processes.ts';
import { type RealKube, realMissing, startRealKube } from './real-kube.ts';
import { deployment, DEPLOYMENTS, divided, override, policy, to, weights } from './scenarios/objects.ts';

const DEPLOYMENT = { group: 'apps', version: 'v1', resource: 'deployments' };
const POD = { group: '', version: 'v1', resource: 'pods' };
const POLICIES = { group: 'policy.karmada.io', version: 'v1alpha1' };
const web = { namespace: 'default', name: 'web' };
const inDefault = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace: 'default' },
});

interface Workload extends KubeObject {
  readonly spec: { readonly replicas: number };
  readonly status?: { readonly replicas?: number; readonly unavailableReplicas?: number };
}

describe('real Kubernetes members of our engine', { skip: realMissing() ?? false }, () => {
  let directory = '';
  let karmada: KarmadaApiServer;
  let members: readonly RealKube[] = [];
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'real-members-'));
    karmada = await karmadaApiServer({ store: memoryStore() });
    await karmada.ready;
    const controllers = ['deployment', 'replicaset', 'serviceaccount'];
    members = await Promise.all(
      ['m1', 'm2'].map((name) => startRealKube({ directory: join(directory, name), controllers })),
    );
  });
  after(async () => {
    await karmada?.close();
    await Promise.all(members.map((member) => member.stop()));
    rmSync(directory, { recursive: true, force: true });
  });
  const at = (index: number) => members[index]?.client.get<Workload>(DEPLOYMENT, web);

  it('are joined and found ready', async () => {
    for (const [index, { config }] of members.entries()) {
      await joinMember({ control: karmada.client, member: config, name: `m${index + 1}` });
    }
    await until('both to be ready', async () => {
      const { items } = await karmada.client.list<Cluster>(CLUSTER);
      const ready = ({ status }: Cluster) =>
        status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
      return items.length === 2 && items.every(ready);
    });
  });

  it('get their share, changed by overrides, and report it', async () => {
    const { client } = karmada;
    const placement = { ...to('m1', 'm2'), ...divided('Weighted', weights({ m1: 2, m2: 1 })) };
    const labels = { labelsOverrider: [{ operator: 'add', value: { where: 'second' } }] };
    const rules = [{ targetCluster: { clusterNames: ['m2'] }, overriders: labels }];
    const op = inDefault(override('o', DEPLOYMENTS, rules));
    await client.create({ ...POLICIES, resource: 'overridepolicies' }, op);
    const pp = inDefault(policy('p', DEPLOYMENTS, placement));
    await client.create({ ...POLICIES, resource: 'propagationpolicies' }, pp);
    await client.create(DEPLOYMENT, inDefault(deployment('web', 6)));
    await until('the status of all replicas', async () => {
      const { status } = await client.get<Workload>(DEPLOYMENT, web);
      return status?.replicas === 6;
    });
    assert.deepEqual([(await at(0))?.spec.replicas, (await at(1))?.spec.replicas], [4, 2]);
    assert.equal((await at(1))?.metadata.labels?.['where'], 'second');
    const key = { namespace: 'default', name: 'web-deployment' };
    const { status } = await client.get<ResourceBinding>(RESOURCE_BINDING, key);
    assert.ok(status?.conditions?.some(({ type, status: is }) => type === 'FullyApplied' && is === 'True'));
  });

  it('are put right when they drift', async () => {
    await members[0]?.client.patch(DEPLOYMENT, web, { type: 'merge', body: { spec: { replicas: 1 } } });
    await until('the drift to be put right', async () => (await at(0))?.spec.replicas === 4);
    await members[1]?.client.delete(DEPLOYMENT, web);
    await until('the deleted one to be made again', async () => (await at(1))?.spec.replicas === 2);
  });

  it('lose their copies with the template, and what was sent there when they leave', async () => {
    const { client } = karmada;
    await unjoin({ control: client, name: 'm2' });
    await assert.rejects(async () => at(1), /not found/);
    await client.delete(DEPLOYMENT, web);
    await until(
      'the copy to be gone',
      async () =>
        (await at(0)?.then(
          () => false,
          () => true,
        )) ?? false,
    );
    await until('its pods to be gone', async () => (await members[0]?.client.list(POD))?.items.length === 0);
  });
});
