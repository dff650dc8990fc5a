/** What becomes of templates and their copies when policies and templates change. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
import { appears, CONFIG_MAP, DEPLOYMENT, eventually, sharedPlane, testSpace } from './testing.ts';

const CLUSTER_ROLE: Gvr = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
const CRD: Gvr = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const claim = 'propagationpolicy.karmada.io/permanent-id';
const to = (...clusterNames: string[]) => ({ placement: { clusterAffinity: { clusterNames } } });

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const shared = sharedPlane();

describe('propagation', { concurrency: true }, () => {
  it('a template takes its copies along when it is deleted', async () => {
    const space = await testSpace(await shared());
    const { client, key } = space;
    await client.create(PROPAGATION_POLICY, space.policy('p'));
    await client.create(CONFIG_MAP, space.configMap('a'));
    await Promise.all(['m1', 'm2'].map((name) => space.appears(CONFIG_MAP, 'a', name)));
    await client.delete(CONFIG_MAP, key('a'));
    await Promise.all(['m1', 'm2'].map((name) => space.disappears(CONFIG_MAP, 'a', name)));
    await space.disappears(RESOURCE_BINDING, 'a-configmap');
    const annotation = 'resourcebinding.karmada.io/namespace';
    await eventually(async () => {
      const { items } = await client.list(WORK);
      return items.every(({ metadata }) => metadata.annotations?.[annotation] !== space.namespace);
    }, 'its Works to be gone');
  });

  it('a policy that comes after its template claims it all the same', async () => {
    const space = await testSpace(await shared());
    await space.client.create(CONFIG_MAP, space.configMap('early'));
    await space.client.create(PROPAGATION_POLICY, space.policy('late'));
    await space.appears(CONFIG_MAP, 'early', 'm1');
  });

  it('a deleted policy lets go of its templates, and everything stays where it is', async () => {
    const space = await testSpace(await shared());
    const { client, key } = space;
    await client.create(PROPAGATION_POLICY, space.policy('p'));
    await client.create(CONFIG_MAP, space.configMap('a'));
    await space.appears(CONFIG_MAP, 'a', 'm1');
    await client.delete(PROPAGATION_POLICY, key('p'));
    await space.disappears(PROPAGATION_POLICY, 'p');
    const template = await client.get(CONFIG_MAP, key('a'));
    const binding = await client.get(RESOURCE_BINDING, key('a-configmap'));
    assert.deepEqual(
      [template, binding].map(({ metadata }) => metadata.labels?.[claim]),
      [undefined, undefined],
    );
    assert.ok(await space.find(CONFIG_MAP, 'a', 'm1'));
  });

  it('a template that its policy no longer means goes to the next one', async () => {
    const space = await testSpace(await shared());
    const { client } = space;
    const strong = space.policy('strong', { ...to('m1'), priority: 5 });
    const created = await client.create<PropagationPolicy>(PROPAGATION_POLICY, strong);
    await client.create(PROPAGATION_POLICY, space.policy('weak', to('m2')));
    await client.create(CONFIG_MAP, space.configMap('a'));
    await space.appears(CONFIG_MAP, 'a', 'm1');
    const resourceSelectors = [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: space.namespace, name: 'other' }];
    await client.update(PROPAGATION_POLICY, { ...created, spec: { ...created.spec, resourceSelectors } });
    await space.appears(CONFIG_MAP, 'a', 'm2');
    await space.disappears(CONFIG_MAP, 'a', 'm1');
  });

  it('a changed placement moves what is placed', async () => {
    const space = await testSpace(await shared());
    const { client } = space;
    const created = await client.create<PropagationPolicy>(PROPAGATION_POLICY, space.policy('p', to('m1')));
    await client.create(CONFIG_MAP, space.configMap('a'));
    await space.appears(CONFIG_MAP, 'a', 'm1');
    await client.update(PROPAGATION_POLICY, { ...created, spec: { ...created.spec, ...to('m2') } });
    await space.appears(CONFIG_MAP, 'a', 'm2');
    await space.disappears(CONFIG_MAP, 'a', 'm1');
  });

  it('a lazy policy takes effect with the next change of the template', async () => {
    const space = await testSpace(await shared());
    const { client, key } = space;
    const lazy = space.policy('p', { ...to('m1'), activationPreference: 'Lazy' });
    const created = await client.create<PropagationPolicy>(PROPAGATION_POLICY, lazy);
    await client.create(CONFIG_MAP, space.configMap('a'));
    await space.appears(CONFIG_MAP, 'a', 'm1');
    await client.update(PROPAGATION_POLICY, { ...created, spec: { ...created.spec, ...to('m1', 'm2') } });
    // Another template is through when this one would have been.
    await client.create(CONFIG_MAP, space.configMap('b'));
    await space.appears(CONFIG_MAP, 'b', 'm2');
    assert.equal(await space.find(CONFIG_MAP, 'a', 'm2'), undefined);
    const template = await client.get(CONFIG_MAP, key('a'));
    await client.update(CONFIG_MAP, { ...template, data: { key: 'new' } });
    await space.appears(CONFIG_MAP, 'a', 'm2');
  });

  it('a cluster policy binds namespaced templates by ResourceBindings, others by ClusterResourceBindings', async () => {
    const plane = await shared();
    const space = await testSpace(plane);
    const { client } = space;
    await client.create(CLUSTER_PROPAGATION_POLICY, {
      apiVersion: CLUSTER_PROPAGATION_POLICY.apiVersion,
      kind: 'ClusterPropagationPolicy',
      metadata: { name: 'c' },
      spec: {
        resourceSelectors: [
          { apiVersion: 'v1', kind: 'ConfigMap', namespace: space.namespace, name: 'a' },
          { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'viewer' },
        ],
        placement: {},
      },
    });
    await client.create(CONFIG_MAP, space.configMap('a'));
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'viewer' },
      rules: [],
    };
    await client.create(CLUSTER_ROLE, role);
    await space.appears(CONFIG_MAP, 'a', 'm1');
    await appears(plane.member('m1').client, CLUSTER_ROLE, { name: 'viewer' });
    const binding = await client.get(RESOURCE_BINDING, space.key('a-configmap'));
    assert.equal(binding.metadata.annotations?.['clusterpropagationpolicy.karmada.io/name'], 'c');
    const clusterBinding = await client.get(CLUSTER_RESOURCE_BINDING, { name: 'viewer-clusterrole' });
    assert.deepEqual(clusterBinding.metadata.finalizers, ['karmada.io/cluster-resource-binding-controller']);
  });

  it('objects of a kind that is defined later are bound too', async () => {
    const space = await testSpace(await shared());
    const { client } = space;
    const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await client.create(CRD, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    });
    const resourceSelectors = [{ apiVersion: 'example.com/v1', kind: 'Widget' }];
    await client.create(PROPAGATION_POLICY, space.policy('p', { resourceSelectors, placement: {} }));
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: space.key('w'), size: 3 };
    const WIDGET: Gvr = { group: 'example.com', version: 'v1', resource: 'widgets' };
    await eventually(() => client.create(WIDGET, widget), 'the kind to be served');
    const found = await space.appears<ResourceBinding>(
      RESOURCE_BINDING,
      'w-widget',
      undefined,
      ({ status }) => status?.conditions !== undefined,
    );
    // The members do not have the kind.
    assert.equal(found.status?.conditions?.[0]?.reason, 'NoClusterFit');
  });

  it('an override policy changes what is in its clusters, and gives it back when it goes', async () => {
    const space = await testSpace(await shared());
    const { client, key } = space;
    await client.create(PROPAGATION_POLICY, space.policy('p'));
    await client.create(CONFIG_MAP, space.configMap('a'));
    await Promise.all(['m1', 'm2'].map((name) => space.appears(CONFIG_MAP, 'a', name)));
    const overriders = { plaintext: [{ path: '/data/key', operator: 'replace', value: 'other' }] };
    await client.create(OVERRIDE_POLICY, {
      apiVersion: OVERRIDE_POLICY.apiVersion,
      kind: 'OverridePolicy',
      metadata: key('o'),
      spec: {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }],
        overrideRules: [{ targetCluster: { clusterNames: ['m2'] }, overriders }],
      },
    });
    const has = (value: string) => (object: ConfigMap) => object.data?.['key'] === value;
    await space.appears(CONFIG_MAP, 'a', 'm2', has('other'));
    assert.ok(has('value')(await space.appears(CONFIG_MAP, 'a', 'm1')));
    await client.delete(OVERRIDE_POLICY, key('o'));
    await space.appears(CONFIG_MAP, 'a', 'm2', has('value'));
  });

  it('replicas follow the template', async () => {
    const space = await testSpace(await shared());
    const { client } = space;
    await client.create(PROPAGATION_POLICY, space.policy('p'));
    await client.create(DEPLOYMENT, space.deployment('web', 2));
    const spec = (object: KubeObject) => object['spec'] as { readonly replicas: number };
    await space.appears(DEPLOYMENT, 'web', 'm1', (object) => spec(object).replicas === 2);
    const template = await client.get(DEPLOYMENT, space.key('web'));
    await client.update(DEPLOYMENT, { ...template, spec: { ...spec(template), replicas: 5 } });
    await space.appears(DEPLOYMENT, 'web', 'm1', (object) => spec(object).replicas === 5);
  });

  it('suspended dispatching holds Works back until it is lifted', async () => {
    const space = await testSpace(await shared());
    const { client } = space;
    const held = space.policy('p', { ...to('m1'), suspension: { dispatching: true } });
    const created = await client.create<PropagationPolicy>(PROPAGATION_POLICY, held);
    await client.create(CONFIG_MAP, space.configMap('suspended'));
    const work = await eventually(async () => {
      const { items } = await client.list<Work>(WORK, { namespace: 'karmada-es-m1' });
      return items.find(({ metadata, status }) => metadata.name.startsWith('suspended-') && status?.conditions?.length);
    }, 'the Work');
    assert.deepEqual(
      work.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
      [['Dispatching', 'False', 'SuspendDispatching']],
    );
    assert.equal(await space.find(CONFIG_MAP, 'suspended', 'm1'), undefined);
    const { suspension: _lifted, ...spec } = created.spec;
    await client.update(PROPAGATION_POLICY, { ...created, spec });
    await space.appears(CONFIG_MAP, 'suspended', 'm1');
  });

  it('what is to be preserved stays in the member without a trace of us', async () => {
    const space = await testSpace(await shared());
    const { client, key } = space;
    await client.create(PROPAGATION_POLICY, space.policy('p', { ...to('m1'), preserveResourcesOnDeletion: true }));
    await client.create(CONFIG_MAP, space.configMap('a', { labels: { mine: 'yes' } }));
    await space.appears(CONFIG_MAP, 'a', 'm1');
    await client.delete(CONFIG_MAP, key('a'));
    const free = ({ metadata }: KubeObject) => !metadata.labels?.['karmada.io/managed'];
    const left = await space.appears(CONFIG_MAP, 'a', 'm1', free);
    assert.deepEqual(left.metadata.labels, { mine: 'yes' });
  });

  const volume = { volumes: [{ name: 'config', configMap: { name: 'settings' } }] };
  const deployments = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }];

  it('a ConfigMap that a Deployment mounts goes where the Deployment goes, before and after it moves', async () => {
    const space = await testSpace(await shared());
    const { client, key, namespace } = space;
    const first = space.policy('p', { ...to('m1'), propagateDeps: true, resourceSelectors: deployments });
    const created = await client.create<PropagationPolicy>(PROPAGATION_POLICY, first);
    await client.create(CONFIG_MAP, space.configMap('settings'));
    await client.create(DEPLOYMENT, space.deployment('web', 1, volume));
    await space.appears(CONFIG_MAP, 'settings', 'm1');
    const binding = await client.get<ResourceBinding>(RESOURCE_BINDING, key('web-deployment'));
    assert.equal(
      binding.metadata.annotations?.['resourcebinding.karmada.io/dependencies'],
      `[{"apiVersion":"v1","kind":"ConfigMap","namespace":"${namespace}","name":"settings"}]`,
    );
    const attached = await client.get<ResourceBinding>(RESOURCE_BINDING, key('settings-configmap'));
    assert.deepEqual(attached.spec.requiredBy, [{ ...key('web-deployment'), clusters: [{ name: 'm1', replicas: 1 }] }]);
    assert.equal(attached.spec.placement, undefined);

    await client.update(PROPAGATION_POLICY, { ...created, spec: { ...created.spec, ...to('m2') } });
    await space.appears(CONFIG_MAP, 'settings', 'm2');
    await space.disappears(CONFIG_MAP, 'settings', 'm1');
    await client.delete(DEPLOYMENT, key('web'));
    await space.disappears(CONFIG_MAP, 'settings', 'm2');
  });

  it('a dependency that appears later is taken along', async () => {
    const space = await testSpace(await shared());
    const { client } = space;
    await client.create(PROPAGATION_POLICY, space.policy('p', { propagateDeps: true, resourceSelectors: deployments }));
    await client.create(DEPLOYMENT, space.deployment('web', 1, volume));
    await space.appears(DEPLOYMENT, 'web', 'm1');
    await client.create(CONFIG_MAP, space.configMap('settings'));
    await space.appears(CONFIG_MAP, 'settings', 'm1');
  });
});
