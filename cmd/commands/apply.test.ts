import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import { isOnlyWithKubectl } from './apply.ts';

describe('applying what was applied before', () => {
  for (const [message, taken] of [
    ['Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas', true],
    [
      'Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply" using v1:\n- .data\nconflicts with "hpa" using v1:\n- .spec',
      false,
    ],
    ['Apply failed with 1 conflict: conflict with "argocd" using apps/v1: .spec.replicas', false],
    ['somebody was quicker', false],
  ] as const)
    it(`${taken ? 'takes over' : 'leaves alone'} what "${message.slice(0, 80).replaceAll('\n', ' ')}" tells of`, () => {
      assert.equal(isOnlyWithKubectl(new StatusError('Conflict', message)), taken);
    });
});
