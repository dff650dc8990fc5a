/** What the engine does about members: their own changes, their failures, their coming and going. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
import type { Condition, KubeObject } from '#kube/meta/object.ts';
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
  sharedPlane,
  startMember,
  testPlane,
  testSpace,
} from './testing.ts';

const key = (name: string) => ({ namespace: 'default', name });
const EVENT = { group: '', version: 'v1', resource: 'events' };
const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const IMPATIENT = { engine: { clusterStatus: { everyMs: 20, thresholds: { successMs: 0, failureMs: 0 } } } };

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const isReady = ({ status }: Cluster) => readyOf(status?.conditions)?.status === 'True';
const readyOf = (conditions: readonly Condition[] = []) => conditions.find(({ type }) => type === 'Ready');

const shared = sharedPlane(['m1']);

describe('in a member', { concurrency: true }, () => {
  it('an object that somebody changed or deleted is put right', async () => {
    const plane = await shared();
    const space = await testSpace(plane);
    const there = plane.member('m1').client;
    await space.client.create(PROPAGATION_POLICY, space.policy('p'));
    await space.client.create(CONFIG_MAP, space.configMap('drifting'));
    const made = await space.appears<ConfigMap>(CONFIG_MAP, 'drifting', 'm1');
    await there.update(CONFIG_MAP, { ...made, data: { key: 'tampered' } });
    await space.appears<ConfigMap>(CONFIG_MAP, 'drifting', 'm1', ({ data }) => data?.['key'] === 'value');
    await there.delete(CONFIG_MAP, space.key('drifting'));
    const isAnother = ({ metadata }: KubeObject) => metadata.uid !== made.metadata.uid;
    const again = await space.appears<ConfigMap>(CONFIG_MAP, 'drifting', 'm1', isAnother);
    assert.deepEqual(again.data, { key: 'value' });
    await eventually(async () => {
      const { items } = await space.client.list<Work>(WORK, { namespace: 'karmada-es-m1' });
      const conditions = items.find(({ metadata }) => metadata.name.startsWith('drifting-'))?.status?.conditions;
      return conditions?.some(({ reason }) => reason === 'ReCreateSuccessful');
    }, 'the Work to say that it was made anew');
  });

  it('what the member adds to an object stays, what the template drops goes', async () => {
    const plane = await shared();
    const space = await testSpace(plane);
    const there = plane.member('m1').client;
    await space.client.create(PROPAGATION_POLICY, space.policy('p'));
    await space.client.create(CONFIG_MAP, space.configMap('a', { labels: { ours: 'yes' } }));
    const made = await space.appears(CONFIG_MAP, 'a', 'm1');
    const added = { ...made.metadata.labels, theirs: 'yes' };
    await there.update(CONFIG_MAP, { ...made, metadata: { ...made.metadata, labels: added } });
    const template = await space.client.get(CONFIG_MAP, space.key('a'));
    const { ours: _dropped, ...labels } = template.metadata.labels ?? {};
    await space.client.update(CONFIG_MAP, { ...template, metadata: { ...template.metadata, labels } });
    const next = await space.appears(CONFIG_MAP, 'a', 'm1', ({ metadata }) => !metadata.labels?.['ours']);
    assert.equal(next.metadata.labels?.['theirs'], 'yes');
  });

  it('an object that was there before is left alone, unless it may be overwritten', async () => {
    const plane = await shared();
    const space = await testSpace(plane);
    const there = plane.member('m1').client;
    await appears(there, NAMESPACE, { name: space.namespace });
    for (const name of ['a', 'b'])
      await there.create(CONFIG_MAP, { ...space.configMap(name), data: { key: 'theirs' } });
    await space.client.create(PROPAGATION_POLICY, space.policy('p'));
    await space.client.create(CONFIG_MAP, space.configMap('a'));
    const annotations = { 'work.karmada.io/conflict-resolution': 'overwrite' };
    await space.client.create(CONFIG_MAP, space.configMap('b', { annotations }));
    await space.appears<ConfigMap>(CONFIG_MAP, 'b', 'm1', ({ data }) => data?.['key'] === 'value');
    const message = ({ status }: ResourceBinding) => status?.aggregatedStatus?.[0]?.appliedMessage;
    const failed = (binding: ResourceBinding) => message(binding) !== undefined;
    const binding = await space.appears<ResourceBinding>(RESOURCE_BINDING, 'a-configmap', undefined, failed);
    assert.equal(
      message(binding),
      `Failed to apply all manifests (0/1): resource(kind=ConfigMap, ${space.namespace}/a) already exists in the cluster m1 and the work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource`,
    );
    const untouched = await space.appears<ConfigMap>(CONFIG_MAP, 'a', 'm1');
    assert.deepEqual(untouched.data, { key: 'theirs' });
  });

  it('there is every namespace, but for those of the system and those that say no', async () => {
    const plane = await shared();
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

  it('those may be impersonated who may use its proxy', async () => {
    const plane = await shared();
    const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'proxies' } };
    const rules = [{ verbs: ['*'], apiGroups: ['cluster.karmada.io'], resources: ['clusters/proxy'] }];
    await plane.client.create({ ...RBAC, resource: 'clusterroles' }, { ...kind, kind: 'ClusterRole', rules });
    const roleBinding = {
      ...kind,
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: RBAC.group, kind: 'ClusterRole', name: 'proxies' },
      subjects: [{ apiGroup: RBAC.group, kind: 'User', name: 'alice' }],
    };
    await plane.client.create({ ...RBAC, resource: 'clusterrolebindings' }, roleBinding);
    await appears<KubeObject & { rules?: readonly { resourceNames?: readonly string[] }[] }>(
      plane.member('m1').client,
      { ...RBAC, resource: 'clusterroles' },
      { name: 'karmada-impersonator' },
      (role) => (role.rules ?? []).some((rule) => rule.resourceNames?.includes('alice')),
    );
  });
});

describe('R81: a member', { concurrency: true }, () => {
  it('that does not answer delays nobody else', async (t) => {
    const plane = await testPlane(t);
    // Ready by its last report, and gone a moment later.
    await plane.member('m2').server.close();
    await plane.client.create(PROPAGATION_POLICY, policy('p'));
    const names = Array.from({ length: 40 }, (_, n) => `a-${n}`);
    for (const name of names) await plane.client.create(CONFIG_MAP, configMap(name));
    await Promise.all(names.map((name) => appears(plane.member('m1').client, CONFIG_MAP, name)));
    await appears<ResourceBinding>(plane.client, RESOURCE_BINDING, 'a-0-configmap', ({ status }) =>
      (status?.aggregatedStatus ?? []).some(({ clusterName, applied }) => clusterName === 'm1' && applied === true),
    );
  });

  it('that cannot be reached is not ready, tainted, and gets nothing new', async (t) => {
    const plane = await testPlane(t, ['m1'], IMPATIENT);
    await plane.member('m1').server.close();
    const isTainted = ({ spec }: Cluster) =>
      spec.taints?.some((taint) => taint.key === 'cluster.karmada.io/not-ready') ?? false;
    const cluster = await appears<Cluster>(plane.client, CLUSTER, { name: 'm1' }, isTainted);
    assert.equal(readyOf(cluster.status?.conditions)?.reason, 'ClusterNotReachable');
    await plane.client.create(PROPAGATION_POLICY, policy('p'));
    await plane.client.create(CONFIG_MAP, configMap('a'));
    const isDecided = ({ status }: ResourceBinding) => status?.conditions !== undefined;
    const binding = await appears<ResourceBinding>(plane.client, RESOURCE_BINDING, 'a-configmap', isDecided);
    const scheduled = binding.status?.conditions?.find(({ type }) => type === 'Scheduled');
    assert.deepEqual([scheduled?.status, scheduled?.reason], ['False', 'NoClusterFit']);
    assert.match(scheduled?.message ?? '', /^0\/1 clusters are available: 1 cluster\(s\) had untolerated taint/);
  });

  it('that joins later gets what is meant for all clusters', async (t) => {
    const plane = await testPlane(t, ['m1']);
    await plane.client.create(PROPAGATION_POLICY, policy('p', { placement: {} }));
    await plane.client.create(CONFIG_MAP, configMap('a'));
    await appears(plane.member('m1').client, CONFIG_MAP, 'a');
    const { client } = await plane.join('m3');
    await appears(client, CONFIG_MAP, 'a');
  });

  it('joins with an account of its own, and leaves with everything it was given', async (t) => {
    const plane = await testPlane(t, []);
    const member = await startMember(t);
    const access = { server: member.url, token: 'engine', insecureSkipTlsVerify: true };
    const options = { control: plane.client, member: access, name: 'm1', region: 'r1' };
    const cluster = await join(options);
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

  it('that is dead is let go, with a list of what is left in it', async (t) => {
    const plane = await testPlane(t, ['m1'], IMPATIENT);
    await plane.client.create(PROPAGATION_POLICY, policy('p'));
    await plane.client.create(CONFIG_MAP, configMap('a'));
    const applied = ({ status }: ResourceBinding) => status?.aggregatedStatus?.[0]?.applied === true;
    await appears<ResourceBinding>(plane.client, RESOURCE_BINDING, 'a-configmap', applied);
    await plane.member('m1').server.close();
    await unjoin({ control: plane.client, name: 'm1' });
    const report = await plane.client.get<ConfigMap>(CONFIG_MAP, {
      namespace: 'karmada-cluster',
      name: 'unjoin-report-m1',
    });
    assert.match(report.data?.['objects'] ?? '', /^v1 ConfigMap default\/a$/m);
    assert.match(report.data?.['because'] ?? '', /^the member is not ready/);
    const { items } = await plane.client.list<KubeObject & { reason?: string; message?: string }>(EVENT);
    const event = items.find(({ reason }) => reason === 'ObjectsLeftBehind');
    assert.match(event?.message ?? '', /object\(s\) are left in the member, listed in ConfigMap karmada-cluster\//);
  });

  it('that refuses to give up its objects is let go by force', async (t) => {
    const plane = await testPlane(t, ['m1']);
    await plane.client.create(PROPAGATION_POLICY, policy('p'));
    await plane.client.create(CONFIG_MAP, configMap('a'));
    const applied = ({ status }: ResourceBinding) => status?.aggregatedStatus?.[0]?.applied === true;
    await appears<ResourceBinding>(plane.client, RESOURCE_BINDING, 'a-configmap', applied);
    // Ready by its last report, and gone a moment later.
    await plane.member('m1').server.close();
    await plane.client.delete(CLUSTER, { name: 'm1' });
    const body = { metadata: { annotations: { 'cluster.kairship.io/force-unjoin': 'true' } } };
    await plane.client.patch(CLUSTER, { name: 'm1' }, { type: 'merge', body });
    await disappears(plane.client, CLUSTER, { name: 'm1' });
    const { data } = await plane.client.get<ConfigMap>(CONFIG_MAP, {
      namespace: 'karmada-cluster',
      name: 'unjoin-report-m1',
    });
    assert.equal(data?.['because'], 'forced by annotation');
  });

  it('that has moved is found at its new address, and gets what it missed', async (t) => {
    const plane = await testPlane(t, [], IMPATIENT);
    await register(plane.client, 'm2', 'http://127.0.0.1:9');
    await appears<Cluster>(
      plane.client,
      CLUSTER,
      { name: 'm2' },
      ({ status }) => readyOf(status?.conditions)?.status === 'False',
    );
    const placement = { clusterTolerations: [{ operator: 'Exists' }], clusterAffinity: { clusterNames: ['m2'] } };
    await plane.client.create(PROPAGATION_POLICY, policy('tolerant', { placement }));
    await plane.client.create(CONFIG_MAP, configMap('a'));
    const member = await startMember(t);
    await eventually(async () => {
      const current = await plane.client.get<Cluster>(CLUSTER, { name: 'm2' });
      return plane.client.update(CLUSTER, { ...current, spec: { ...current.spec, apiEndpoint: member.url } });
    }, 'm2 to have its new address');
    await appears<Cluster>(plane.client, CLUSTER, { name: 'm2' }, isReady);
    await appears(member.client, CONFIG_MAP, 'a');
  });

  it('that was restarted is followed again, and what changed meanwhile is noticed', async (t) => {
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
});
