import { create } from '@bufbuild/protobuf';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Cluster,
  ClusterPhase,
  ClusterProvider,
  ClusterSchema,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { TaintEffect } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import { choicesOf, isMeant, locationOf, phaseOf, providerOf, schedulingOf } from './cluster-facts.ts';

const cluster = (name: string, region = '', effects: readonly TaintEffect[] = []): Cluster =>
  create(ClusterSchema, {
    metadata: { name },
    spec: {
      provider: ClusterProvider.AWS_EKS,
      region,
      zone: 'a',
      aliasName: 'The Shop',
      taints: effects.map((effect) => ({ key: 'k', effect })),
    },
    status: { phase: ClusterPhase.RUNNING },
  });

describe('A cluster in a list', () => {
  it('says whether it takes new work, and whether what it has must leave', () => {
    const of = (...effects: readonly TaintEffect[]) => schedulingOf(cluster('a', '', effects));
    assert.equal(of(), 'schedulable');
    assert.equal(of(TaintEffect.PreferNoSchedule), 'schedulable');
    assert.equal(of(TaintEffect.NoSchedule), 'unschedulable');
    assert.equal(of(TaintEffect.NoSchedule, TaintEffect.NoExecute), 'evicting');
  });

  it('says who made it and where it is', () => {
    const one = cluster('a', 'eu');
    assert.deepEqual([providerOf(one), locationOf(one), phaseOf(one)], ['AWS EKS', 'eu / a', 'RUNNING']);
    assert.deepEqual([providerOf({}), locationOf({}), phaseOf({})], ['', '', 'UNKNOWN']);
  });

  it('is found by name or alias, provider, region and phase, all at once', () => {
    const any = { q: '', provider: '', region: '', phase: '' };
    const all = [cluster('paris', 'eu'), cluster('tokyo', 'ap')];
    const found = (asked: Partial<typeof any>) =>
      all.filter(isMeant({ ...any, ...asked })).map(({ metadata }) => metadata?.name);
    assert.deepEqual(found({}), ['paris', 'tokyo']);
    assert.deepEqual(found({ q: ' the SHOP' }), ['paris', 'tokyo']);
    assert.deepEqual(found({ q: 'tok', provider: 'AWS EKS', region: 'ap', phase: 'RUNNING' }), ['tokyo']);
    assert.deepEqual(found({ region: 'eu', phase: 'FAILED' }), []);
    assert.deepEqual(
      choicesOf([...all, cluster('lyon', 'eu'), cluster('x')], ({ spec }) => spec?.region),
      ['ap', 'eu'],
    );
  });
});
