import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkloadState, WorkloadStateSchema } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import { inPhase } from './in-phase.ts';

describe('The phase that a list is filtered by', () => {
  const only = (phase: string) => inPhase<WorkloadState>(WorkloadStateSchema, phase, (state) => state);

  it('is taken as the console says it, and as the API does', () => {
    for (const phase of ['NotReady', 'not_ready', 'NOT_READY', 'WORKLOAD_STATE_NOT_READY']) {
      assert.equal(only(phase)?.(WorkloadState.NOT_READY), true, phase);
      assert.equal(only(phase)?.(WorkloadState.RUNNING), false, phase);
    }
  });

  it('filters nothing when there is none, and is refused when it is unknown', () => {
    assert.equal(only(''), undefined);
    for (const phase of ['Flying', 'unspecified'])
      assert.throws(() => only(phase), { reason: 'BadRequest', message: /is none of .*RUNNING/ });
  });
});
