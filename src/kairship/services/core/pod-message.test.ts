import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toJson } from '@bufbuild/protobuf';
import { PodSchema } from '#gen/proto/kairship/api/core/v1alpha1/pod_pb.ts';
import { podMessage, type PodObject } from './pod-message.ts';
import { inPhase } from './pods.ts';

const container = (name: string, cpu: string, memory: string) => ({
  name,
  image: 'nginx',
  resources: { requests: { cpu, memory }, limits: { memory } },
});

function pod(owner?: { kind: string; name: string; uid: string }): PodObject {
  const ownerReferences = owner ? [{ apiVersion: 'apps/v1', controller: true, ...owner }] : [];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop', ownerReferences },
    spec: { containers: [container('a', '250m', '64Mi'), container('b', '1', '1Gi')] },
    status: {
      phase: 'Running',
      containerStatuses: [
        { name: 'a', ready: true, restartCount: 2, image: '', imageID: '' },
        { name: 'b', ready: false, restartCount: 1, image: '', imageID: '' },
      ],
    },
  };
}

const told = (object: PodObject, owners = new Map<string, { kind: string; name: string }>()) =>
  (toJson(PodSchema, podMessage(object, owners)) as { status: Record<string, unknown> }).status;

describe('A pod as lists show it', () => {
  it('sums what its containers ask for, and counts them', () => {
    assert.deepEqual(told(pod()), {
      phase: 'Running',
      cpuRequest: '1250',
      memoryRequest: String((64 + 1024) * 2 ** 20),
      memoryLimit: String((64 + 1024) * 2 ** 20),
      restartCount: 3,
      containerTotalCount: 2,
      containerReadyCount: 1,
    });
  });

  it('names the workload people know as its owner', () => {
    const set = { kind: 'ReplicaSet', name: 'web-abc', uid: 'u1' };
    assert.deepEqual(told(pod(set))['ownedBy'], { kind: 'REPLICASET', name: 'web-abc' });
    const owners = new Map([['u1', { kind: 'Deployment', name: 'web' }]]);
    assert.deepEqual(told(pod(set), owners)['ownedBy'], { kind: 'DEPLOYMENT', name: 'web' });
    assert.equal(told(pod())['ownedBy'], undefined);
  });

  it('has a status even before anybody wrote one', () => {
    const { status: _, ...unseen } = pod();
    assert.equal(told(unseen)['containerTotalCount'], 2);
  });
});

describe('The phase of a pod', () => {
  it('is found however it is spelled, and refused when there is no such phase', () => {
    assert.equal(inPhase('running')?.(pod()), true);
    assert.equal(inPhase('Pending')?.(pod()), false);
    assert.equal(inPhase(''), undefined);
    assert.throws(() => inPhase('Sleeping'), /phase "Sleeping" is none of Unknown, Pending/);
  });
});
