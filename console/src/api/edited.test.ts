import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameText, versioned, whole } from './edited.ts';
import { withoutNoise } from './noise.ts';
import type { Thing } from './objects.ts';

const live: Thing = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    uid: 'u-1',
    resourceVersion: '7',
    generation: 2,
    labels: { app: 'web', old: 'yes', 'work.karmada.io/permanent-id': 'p' },
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
    managedFields: [{}],
  },
  spec: { replicas: 2 },
  status: { readyReplicas: 2 },
};

describe('an object that is edited without what machines keep in it', () => {
  it('has it again when it is saved, and replaces the version that is told', () => {
    const edited = { ...(withoutNoise(live, true) as object), spec: { replicas: 3 } };
    const seen = { ...live, metadata: { ...live.metadata, resourceVersion: '9' } };
    assert.deepEqual(versioned(whole(edited, live), seen), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'web',
        uid: 'u-1',
        resourceVersion: '9',
        labels: live.metadata.labels,
        annotations: live.metadata.annotations,
      },
      spec: { replicas: 3 },
    });
  });

  it('loses what was taken out of it, and only that', () => {
    const edited = { metadata: { name: 'web', labels: { app: 'web' } } };
    const { metadata } = whole(edited, live) as Thing;
    assert.deepEqual(metadata.labels, { 'work.karmada.io/permanent-id': 'p', app: 'web' });
  });

  it('is the same while only its status and its version change', () => {
    const later = { ...live, metadata: { ...live.metadata, resourceVersion: '8' }, status: { readyReplicas: 1 } };
    assert.equal(isSameText(live, later), true);
    assert.equal(isSameText(live, { ...later, spec: { replicas: 5 } }), false);
  });
});
