/** What the engine does about members: their own changes, their failures, their coming and going. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type Cluster,
  CLUSTER,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
  type ResourceBinding,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import { join, unjoin } from '#karmada/cluster/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';
import {
  appears,
  CONFIG_MAP,
  configMap,
  disappears,
  eventually,
  find,
  NAMESPACE,
  policy,
  register,
  startMember,
  testPlane,
} from './testing.ts';

const key = (name: string) => ({ namespace: 'default', name });

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

it('an object that somebody changed or deleted in a member is put right', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const there = plane.member('m1').client;
  await plane.client.create(PROPAGATION_POLICY, policy('p'));
  await plane.client.create(CONFIG_MAP, configMap('a'));
  const made = await appears<ConfigMap>(there, CONFIG_MAP, 'a');
  await there.update(CONFIG_MAP, { ...made, data: { key: 'tampered' } });
  await appears<ConfigMap>(there, CONFIG_MAP, 'a', ({ data }) => data?.['key'] === 'value');
  await there.delete(CONFIG_MAP, key('a'));
  const again = await appears<ConfigMap>(there, CONFIG_MAP, 'a', ({ metadata }) => metadata.uid !== made.metadata.uid);
  assert.deepEqual(again.data, { key: 'value' });
  await eventually(async () => {
    const { items } = await plane.client.list<Work>(WORK, { namespace: 'karmada-es-m1' });
    const conditions = items.find(({ metadata }) => metadata.name.startsWith('a-'))?.status?.conditions;
    return conditions?.some(({ reason }) => reason === 'ReCreateSuccessful');
  }, 'the Work to say that it was made anew');
});

it('what a member adds to an object stays, what the template drops goes', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const there = plane.member('m1').client;
  await plane.client.create(PROPAGATION_POLICY, policy('p'));
  await plane.client.create(CONFIG_MAP, configMap('a', { labels: { ours: 'yes' } }));
  const made = await appears(there, CONFIG_MAP, 'a');
  await there.update(CONFIG_MAP, {
    ...made,
    metadata: { ...made.metadata, labels: { ...made.metadata.labels, theirs: 'yes' } },
  });
  const template = await plane.client.get(CONFIG_MAP, key('a'));
  const { ours: _dropped, ...labels } = template.metadata.labels ?? {};
  await plane.client.update(CONFIG_MAP, { ...template, metadata: { ...template.metadata, labels } });
  const next = await appears(there, CONFIG_MAP, 'a', ({ metadata }) => metadata.labels?.['ours'] === undefined);
  assert.equal(next.metadata.labels?.['theirs'], 'yes');
});

it('an object that was there before is left alone, unless it may be overwritten', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const there = plane.member('m1').client;
  for (const name of ['a', 'b']) await there.create(CONFIG_MAP, { ...configMap(name), data: { key: 'theirs' } });
  await plane.client.create(PROPAGATION_POLICY, policy('p'));
  await plane.client.create(CONFIG_MAP, configMap('a'));
  const overwrite = { annotations: { 'work.karmada.io/conflict-resolution': 'overwrite' } };
  await plane.client.create(CONFIG_MAP, configMap('b', overwrite));
  await appears<ConfigMap>(there, CONFIG_MAP, 'b', ({ data }) => data?.['key'] === 'value');
  const binding = await appears<ResourceBinding>(
    plane.client,
    RESOURCE_BINDING,
    'a-configmap',
    ({ status }) => status?.aggregatedStatus?.[0]?.appliedMessage !== undefined,
  );
  assert.equal(
    binding.status?.aggregatedStatus?.[0]?.appliedMessage,
    'Failed to apply all manifests (0/1): resource(kind=ConfigMap, default/a) already exists in the cluster m1 and the work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource',
  );
  const untouched = await there.get<ConfigMap>(CONFIG_MAP, key('a'));
  assert.deepEqual(untouched.data, { key: 'theirs' });
});

it('a member that does not answer delays nobody else', async (t) => {
  const plane = await testPlane(t);
  // Ready by its last report, and gone a moment later.
  await plane.member('m2').server.close();
  await plane.client.create(PROPAGATION_POLICY, policy('p'));
  for (let n = 0; n < 40; n++) await plane.client.create(CONFIG_MAP, configMap(`a-${n}`));
  await Promise.all(Array.from({ length: 40 }, (_, n) => appears(plane.member('m1').client, CONFIG_MAP, `a-${n}`)));
  await appears<ResourceBinding>(plane.client, RESOURCE_BINDING, 'a-0-configmap', ({ status }) =>
    (status?.aggregatedStatus ?? []).some(({ clusterName, applied }) => clusterName === 'm1' && applied === true),
  );
});

it('a cluster that cannot be reached is not ready, tainted, and gets nothing new', async (t) => {
  const plane = await testPlane(t, ['m1'], {
    engine: { clusterStatus: { everyMs: 20, thresholds: { successMs: 0, failureMs: 0 } } },
  });
  await plane.member('m1').server.close();
  const cluster = await appears<Cluster>(
    plane.client,
    CLUSTER,
    { name: 'm1' },
    ({ spec }) => spec.taints?.some((taint) => taint.key === 'cluster.karmada.io/not-ready') ?? false,
  );
  assert.equal(cluster.status?.conditions?.find(({ type }) => type === 'Ready')?.reason, 'ClusterNotReachable');
  await plane.client.create(PROPAGATION_POLICY, policy('p'));
  await plane.client.create(CONFIG_MAP, configMap('a'));
  const binding = await appears<ResourceBinding>(
    plane.client,
    RESOURCE_BINDING,
    'a-configmap',
    ({ status }) => status?.conditions !== undefined,
  );
  const scheduled = binding.status?.conditions?.find(({ type }) => type === 'Scheduled');
  assert.deepEqual([scheduled?.status, scheduled?.reason], ['False', 'NoClusterFit']);
  assert.match(scheduled?.message ?? '', /^0\/1 clusters are available: 1 cluster\(s\) had untolerated taint/);
});

it('a cluster that joins later gets what is meant for all clusters', async (t) => {
  const plane = await testPlane(t, ['m1']);
  await plane.client.create(PROPAGATION_POLICY, policy('p', { placement: {} }));
  await plane.client.create(CONFIG_MAP, configMap('a'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
  const { client } = await plane.join('m3');
  await appears(client, CONFIG_MAP, 'a');
});

it('namespaces are brought to every cluster, but for those of the system and those that say no', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const there = plane.member('m1').client;
  const namespace = (name: string, labels = {}) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
  await plane.client.create(NAMESPACE, namespace('kube-quiet'));
  await plane.client.create(NAMESPACE, namespace('shy', { 'namespace.karmada.io/skip-auto-propagation': 'true' }));
  await plane.client.create(NAMESPACE, namespace('shop'));
  await appears(there, NAMESPACE, { name: 'shop' });
  assert.equal(await find(there, NAMESPACE, { name: 'shy' }), undefined);
  assert.equal(await find(there, NAMESPACE, { name: 'kube-quiet' }), undefined);
  await plane.client.delete(NAMESPACE, { name: 'shop' });
  await disappears(there, NAMESPACE, { name: 'shop' });
});

it('a member joins with an account of its own, and leaves with everything it was given', async (t) => {
  const plane = await testPlane(t, []);
  const member = await startMember(t);
  const options = { control: plane.client, member: { server: member.url, token: 'engine' }, name: 'm1', region: 'r1' };
  const cluster = await join({ ...options, member: { ...options.member, insecureSkipTlsVerify: true } });
  assert.deepEqual(cluster.spec.secretRef, { namespace: 'karmada-cluster', name: 'm1' });
  await assert.rejects(join({ ...options, name: 'again' }), /has been registered/);
  await plane.client.create(PROPAGATION_POLICY, policy('p'));
  await plane.client.create(CONFIG_MAP, configMap('a'));
  await appears(member.client, CONFIG_MAP, 'a');
  await unjoin({ control: plane.client, name: 'm1' });
  await disappears(member.client, CONFIG_MAP, 'a');
  assert.equal(await find(plane.client, NAMESPACE, { name: 'karmada-es-m1' }), undefined);
  const binding = await plane.client.get<ResourceBinding>(RESOURCE_BINDING, key('a-configmap'));
  assert.equal(binding.spec.clusters, undefined);
});

it('a member that comes back gets what it missed', async (t) => {
  const plane = await testPlane(t, ['m1'], {
    engine: { clusterStatus: { everyMs: 20, thresholds: { successMs: 0, failureMs: 0 } } },
  });
  await plane.client.create(PROPAGATION_POLICY, policy('p'));
  await register(plane.client, 'm2', 'http://127.0.0.1:9');
  const works = () => plane.client.list<Work>(WORK, { namespace: 'karmada-es-m2' });
  await appears<Cluster>(
    plane.client,
    CLUSTER,
    { name: 'm2' },
    ({ status }) => status?.conditions?.[0]?.status === 'False',
  );
  const placement = { clusterTolerations: [{ operator: 'Exists' }], clusterAffinity: { clusterNames: ['m2'] } };
  await plane.client.create(PROPAGATION_POLICY, policy('tolerant', { placement, priority: 1 }));
  const cluster = await plane.client.get<Cluster>(CLUSTER, { name: 'm2' });
  const member = await startMember(t);
  await plane.client.create(CONFIG_MAP, configMap('a'));
  await eventually(async () => {
    const current = await plane.client.get<Cluster>(CLUSTER, { name: 'm2' });
    return plane.client.update(CLUSTER, { ...current, spec: { ...current.spec, apiEndpoint: member.url } });
  }, `${cluster.metadata.name} to have its new address`);
  await appears<Cluster>(plane.client, CLUSTER, { name: 'm2' }, ({ status }) =>
    (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  );
  // Scheduled again once its kinds are known.
  await eventually(async () => (await works()).items.length > 0, 'a Work for m2');
  await appears(member.client, CONFIG_MAP, 'a');
});

it('a member lets those be impersonated who may use its proxy', async (t) => {
  const plane = await testPlane(t, ['m1']);
  const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
  const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'proxies' } };
  const rules = [{ verbs: ['*'], apiGroups: ['cluster.karmada.io'], resources: ['clusters/proxy'] }];
  await plane.client.create({ ...RBAC, resource: 'clusterroles' }, { ...kind, kind: 'ClusterRole', rules });
  await plane.client.create(
    { ...RBAC, resource: 'clusterrolebindings' },
    {
      ...kind,
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: RBAC.group, kind: 'ClusterRole', name: 'proxies' },
      subjects: [{ apiGroup: RBAC.group, kind: 'User', name: 'alice' }],
    },
  );
  await appears<KubeObject & { rules?: readonly { resourceNames?: readonly string[] }[] }>(
    plane.member('m1').client,
    { ...RBAC, resource: 'clusterroles' },
    { name: 'karmada-impersonator' },
    (role) => (role.rules ?? []).some((rule) => rule.resourceNames?.includes('alice')),
  );
});

it('a member that was restarted is followed again, and what changed meanwhile is noticed', async (t) => {
  const plane = await testPlane(t, []);
  const store = memoryStore();
  const before = await startMember(t, store);
  await register(plane.client, 'm1', before.url);
  await plane.client.create(PROPAGATION_POLICY, policy('p', { placement: {} }));
  await plane.client.create(CONFIG_MAP, configMap('a'));
  await plane.client.create(CONFIG_MAP, configMap('b'));
  await Promise.all(['a', 'b'].map((name) => appears(before.client, CONFIG_MAP, name)));
  await before.server.close();
  // While nobody looks.
  const quiet = await startMember(t, store);
  const tampered = await quiet.client.get(CONFIG_MAP, key('a'));
  await quiet.client.update(CONFIG_MAP, { ...tampered, data: { key: 'tampered' } });
  await quiet.client.delete(CONFIG_MAP, key('b'));
  await quiet.server.close();
  const again = await startMember(t, store, Number(new URL(before.url).port));
  await appears<ConfigMap>(again.client, CONFIG_MAP, 'a', ({ data }) => data?.['key'] === 'value');
  await appears(again.client, CONFIG_MAP, 'b');
});
