/**
 * Our engine beside the servers of others: against a real Kubernetes that holds the kinds, and beside a real Karmada
 * whose placements it explains without writing a thing.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { type AnyBinding, type Cluster, CLUSTER, PROPAGATION_POLICY, RESOURCE_BINDING } from '#karmada/apis/index.ts';
import { join as joinMember } from '#karmada/cluster/index.ts';
import { installCrds } from '#karmada/engine/index.ts';
import type { Explanation } from '#karmada/scheduler/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { type OurProgram, startMember, startProgram } from './our-program.ts';
import { until } from './processes.ts';
import { type RealKarmada, startRealKarmada } from './real-karmada.ts';
import { type RealKube, realMissing, startRealKube } from './real-kube.ts';

const EXPLANATIONS = { group: 'placement.kairship.io', version: 'v1alpha1', resource: 'explanations' };
const SIMULATIONS = { ...EXPLANATIONS, resource: 'simulations' };
const DEPLOYMENT = { group: 'apps', version: 'v1', resource: 'deployments' };
const NAMESPACE = { group: '', version: 'v1', resource: 'namespaces' };

const nginx = (replicas: number): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'nginx', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'nginx' } },
    template: {
      metadata: { labels: { app: 'nginx' } },
      spec: { containers: [{ name: 'nginx', image: 'nginx' }] },
    },
  },
});

const divided: KubeObject = {
  apiVersion: PROPAGATION_POLICY.apiVersion,
  kind: 'PropagationPolicy',
  metadata: { name: 'nginx', namespace: 'default' },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx' }],
    placement: {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: [
            { targetCluster: { clusterNames: ['m1'] }, weight: 2 },
            { targetCluster: { clusterNames: ['m2'] }, weight: 1 },
          ],
        },
      },
    },
  },
};

async function joinTo(control: KubeClient, name: string, member: OurProgram): Promise<void> {
  await joinMember({ control, member: await loadKubeconfig(member.kubeconfig), name });
  // What is placed before a cluster is ready does not move there by itself.
  await until(`${name} to be ready`, async () => {
    const { spec, status } = await control.get<Cluster>(CLUSTER, { name });
    const ready = status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True');
    return ready && !spec.taints?.length && (status?.apiEnablements?.length ?? 0) > 0;
  });
}

const missing = realMissing();

describe('beside the servers of others', { skip: missing ?? false }, () => {
  let directory = '';
  let members: OurProgram[] = [];
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'remote-'));
    members = await Promise.all(['m1', 'm2'].map((name) => startMember(directory, name)));
  });
  after(async () => {
    await Promise.all(members.map((member) => member.stop()));
    rmSync(directory, { recursive: true, force: true });
  });

  it('the engine propagates through a real Kubernetes that holds the kinds', async () => {
    let kube: RealKube | undefined;
    let engine: OurProgram | undefined;
    try {
      kube = await startRealKube({ directory: join(directory, 'kube') });
      const { client, kubeconfig } = kube;
      await installCrds(client, systemClock, new AbortController().signal);
      engine = await startProgram(join(directory, 'engine'), 'karmada', ['--server', kubeconfig]);
      for (const [index, member] of members.entries()) await joinTo(client, `m${index + 1}`, member);
      await client.create(PROPAGATION_POLICY, divided);
      await client.create(DEPLOYMENT, nginx(6));
      const counts = await until('nginx in both members', async () => {
        const found = await Promise.all(
          members.map((member) =>
            member.client.get<KubeObject & { spec: { replicas: number } }>(DEPLOYMENT, nginx(6).metadata),
          ),
        );
        const replicas = found.map(({ spec }) => spec.replicas);
        return replicas.join() === '4,2' ? replicas : undefined;
      });
      assert.deepEqual(counts, [4, 2]);
      await until('the status to come back', async () => {
        const { status } = await client.get<KubeObject & { status?: { readyReplicas?: number } }>(
          DEPLOYMENT,
          nginx(6).metadata,
        );
        return status?.readyReplicas === 6;
      });
      const { explanation } = await engine.client.get<KubeObject & { explanation: Explanation }>(EXPLANATIONS, {
        namespace: 'default',
        name: 'nginx-deployment',
      });
      assert.equal(explanation.replicas, 6);
    } finally {
      await engine?.stop();
      await kube?.stop();
    }
  });

  it('a real Karmada is explained, and nothing is written to it', async () => {
    let karmada: RealKarmada | undefined;
    let explainer: OurProgram | undefined;
    try {
      karmada = await startRealKarmada({ directory: join(directory, 'karmada') });
      const { client, kubeconfig } = karmada;
      // The members were another control plane's a moment ago.
      for (const member of members) await member.client.delete(DEPLOYMENT, nginx(6).metadata).catch(() => undefined);
      for (const [index, member] of members.entries()) await joinTo(client, `m${index + 1}`, member);
      await client.create(PROPAGATION_POLICY, divided);
      await client.create(DEPLOYMENT, nginx(6));
      const key = { namespace: 'default', name: 'nginx-deployment' };
      const binding = await until('the real scheduler to place it', async () => {
        const found = await client.get<AnyBinding>(RESOURCE_BINDING, key);
        const settled = found.status?.aggregatedStatus?.length === 2;
        return settled && found.spec.clusters ? found : undefined;
      });
      explainer = await startProgram(join(directory, 'explainer'), 'karmada', [
        '--server',
        kubeconfig,
        '--explain-only',
      ]);
      const { explanation } = await explainer.client.get<KubeObject & { explanation: Explanation }>(EXPLANATIONS, key);
      const placed = explanation.attempts.at(-1)?.clusters.filter(({ verdict }) => verdict === 'placed') ?? [];
      assert.deepEqual(
        placed.map(({ name, replicas }) => ({ name, replicas })).sort(byName),
        (binding.spec.clusters ?? []).map(({ name, replicas }) => ({ name, replicas })).sort(byName),
      );
      const simulation = { apiVersion: 'placement.kairship.io/v1alpha1', kind: 'Simulation', metadata: { name: 's' } };
      const answer = await explainer.client.create(SIMULATIONS, { ...simulation, spec: { lose: ['m2'] } });
      const { summary } = answer['status'] as { readonly summary: { readonly moved: number } };
      assert.equal(summary.moved, 2);
      await assert.rejects(explainer.client.list(NAMESPACE), { reason: 'NotFound' });
      // Whoever writes is known by its field manager.
      for (const gvr of [PROPAGATION_POLICY, RESOURCE_BINDING, DEPLOYMENT]) {
        for (const { metadata } of (await client.list(gvr)).items) {
          const managers = metadata.managedFields?.map(({ manager = '' }) => manager) ?? [];
          assert.ok(!managers.some((manager) => manager.startsWith('kairship')), managers.join());
        }
      }
    } finally {
      await explainer?.stop();
      await karmada?.stop();
    }
  });
});

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
