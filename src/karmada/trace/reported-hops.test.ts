import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hopsReport, MOST_HOPS, readHops } from './reported-hops.ts';
import type { Hop } from './tracer.ts';

const template = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'default',
  name: 'settings',
  uid: 'u',
  generation: 2,
};

describe('the hops an agent reports', () => {
  it('arrive as they were made, in the cluster that reports them', () => {
    const made: Hop[] = [
      { step: 'applied', template, cluster: 'somewhere else', detail: 'created' },
      { step: 'applied', template, error: new Error('no room') },
    ];
    const [first, second] = readHops(JSON.parse(JSON.stringify(hopsReport(made))), 'edge');
    assert.deepEqual(first, { step: 'applied', template, cluster: 'edge', detail: 'created' });
    assert.deepEqual(second?.error, new Error('no room'));
  });

  it('are refused when they are not an agent’s to make, or too many', () => {
    const refused = (body: unknown, message: RegExp) =>
      assert.throws(() => readHops(body, 'edge'), { reason: 'BadRequest', message });
    refused(undefined, /list of hops/);
    refused({ hops: [{ step: 'scheduled', template }] }, /hops\[0\]\.step: an agent takes applied and collected/);
    refused({ hops: [{ step: 'applied', template: { kind: 'ConfigMap' } }] }, /names no apiVersion/);
    refused({ hops: Array.from({ length: MOST_HOPS + 1 }, () => ({ step: 'applied', template })) }, /at most 500/);
  });
});
