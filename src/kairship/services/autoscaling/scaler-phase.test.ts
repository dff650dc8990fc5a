import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FederatedHPAStatus_Phase as Phase } from '#gen/proto/kairship/api/autoscaling/v1alpha1/federated_hpa_pb.ts';
import { scalerPhase } from './scaler-phase.ts';

describe('A federated autoscaler', () => {
  const phase = (...conditions: readonly (readonly [string, string])[]) =>
    scalerPhase({
      apiVersion: 'autoscaling.karmada.io/v1alpha1',
      kind: 'FederatedHPA',
      metadata: { name: 'x' },
      status: { conditions: conditions.map(([type, status]) => ({ type, status })) },
    });

  it('is ready when it can read its measures and scale', () => {
    assert.equal(phase(['AbleToScale', 'True'], ['ScalingActive', 'True'], ['ScalingLimited', 'True']), Phase.Ready);
  });
  it('is not ready when one of both fails or is not known', () => {
    assert.equal(phase(['AbleToScale', 'True'], ['ScalingActive', 'False']), Phase.NotReady);
    assert.equal(phase(['AbleToScale', 'True']), Phase.NotReady);
  });
  it('is neither before anybody has looked at it', () => {
    assert.equal(phase(), Phase.PHASE_UNSPECIFIED);
  });
});
