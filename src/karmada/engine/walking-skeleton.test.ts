import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PROPAGATION_POLICY } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { DEPLOYMENT, eventually, find, testPlane } from './testing.ts';

interface Deployment extends KubeObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number; readonly replicas?: number };
}

const nginx = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'nginx', namespace: 'default', labels: { app: 'nginx' } },
  spec: {
    replicas: 6,
    selector: { matchLabels: { app: 'nginx' } },
    template: {
      metadata: { labels: { app: 'nginx' } },
      spec: { containers: [{ name: 'nginx', image: 'nginx:1.27' }] },
    },
  },
};

it('a Deployment with a policy reaches two members and its status comes back', async (t) => {
  const plane = await testPlane(t);
  const { client } = plane;
  await client.create(PROPAGATION_POLICY, {
    apiVersion: PROPAGATION_POLICY.apiVersion,
    kind: 'PropagationPolicy',
    metadata: { name: 'nginx', namespace: 'default' },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx' }],
      placement: {
        clusterAffinity: { clusterNames: ['m1', 'm2'] },
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
  });
  await client.create(DEPLOYMENT, nginx);
  const key = { namespace: 'default', name: 'nginx' };
  const inMember = (name: string) =>
    eventually(() => find<Deployment>(plane.member(name).client, DEPLOYMENT, key), `nginx in ${name}`);
  const [first, second] = await Promise.all([inMember('m1'), inMember('m2')]);
  assert.deepEqual([first.spec.replicas, second.spec.replicas], [4, 2]);

  for (const [name, replicas] of [
    ['m1', 4],
    ['m2', 2],
  ] as const) {
    const object = await plane.member(name).client.get<Deployment>(DEPLOYMENT, key);
    const status = {
      observedGeneration: 1,
      replicas,
      readyReplicas: replicas,
      updatedReplicas: replicas,
      availableReplicas: replicas,
    };
    await plane.member(name).client.update(DEPLOYMENT, { ...object, status }, { subresource: 'status' });
  }
  const template = await eventually(async () => {
    const found = await client.get<Deployment>(DEPLOYMENT, key);
    return found.status?.readyReplicas === 6 ? found : undefined;
  }, 'the template to have the status of both members');
  assert.equal(template.status?.replicas, 6);
});
