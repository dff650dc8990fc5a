import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ManifestStatus, WorkStatus } from '#karmada/apis/index.ts';
import { workStatus } from './work-status.ts';

const statuses: ManifestStatus[] = [
  { identifier: { ordinal: 0, version: 'v1', kind: 'ConfigMap', resource: '', name: 'a' }, health: 'Healthy' },
];
const conditions = ({ conditions: list }: WorkStatus) =>
  (list ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);

describe('the status of a Work', () => {
  const applied = workStatus(undefined, { type: 'applied', recreated: false, statuses }, 't1');

  it('says that it is dispatched and applied, and how its object is', () => {
    assert.deepEqual(conditions(applied), ['Dispatching=True Dispatching', 'Applied=True AppliedSuccessful']);
    assert.equal(applied.manifestStatuses, statuses);
  });
  it('says that dispatching is suspended, and nothing of applying', () => {
    assert.deepEqual(conditions(workStatus(undefined, { type: 'suspended' }, 't1')), [
      'Dispatching=False SuspendDispatching',
    ]);
  });
  it('keeps what is known of the object when applying fails', () => {
    const failed = workStatus(applied, { type: 'failed', message: 'no' }, 't2');
    assert.deepEqual(conditions(failed), ['Dispatching=True Dispatching', 'Applied=False AppliedFailed']);
    assert.equal(failed.manifestStatuses, statuses);
  });
  it('remembers that the object was made anew', () => {
    const again = workStatus(applied, { type: 'applied', recreated: true, statuses }, 't2');
    assert.deepEqual(conditions(again)[1], 'Applied=True ReCreateSuccessful');
    const later = workStatus(again, { type: 'applied', recreated: false, statuses }, 't3');
    assert.deepEqual(conditions(later)[1], 'Applied=True ReCreateSuccessful');
  });
  it('stays as it is when nothing is new', () => {
    assert.deepEqual(workStatus(applied, { type: 'applied', recreated: false, statuses }, 't2'), applied);
  });
});
