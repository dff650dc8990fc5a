import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '#kube/meta/object.ts';
import { merged } from './what-stays.ts';

const object = (metadata: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
});

describe('what an apply leaves alone', () => {
  it('is what others have noted on the object', () => {
    const live = object({
      labels: { app: 'a', 'policy-id': '1' },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
    });
    const { labels, annotations } = merged(object({ labels: { app: 'b' } }), live).metadata;
    assert.deepEqual(labels, { app: 'b', 'policy-id': '1' });
    assert.deepEqual(annotations, live.metadata.annotations);
  });

  it('is not what we applied before and the file has no more', () => {
    const live = object({
      labels: { old: 'x', theirs: 'y' },
      managedFields: [
        {
          manager: 'kairship',
          operation: 'Apply',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:metadata': { 'f:labels': { 'f:old': {} } } },
        },
      ],
    });
    assert.deepEqual(merged(object({}), live).metadata.labels, { theirs: 'y' });
  });

  it('is nothing where there is nothing', () => {
    assert.deepEqual(merged(object({}), object({})), object({}));
  });
});
