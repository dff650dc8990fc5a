/** What becomes of templates and their copies when policies, templates and members change. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  CLUSTER_PROPAGATION_POLICY,
  CLUSTER_RESOURCE_BINDING,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
  type PropagationPolicy,
  RESOURCE_BINDING,
  type ResourceBinding,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import {
  appears,
  CONFIG_MAP,
  configMap,
  DEPLOYMENT,
  deployment,
  disappears,
  eventually,
  find,
  policy,
  testPlane,
} from './testing.ts';

const CLUSTER_ROLE: Gvr = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
const CRD: Gvr = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const claim = 'propagationpolicy.karmada.io/permanent-id';
const key = (name: string) => ({ namespace: 'default', name });

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

it('a template takes its copies along when it is deleted', async (t) => {
  const plane = await testPlane(t);
  const { client } = plane;
  await client.create(PROPAGATION_POLICY, policy('p'));
  await client.create(CONFIG_MAP, configMap('a'));
  await Promise.all(['m1', 'm2'].map((name) => appears(plane.member(name).client, CONFIG_MAP, 'a')));
  await client.delete(CONFIG_MAP, key('a'));
  await Promise.all(['m1', 'm2'].map((name) => disappears(plane.member(name).client, CONFIG_MAP, 'a')));
  await disappears(client, RESOURCE_BINDING, 'a-configmap');
  await eventually(
    async () => (await client.list(WORK)).items.every(({ metadata }) => !metadata.name.startsWith('a-')),
    'no Works',
  );
});

it('a policy that comes after its template claims it all the same', async (t) => {
  const plane = await testPlane(t, ['m1']);
  await plane.client.create(CONFIG_MAP, configMap('early'));
  await plane.client.create(PROPAGATION_POLICY, policy('late'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'early');
});

it('a deleted policy lets go of its templates, and everything stays where it is', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const { client } = plane;
  await client.create(PROPAGATION_POLICY, policy('p'));
  await client.create(CONFIG_MAP, configMap('a'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
  await client.delete(PROPAGATION_POLICY, key('p'));
  await disappears(client, PROPAGATION_POLICY, 'p');
  const template = await client.get(CONFIG_MAP, key('a'));
  const binding = await client.get(RESOURCE_BINDING, key('a-configmap'));
  assert.deepEqual(
    [template, binding].map(({ metadata }) => metadata.labels?.[claim]),
    [undefined, undefined],
  );
  assert.ok(await find(plane.member('m1').client, CONFIG_MAP, key('a')));
});

it('a template that its policy no longer means goes to the next one', async (t) => {
  const plane = await testPlane(t);
  const { client } = plane;
  const toFirst = { placement: { clusterAffinity: { clusterNames: ['m1'] } } };
  const created = await client.create<PropagationPolicy>(
    PROPAGATION_POLICY,
    policy('strong', { ...toFirst, priority: 5 }),
  );
  const toSecond = { placement: { clusterAffinity: { clusterNames: ['m2'] } } };
  await client.create(PROPAGATION_POLICY, policy('weak', toSecond));
  await client.create(CONFIG_MAP, configMap('a'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
  const resourceSelectors = [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'other' }];
  await client.update(PROPAGATION_POLICY, { ...created, spec: { ...created.spec, resourceSelectors } });
  await appears(plane.member('m2').client, CONFIG_MAP, 'a');
  await disappears(plane.member('m1').client, CONFIG_MAP, 'a');
});

it('a changed placement moves what is placed', async (t) => {
  const plane = await testPlane(t);
  const { client } = plane;
  const created = await client.create<PropagationPolicy>(
    PROPAGATION_POLICY,
    policy('p', { placement: { clusterAffinity: { clusterNames: ['m1'] } } }),
  );
  await client.create(CONFIG_MAP, configMap('a'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
  const placement = { clusterAffinity: { clusterNames: ['m2'] } };
  await client.update(PROPAGATION_POLICY, { ...created, spec: { ...created.spec, placement } });
  await appears(plane.member('m2').client, CONFIG_MAP, 'a');
  await disappears(plane.member('m1').client, CONFIG_MAP, 'a');
});

it('a lazy policy takes effect with the next change of the template', async (t) => {
  const plane = await testPlane(t);
  const { client } = plane;
  const first = { clusterAffinity: { clusterNames: ['m1'] } };
  const created = await client.create<PropagationPolicy>(
    PROPAGATION_POLICY,
    policy('p', { placement: first, activationPreference: 'Lazy' }),
  );
  await client.create(CONFIG_MAP, configMap('a'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
  const placement = { clusterAffinity: { clusterNames: ['m1', 'm2'] } };
  await client.update(PROPAGATION_POLICY, { ...created, spec: { ...created.spec, placement } });
  // Another template is through when this one would have been.
  await client.create(CONFIG_MAP, configMap('b'));
  await appears(plane.member('m2').client, CONFIG_MAP, 'b');
  assert.equal(await find(plane.member('m2').client, CONFIG_MAP, key('a')), undefined);
  const template = await client.get(CONFIG_MAP, key('a'));
  await client.update(CONFIG_MAP, { ...template, data: { key: 'new' } });
  await appears(plane.member('m2').client, CONFIG_MAP, 'a');
});

it('a cluster policy binds namespaced templates by ResourceBindings, others by ClusterResourceBindings', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const { client } = plane;
  await client.create(CLUSTER_PROPAGATION_POLICY, {
    apiVersion: CLUSTER_PROPAGATION_POLICY.apiVersion,
    kind: 'ClusterPropagationPolicy',
    metadata: { name: 'c' },
    spec: {
      resourceSelectors: [
        { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a' },
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'viewer' },
      ],
      placement: {},
    },
  });
  await client.create(CONFIG_MAP, configMap('a'));
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'viewer' },
    rules: [],
  };
  await client.create(CLUSTER_ROLE, role);
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
  await appears(plane.member('m1').client, CLUSTER_ROLE, { name: 'viewer' });
  const binding = await client.get(RESOURCE_BINDING, key('a-configmap'));
  assert.equal(binding.metadata.annotations?.['clusterpropagationpolicy.karmada.io/name'], 'c');
  const clusterBinding = await client.get(CLUSTER_RESOURCE_BINDING, { name: 'viewer-clusterrole' });
  assert.deepEqual(clusterBinding.metadata.finalizers, ['karmada.io/cluster-resource-binding-controller']);
});

it('objects of a kind that is defined later are propagated too', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const { client } = plane;
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
  await plane.member('m1').client.create(CRD, crd);
  await client.create(CRD, crd);
  const WIDGET: Gvr = { group: 'example.com', version: 'v1', resource: 'widgets' };
  const resourceSelectors = [{ apiVersion: 'example.com/v1', kind: 'Widget' }];
  await client.create(PROPAGATION_POLICY, policy('p', { resourceSelectors, placement: {} }));
  await eventually(
    () =>
      client.create(WIDGET, {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name: 'w', namespace: 'default' },
        size: 3,
      }),
    'the kind to be served',
  );
  // The member says which kinds it has with its next report; the binding waits for that.
  await appears<ResourceBinding>(
    client,
    RESOURCE_BINDING,
    'w-widget',
    ({ status }) => status?.conditions !== undefined,
  );
});

it('an override policy changes what is in its clusters, and gives it back when it goes', async (t) => {
  const plane = await testPlane(t);
  const { client } = plane;
  await client.create(PROPAGATION_POLICY, policy('p'));
  await client.create(CONFIG_MAP, configMap('a'));
  await Promise.all(['m1', 'm2'].map((name) => appears(plane.member(name).client, CONFIG_MAP, 'a')));
  await client.create(OVERRIDE_POLICY, {
    apiVersion: OVERRIDE_POLICY.apiVersion,
    kind: 'OverridePolicy',
    metadata: { name: 'o', namespace: 'default' },
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }],
      overrideRules: [
        {
          targetCluster: { clusterNames: ['m2'] },
          overriders: { plaintext: [{ path: '/data/key', operator: 'replace', value: 'other' }] },
        },
      ],
    },
  });
  await appears<ConfigMap>(plane.member('m2').client, CONFIG_MAP, 'a', ({ data }) => data?.['key'] === 'other');
  const first = await plane.member('m1').client.get<ConfigMap>(CONFIG_MAP, key('a'));
  assert.equal(first.data?.['key'], 'value');
  await client.delete(OVERRIDE_POLICY, key('o'));
  await appears<ConfigMap>(plane.member('m2').client, CONFIG_MAP, 'a', ({ data }) => data?.['key'] === 'value');
});

it('replicas follow the template', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const { client } = plane;
  await client.create(PROPAGATION_POLICY, policy('p'));
  await client.create(DEPLOYMENT, deployment('web', 2));
  const spec = (object: KubeObject) => object['spec'] as { readonly replicas: number };
  await appears(plane.member('m1').client, DEPLOYMENT, 'web', (object) => spec(object).replicas === 2);
  const template = await client.get(DEPLOYMENT, key('web'));
  await client.update(DEPLOYMENT, { ...template, spec: { ...spec(template), replicas: 5 } });
  await appears(plane.member('m1').client, DEPLOYMENT, 'web', (object) => spec(object).replicas === 5);
});

it('suspended dispatching holds Works back until it is lifted', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const { client } = plane;
  const created = await client.create<PropagationPolicy>(
    PROPAGATION_POLICY,
    policy('p', { suspension: { dispatching: true } }),
  );
  await client.create(CONFIG_MAP, configMap('a'));
  const work = await eventually(async () => {
    const { items } = await client.list<Work>(WORK, { namespace: 'karmada-es-m1' });
    return items.find(({ metadata, status }) => metadata.name.startsWith('a-') && status?.conditions?.length);
  }, 'the Work');
  assert.deepEqual(
    work.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
    [['Dispatching', 'False', 'SuspendDispatching']],
  );
  assert.equal(await find(plane.member('m1').client, CONFIG_MAP, key('a')), undefined);
  const { suspension: _lifted, ...spec } = created.spec;
  await client.update(PROPAGATION_POLICY, { ...created, spec });
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
});

it('what is to be preserved stays in the member without a trace of us', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const { client } = plane;
  await client.create(PROPAGATION_POLICY, policy('p', { preserveResourcesOnDeletion: true }));
  await client.create(CONFIG_MAP, configMap('a', { labels: { mine: 'yes' } }));
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
  await client.delete(CONFIG_MAP, key('a'));
  const left = await appears(
    plane.member('m1').client,
    CONFIG_MAP,
    'a',
    ({ metadata }) => !metadata.labels?.['karmada.io/managed'],
  );
  assert.deepEqual(left.metadata.labels, { mine: 'yes' });
});
