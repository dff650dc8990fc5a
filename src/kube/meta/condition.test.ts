import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, isConditionTrue, setCondition } from './condition.ts';

describe('setCondition', () => {
  const ready = { type: 'Ready', status: 'True', reason: 'Fine', message: 'all well' } as const;
  const first = setCondition(undefined, ready, 't1');

  it('appends a condition that was not there, with the time', () => {
    assert.deepEqual(first, [{ ...ready, lastTransitionTime: 't1' }]);
  });
  it('returns the same list when nothing changed', () => {
    assert.equal(setCondition(first, ready, 't2'), first);
  });
  it('keeps the time when only reason or message changed', () => {
    const next = setCondition(first, { ...ready, message: 'better still' }, 't2');
    assert.deepEqual(next, [{ ...ready, message: 'better still', lastTransitionTime: 't1' }]);
  });
  it('moves the time when the status changed, and keeps the place in the list', () => {
    const two = setCondition(first, { type: 'Other', status: 'True' }, 't1');
    const next = setCondition(two, { type: 'Ready', status: 'False', reason: 'Bad', message: '' }, 't2');
    assert.deepEqual(
      next.map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime]),
      [
        ['Ready', 'False', 't2'],
        ['Other', 'True', 't1'],
      ],
    );
    assert.equal(isConditionTrue(next, 'Ready'), false);
    assert.equal(findCondition(next, 'Missing'), undefined);
  });
});
