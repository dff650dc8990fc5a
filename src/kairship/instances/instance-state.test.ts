import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Instance, InstanceMode, InstanceState } from './instance.ts';
import { type Answer, stateOf } from './instance-state.ts';
import type { Karmada } from './karmada.ts';

function instance(mode: InstanceMode, state?: InstanceState, deletionTimestamp?: string): Instance {
  return {
    apiVersion: 'kairship.io/v1alpha1',
    kind: 'Instance',
    metadata: { name: 'a', ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
    spec: { mode },
    status: state === undefined ? {} : { state },
  };
}

function karmada(status: 'True' | 'False', reason: string): Karmada {
  return {
    apiVersion: 'operator.karmada.io/v1alpha1',
    kind: 'Karmada',
    metadata: { name: 'a', namespace: 'x' },
    status: { conditions: [{ type: 'Ready', status, reason, message: `it is ${reason}` }] },
  };
}

const well: Answer = { reached: true, kubernetesVersion: 'v1.35.8' };
const silent: Answer = { reached: false, why: 'connection refused' };

describe('R24: the state of an instance', () => {
  const cases: readonly [string, InstanceState, Instance, Karmada | undefined, Answer | undefined][] = [
    ['is in process before anybody has said anything', 'INPROCESS', instance('embedded'), undefined, undefined],
    [
      'is in process while its operator works',
      'INPROCESS',
      instance('operator'),
      karmada('False', 'Progressing'),
      undefined,
    ],
    [
      'is in process while it starts and does not answer yet',
      'INPROCESS',
      instance('embedded'),
      karmada('False', 'Progressing'),
      silent,
    ],
    ['is running when it answers', 'RUNNING', instance('embedded'), karmada('True', 'Completed'), well],
    [
      'is running when it answers, whatever its operator is busy with',
      'RUNNING',
      instance('operator'),
      karmada('False', 'Progressing'),
      well,
    ],
    [
      'is unavailable when it was ready and does not answer',
      'UNAVAILABLE',
      instance('embedded'),
      karmada('True', 'Completed'),
      silent,
    ],
    [
      'is unavailable when it ran and does not answer',
      'UNAVAILABLE',
      instance('embedded', 'RUNNING'),
      undefined,
      silent,
    ],
    [
      'is unavailable when its operator has failed',
      'UNAVAILABLE',
      instance('operator'),
      karmada('False', 'Failed'),
      undefined,
    ],
    [
      'is unavailable when somebody else runs it and it does not answer',
      'UNAVAILABLE',
      instance('external'),
      undefined,
      silent,
    ],
    ['is unknown when nobody knows how to reach it', 'UNKNOWN', instance('external'), undefined, undefined],
    [
      'is terminal while it is deleted, even if it answers',
      'TERMINAL',
      instance('embedded', 'RUNNING', '2026-01-01T00:00:00Z'),
      karmada('True', 'Completed'),
      well,
    ],
  ];
  for (const [because, expected, ...given] of cases) {
    it(because, () => {
      const { state, condition } = stateOf(...given);
      assert.equal(state, expected);
      assert.equal(condition.status, expected === 'RUNNING' ? 'True' : 'False');
      assert.notEqual(condition.message, '');
    });
  }

  it('says that no operator has taken it up', () => {
    const { status: _status, ...untouched } = karmada('False', 'Progressing');
    const { state, condition } = stateOf(instance('operator'), untouched, undefined);
    assert.equal(state, 'INPROCESS');
    assert.match(
      condition.message ?? '',
      /No operator has taken up Karmada x\/a yet: is the Karmada operator installed/,
    );
    assert.equal(stateOf(instance('embedded'), untouched, undefined).condition.message, 'It is being made.');
  });

  it('says why it is unavailable', () => {
    assert.match(stateOf(instance('external'), undefined, silent).condition.message ?? '', /connection refused/);
    const failed = stateOf(instance('operator'), karmada('False', 'Failed'), undefined);
    assert.equal(failed.condition.message, 'it is Failed');
  });
});
