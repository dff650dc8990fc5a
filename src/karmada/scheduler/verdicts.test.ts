import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setCondition } from '#kube/meta/condition.ts';
import type { AnyBinding, BindingStatus } from '#karmada/apis/index.ts';
import { verdicts } from './verdicts.ts';

const binding = (uid: string, status?: BindingStatus): AnyBinding => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: { name: 'web-deployment', namespace: 'default', uid },
  spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' } },
  ...(status ? { status } : {}),
});
const KEY = 'default/web-deployment';
const NOW = { since: 1_000, due: 1_000 };
const observed = (generation: number) => (status?: BindingStatus) => ({
  ...status,
  schedulerObservedGeneration: generation,
});
const scheduled = (status?: BindingStatus): BindingStatus => ({
  ...status,
  conditions: setCondition(status?.conditions, { type: 'Scheduled', status: 'True', reason: 'Success' }, NOW_TEXT),
});
const NOW_TEXT = '2026-01-01T00:00:00Z';

describe('verdicts that are still to be written', () => {
  it('show the binding as it will be, keeping what its status says already', () => {
    const pending = verdicts();
    pending.add(binding('1'), NOW, observed(2));
    const before = { aggregatedStatus: [{ clusterName: 'm1' }] };
    assert.deepEqual(pending.applied(binding('1', before)).status, { ...before, schedulerObservedGeneration: 2 });
  });

  it('say all that was decided since the last write, and are due with the first of it', () => {
    const pending = verdicts();
    pending.add(binding('1'), { since: 0, due: 250 }, scheduled);
    pending.add(binding('1'), { since: 100, due: 350 }, observed(3));
    const verdict = pending.of(binding('1'));
    assert.equal(verdict?.due, 250);
    const status = verdict?.apply(undefined);
    assert.equal(status?.schedulerObservedGeneration, 3);
    assert.equal(status?.conditions?.[0]?.type, 'Scheduled');
  });

  it('are of no concern to another binding of the same name', () => {
    const pending = verdicts();
    pending.add(binding('1'), NOW, observed(2));
    assert.equal(pending.of(binding('2')), undefined);
    assert.equal(pending.applied(binding('2')).status, undefined);
  });

  it('stay when another came while one was written', () => {
    const pending = verdicts();
    pending.add(binding('1'), NOW, observed(2));
    const written = pending.of(binding('1'));
    pending.add(binding('1'), NOW, observed(3));
    pending.settle(KEY, written);
    assert.equal(pending.applied(binding('1')).status?.schedulerObservedGeneration, 3);
    pending.settle(KEY, pending.of(binding('1')));
    assert.equal(pending.of(binding('1')), undefined);
  });

  it('are told to whoever follows, those from before too', () => {
    const pending = verdicts();
    pending.add(binding('1'), NOW, observed(2));
    const told: string[] = [];
    pending.follow((key) => told.push(key));
    pending.add(binding('1'), NOW, observed(3));
    assert.deepEqual(told, [KEY, KEY]);
  });
});
