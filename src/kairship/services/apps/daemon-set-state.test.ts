import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DaemonSet } from '#gen/kube/types.ts';
import { WorkloadState } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import { daemonSetState } from './daemon-set-state.ts';

const ALL = { observedGeneration: 1, desiredNumberScheduled: 3, numberReady: 3, updatedNumberScheduled: 3 };

describe('A daemon set is', () => {
  for (const [word, when, metadata, status] of [
    ['RUNNING', 'every node has its pod', {}, ALL],
    ['RUNNING', 'no node wants one', {}, { observedGeneration: 1 }],
    ['NOT_READY', 'a node waits for its pod', {}, { ...ALL, numberReady: 2 }],
    ['NOT_READY', 'a node has an old pod', {}, { ...ALL, updatedNumberScheduled: 2 }],
    ['WAITING', 'nobody has looked at it yet', {}, undefined],
    ['DELETING', 'it is going', { deletionTimestamp: 'x' }, ALL],
  ] as const)
    it(`${word} when ${when}`, () => {
      const set = { metadata: { name: 'agent', generation: 1, ...metadata }, ...(status ? { status } : {}) };
      assert.equal(daemonSetState(set as unknown as DaemonSet), WorkloadState[word]);
    });
});
