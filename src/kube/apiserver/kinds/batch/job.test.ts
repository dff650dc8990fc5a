import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controlPlane } from '#kube/control-plane/index.ts';
import { memoryStore } from '#kube/store/index.ts';

const JOB = { group: 'batch', version: 'v1', resource: 'jobs' };

function job(name: string, labels?: Record<string, string>) {
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default', ...(labels ? { labels } : {}) },
    spec: { template: { metadata: { labels: { app: 'a' } }, spec } },
  };
}

describe('the labels of a Job', () => {
  it('are those of its pods, with the generated ones, when it has none; else its own', async (t) => {
    const server = await controlPlane({ store: memoryStore() });
    t.after(() => server.close());
    const client = server.client();
    const { metadata } = await client.create(JOB, job('bare'));
    assert.deepEqual(metadata.labels, {
      app: 'a',
      'batch.kubernetes.io/controller-uid': metadata.uid,
      'batch.kubernetes.io/job-name': 'bare',
      'controller-uid': metadata.uid,
      'job-name': 'bare',
    });
    const labelled = await client.create(JOB, job('labelled', { own: 'b' }));
    assert.deepEqual(labelled.metadata.labels, { own: 'b' });
  });
});
