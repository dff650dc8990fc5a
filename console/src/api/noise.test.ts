import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutNoise } from './noise.ts';

const sent = {
  kind: 'Deployment',
  metadata: {
    name: 'web',
    managedFields: [{}],
    labels: { app: 'web', 'work.karmada.io/permanent-id': '1' },
    annotations: { 'work.karmada.io/name': 'web-1', 'shadow.clusterpedia.io/cluster-name': 'frankfurt' },
  },
};

describe('an object as people read it', () => {
  it('has no managed fields, and nothing of the index', () => {
    assert.deepEqual(withoutNoise(sent, false), {
      kind: 'Deployment',
      metadata: { name: 'web', labels: sent.metadata.labels, annotations: { 'work.karmada.io/name': 'web-1' } },
    });
  });

  it('is what somebody could have written, where that is asked for', () => {
    const live = {
      ...sent,
      metadata: {
        ...sent.metadata,
        uid: '1',
        resourceVersion: '2',
        generation: 3,
        creationTimestamp: '2026-01-01T00:00:00Z',
        annotations: {
          'deployment.kubernetes.io/revision': '1',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
        },
      },
      status: { replicas: 1 },
    };
    assert.deepEqual(withoutNoise(live, true), withoutNoise(sent, true));
    assert.notDeepEqual(withoutNoise(live, false), withoutNoise(sent, false));
  });

  it('has nothing of the engine either, where that is asked for, and no empty map in its place', () => {
    assert.deepEqual(withoutNoise(sent, true), {
      kind: 'Deployment',
      metadata: { name: 'web', labels: { app: 'web' } },
    });
  });

  it('keeps what only looks like it', () => {
    const own = { metadata: { labels: { 'notkarmada.io/a': '1' } } };
    assert.deepEqual(withoutNoise(own, true), own);
    assert.equal(withoutNoise('text', true), 'text');
  });
});
