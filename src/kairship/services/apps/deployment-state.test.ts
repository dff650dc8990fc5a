import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deployment } from '#gen/kube/types.ts';
import { WorkloadState } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import { deploymentState } from './deployment-state.ts';

type Case = readonly [
  word: keyof typeof WorkloadState,
  when: string,
  parts: { readonly metadata?: object; readonly replicas?: number; readonly status?: object },
];

const ALL_READY = { observedGeneration: 1, replicas: 2, readyReplicas: 2, updatedReplicas: 2 };

const CASES: readonly Case[] = [
  ['RUNNING', 'as many are ready as wanted', { replicas: 2, status: ALL_READY }],
  ['RUNNING', 'one is wanted because nothing is said', { status: { observedGeneration: 1, readyReplicas: 1 } }],
  ['RUNNING', 'more are ready than wanted', { replicas: 1, status: ALL_READY }],
  ['NOT_READY', 'fewer are ready', { replicas: 3, status: ALL_READY }],
  ['NOT_READY', 'some are still the old ones', { replicas: 2, status: { ...ALL_READY, updatedReplicas: 1 } }],
  ['WAITING', 'nobody has looked at it yet', { replicas: 2 }],
  ['WAITING', 'it was changed and nobody has looked yet', { metadata: { generation: 2 }, status: ALL_READY }],
  ['STOPPED', 'none is wanted and none is left', { replicas: 0, status: { observedGeneration: 1 } }],
  ['NOT_READY', 'one is wanted and none is ready', { replicas: 1, status: { observedGeneration: 1 } }],
  ['DELETING', 'it is going, however well it runs', { metadata: { deletionTimestamp: 'x' }, status: ALL_READY }],
];

describe('A deployment is', () => {
  for (const [word, when, { metadata, replicas, status }] of CASES) {
    it(`${word} when ${when}`, () => {
      const deployment = {
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        metadata: { name: 'web', generation: 1, ...metadata },
        spec: replicas === undefined ? {} : { replicas },
        ...(status ? { status } : {}),
      } as unknown as Deployment;
      assert.equal(deploymentState(deployment), WorkloadState[word]);
    });
  }
});
