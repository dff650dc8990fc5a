/** Dependencies follow the templates that need them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  PROPAGATION_POLICY,
  type PropagationPolicy,
  RESOURCE_BINDING,
  type ResourceBinding,
} from '#karmada/apis/index.ts';
import { appears, CONFIG_MAP, configMap, DEPLOYMENT, deployment, disappears, policy, testPlane } from './testing.ts';

const key = (name: string) => ({ namespace: 'default', name });
const volume = { volumes: [{ name: 'config', configMap: { name: 'settings' } }] };
const deployments = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }];

it('a ConfigMap that a Deployment mounts goes where the Deployment goes, before and after it moves', async (t) => {
  const plane = await testPlane(t);
  const { client } = plane;
  const first = { clusterAffinity: { clusterNames: ['m1'] } };
  const created = await client.create<PropagationPolicy>(
    PROPAGATION_POLICY,
    policy('p', { propagateDeps: true, resourceSelectors: deployments, placement: first }),
  );
  await client.create(CONFIG_MAP, configMap('settings'));
  await client.create(DEPLOYMENT, deployment('web', 1, volume));
  await appears(plane.member('m1').client, CONFIG_MAP, 'settings');
  const binding = await client.get<ResourceBinding>(RESOURCE_BINDING, key('web-deployment'));
  assert.equal(
    binding.metadata.annotations?.['resourcebinding.karmada.io/dependencies'],
    '[{"apiVersion":"v1","kind":"ConfigMap","namespace":"default","name":"settings"}]',
  );
  const attached = await client.get<ResourceBinding>(RESOURCE_BINDING, key('settings-configmap'));
  assert.deepEqual(attached.spec.requiredBy, [
    { namespace: 'default', name: 'web-deployment', clusters: [{ name: 'm1', replicas: 1 }] },
  ]);
  assert.equal(attached.spec.placement, undefined);

  const placement = { clusterAffinity: { clusterNames: ['m2'] } };
  await client.update(PROPAGATION_POLICY, { ...created, spec: { ...created.spec, placement } });
  await appears(plane.member('m2').client, CONFIG_MAP, 'settings');
  await disappears(plane.member('m1').client, CONFIG_MAP, 'settings');

  await client.delete(DEPLOYMENT, key('web'));
  await disappears(plane.member('m2').client, CONFIG_MAP, 'settings');
});

it('a dependency that appears later is taken along', async (t) => {
  const plane = await testPlane(t, ['m1']);
  await plane.client.create(PROPAGATION_POLICY, policy('p', { propagateDeps: true, resourceSelectors: deployments }));
  await plane.client.create(DEPLOYMENT, deployment('web', 1, volume));
  await appears(plane.member('m1').client, DEPLOYMENT, 'web');
  await plane.client.create(CONFIG_MAP, configMap('settings'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'settings');
});
