import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ArrivingObject_Outcome as Outcome,
  LeavingObject_Fate as Fate,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import type { AnyBinding, Cluster } from '#karmada/apis/index.ts';
import type { Cluster as InventoryCluster } from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { ListRequest, Reads } from '../../read/reads.ts';
import { checkJoin, outcomeOf } from './join-check.ts';
import { leavingWith } from './removal-check.ts';

const configMap = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop', ...more },
});
const bound = (spec: object): AnyBinding => ({ spec }) as AnyBinding;

describe('what becomes of a template in a cluster that joins', () => {
  const taking = bound({ conflictResolution: 'Overwrite' });
  const cases: readonly [because: string, outcome: Outcome, ...Parameters<typeof outcomeOf>][] = [
    ['it is created where nothing of its name is', Outcome.created, undefined, configMap('a'), taking],
    ['what others put there stays, unless told otherwise', Outcome.conflict, configMap('a'), configMap('a'), bound({})],
    ['a policy may say to take it over', Outcome.takenOver, configMap('a'), configMap('a'), taking],
    [
      'the template has the last word',
      Outcome.conflict,
      configMap('a'),
      configMap('a', { annotations: { 'work.karmada.io/conflict-resolution': 'abort' } }),
      taking,
    ],
    [
      'what an instance put there before is written over',
      Outcome.managed,
      configMap('a', { labels: { 'karmada.io/managed': 'true' } }),
      configMap('a'),
      bound({}),
    ],
  ];
  for (const [because, outcome, ...given] of cases) it(because, () => assert.equal(outcomeOf(...given), outcome));
});

describe('checking a join', () => {
  const effect = (name: string, cluster = 'new') => ({
    binding: `shop/${name}-configmap`,
    template: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name },
    policy: { after: 'shop/all' },
    after: [{ name: cluster, replicas: 0 }],
  });
  const own = {
    ...effect('kairship:viewer'),
    template: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'kairship:viewer' },
  };
  const control = {
    create: async () => ({ status: { bindings: [effect('b'), effect('a'), effect('elsewhere', 'old'), own] } }),
  } as unknown as KubeClient;
  const asked: ListRequest[] = [];
  const reads = {
    resourceOf: async () => ({ group: '', resource: 'configmaps' }),
    list: async () => ({ objects: [], total: 0, freshness: { fresh: true, heardAt: 0, why: '' } }),
    all: async (request: ListRequest) => {
      asked.push(request);
      // Another namespace has one of the same name, which is in nobody's way.
      return request.place.cluster === 'new' ? [configMap('b'), configMap('a', { namespace: 'else' })] : [];
    },
  } as unknown as Reads;

  it('tells what would come, with what is in its way first, and asks for each kind once', async () => {
    const cluster = { metadata: { name: 'new' }, spec: {} } as InventoryCluster;
    const { items, fresh } = await checkJoin({ control, reads }, 'demo', cluster);
    assert.deepEqual(
      items.map(({ resource, outcome, policy }) => [resource.name, outcome, policy]),
      [
        ['b', Outcome.conflict, 'shop/all'],
        ['a', Outcome.created, 'shop/all'],
      ],
    );
    assert.equal(fresh, true);
    assert.deepEqual(
      asked.filter(({ place }) => place.cluster === 'new').map(({ names }) => names),
      [['b', 'a']],
    );
  });
});

describe('what leaves with a member', () => {
  const member = (ready: string) =>
    ({ metadata: { name: 'old' }, status: { conditions: [{ type: 'Ready', status: ready }] } }) as unknown as Cluster;
  const of = (name: string, more: object = {}) =>
    bound({
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
      clusters: [{ name: 'old', replicas: 2 }],
      ...more,
    });
  const bindings = [of('web'), of('kept', { preserveResourcesOnDeletion: true }), of('elsewhere', { clusters: [] })];
  const fates = (ready: string) =>
    leavingWith(member(ready), bindings).map(({ resource, fate, replicas }) => [resource.name, fate, replicas]);

  it('is deleted there, unless its policy keeps it', () => {
    assert.deepEqual(fates('True'), [
      ['web', Fate.deleted, 2],
      ['kept', Fate.kept, 2],
    ]);
  });

  it('is left there by a member that does not answer', () => {
    assert.deepEqual(fates('False')[0], ['web', Fate.left, 2]);
  });
});
