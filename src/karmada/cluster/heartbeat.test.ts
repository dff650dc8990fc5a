import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cluster } from '#karmada/apis/index.ts';
import type { Condition } from '#kube/meta/object.ts';
import { DEFAULT_GRACE, type Heard, heardOf, silenceOf } from './heartbeat.ts';

const T0 = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => T0 + seconds * 1000;

function cluster(status?: Condition['status']): Cluster {
  const ready = { type: 'Ready', status, reason: 'ClusterReady', message: '', lastTransitionTime: '' } as Condition;
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'edge', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { syncMode: 'Pull' },
    ...(status ? { status: { conditions: [ready] } } : {}),
  };
}

/** What is made of a cluster that is looked at at these seconds, with these renewals of its Lease. */
function looks(seen: readonly (readonly [number, Cluster, string?])[]): string | undefined {
  let heard: Heard | undefined;
  let said: string | undefined;
  for (const [seconds, found, renewed] of seen) {
    heard = heardOf(found, renewed, heard, at(seconds));
    said = silenceOf(found, heard, at(seconds), DEFAULT_GRACE)?.reason;
  }
  return said;
}

describe('the heartbeat of an agent', () => {
  it('is waited for as long as a new cluster may take, however late we begin to look', () => {
    assert.equal(looks([[59, cluster()]]), undefined);
    assert.equal(looks([[61, cluster()]]), 'ClusterStatusNeverUpdated');
  });

  it('keeps a cluster known by its Lease alone', () =>
    assert.equal(
      looks([
        [0, cluster('True'), 'one'],
        [39, cluster('True'), 'two'],
        [78, cluster('True'), 'two'],
      ]),
      undefined,
    ));

  it('makes a cluster unknown when it stops, once', () => {
    const stopped = [
      [0, cluster('True'), 'one'],
      [41, cluster('True'), 'one'],
    ] as const;
    assert.equal(looks(stopped), 'ClusterStatusUnknown');
    assert.equal(looks([...stopped, [90, cluster('Unknown'), 'one']]), undefined);
  });

  it('counts from when we began to look, not from the clock of the member', () =>
    assert.equal(looks([[10_000, cluster('True'), '1999']]), undefined));
});
