/** What admission and the detector make of policies. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  CLUSTER_PROPAGATION_POLICY,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
  type PropagationPolicy,
} from '#karmada/apis/index.ts';
import { appears, CONFIG_MAP, configMap, find, policy, testPlane } from './testing.ts';

const key = (name: string) => ({ namespace: 'default', name });
const selecting = (name: string) => [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name }];
const named = selecting('a');
const to = (name: string) => ({ placement: { clusterAffinity: { clusterNames: [name] } } });

it('a policy that breaks a rule is refused in the words of the webhook', async (t) => {
  const { client } = await testPlane(t, []);
  const wrong = policy('p', {
    placement: { spreadConstraints: [{ spreadByField: 'region', maxGroups: 1, minGroups: 1 }] },
  });
  await assert.rejects(client.create(PROPAGATION_POLICY, wrong), {
    reason: 'Forbidden',
    message:
      'admission webhook "propagationpolicy.karmada.io" denied the request: spec.placement.spreadConstraints: Invalid value: [{"spreadByField":"region","maxGroups":1,"minGroups":1}]: the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled',
  });
  const created = await client.create<PropagationPolicy>(PROPAGATION_POLICY, policy('p'));
  await assert.rejects(
    client.update(PROPAGATION_POLICY, { ...created, spec: { ...created.spec, schedulerName: 'mine' } }),
    /should not be updated/,
  );
});

it('a protected template cannot be deleted until it says otherwise', async (t) => {
  const { client } = await testPlane(t, []);
  const label = 'resourcetemplate.karmada.io/deletion-protected';
  const made = await client.create(CONFIG_MAP, configMap('a', { labels: { [label]: 'Always' } }));
  await assert.rejects(client.delete(CONFIG_MAP, key('a')), {
    message: `admission webhook "resourcedeletionprotection.karmada.io" denied the request: This resource is protected, please make sure to remove the label: ${label}`,
  });
  await client.update(CONFIG_MAP, { ...made, metadata: { ...made.metadata, labels: {} } });
  await client.delete(CONFIG_MAP, key('a'));
});

it('a policy waits for the override policies it depends on', async (t) => {
  const plane = await testPlane(t, ['m1']);
  await plane.client.create(
    PROPAGATION_POLICY,
    policy('p', { ...to('m1'), resourceSelectors: named, dependentOverrides: ['o'] }),
  );
  await plane.client.create(
    PROPAGATION_POLICY,
    policy('q', {
      ...to('m1'),
      resourceSelectors: selecting('b'),
    }),
  );
  await plane.client.create(CONFIG_MAP, configMap('a'));
  await plane.client.create(CONFIG_MAP, configMap('b'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'b');
  assert.equal(await find(plane.member('m1').client, CONFIG_MAP, key('a')), undefined);
  await plane.client.create(OVERRIDE_POLICY, {
    apiVersion: OVERRIDE_POLICY.apiVersion,
    kind: 'OverridePolicy',
    metadata: { name: 'o', namespace: 'default' },
    spec: { overrideRules: [] },
  });
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
});

it('with preemption, a greater policy takes over what a lesser one or a cluster policy holds', async (t) => {
  const plane = await testPlane(t, ['m1', 'm2'], { engine: { preemption: true } });
  const { client } = plane;
  await client.create(CLUSTER_PROPAGATION_POLICY, {
    apiVersion: CLUSTER_PROPAGATION_POLICY.apiVersion,
    kind: 'ClusterPropagationPolicy',
    metadata: { name: 'c' },
    spec: {
      ...to('m1'),
      resourceSelectors: named,
      priority: 9,
    },
  });
  await client.create(CONFIG_MAP, configMap('a'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
  await client.create(
    PROPAGATION_POLICY,
    policy('low', { ...to('m2'), resourceSelectors: named, preemption: 'Always' }),
  );
  await appears(plane.member('m2').client, CONFIG_MAP, 'a');
  const claimed = await client.get(CONFIG_MAP, key('a'));
  assert.equal(claimed.metadata.annotations?.['propagationpolicy.karmada.io/name'], 'low');
  assert.equal(claimed.metadata.annotations?.['clusterpropagationpolicy.karmada.io/name'], undefined);
  await client.create(
    PROPAGATION_POLICY,
    policy('high', { ...to('m1'), resourceSelectors: named, preemption: 'Always', priority: 2 }),
  );
  await appears(
    client,
    CONFIG_MAP,
    'a',
    ({ metadata }) => metadata.annotations?.['propagationpolicy.karmada.io/name'] === 'high',
  );
});
