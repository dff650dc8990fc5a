import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '#kube/meta/object.ts';
import { isManaged, objectVersion, retainClusterFields, takeoverProblem } from './retain.ts';

const manifest: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'b', labels: { mine: 'new', 'karmada.io/managed': 'true' } },
  data: { x: '1' },
};

describe('writing a manifest over a member object', () => {
  const observed: KubeObject = {
    ...manifest,
    metadata: {
      name: 'a',
      namespace: 'b',
      resourceVersion: '5',
      finalizers: ['member/f'],
      labels: { mine: 'changed', theirs: 'kept', gone: 'x', 'karmada.io/managed': 'true' },
      annotations: { 'resourcetemplate.karmada.io/managed-labels': 'gone,mine', note: 'kept' },
    },
  };
  const desired = retainClusterFields(manifest, observed);

  it('keeps what the member added and takes back what was ours', () => {
    assert.deepEqual(desired.metadata.labels, { mine: 'new', theirs: 'kept', 'karmada.io/managed': 'true' });
    assert.equal(desired.metadata.annotations?.['note'], 'kept');
  });
  it('is guarded by the version that was seen, and keeps finalizers', () => {
    assert.equal(desired.metadata.resourceVersion, '5');
    assert.deepEqual(desired.metadata.finalizers, ['member/f']);
  });
  it('leaves the manifest as it was', () =>
    assert.deepEqual(manifest.metadata.labels, { mine: 'new', 'karmada.io/managed': 'true' }));
  it("is refused when the object is somebody else's, unless told to overwrite", () => {
    const foreign = { ...observed, metadata: { ...observed.metadata, labels: {} } };
    assert.equal(isManaged(foreign), false);
    assert.equal(
      takeoverProblem(manifest, foreign, 'm1'),
      'resource(kind=ConfigMap, b/a) already exists in the cluster m1 and the work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource',
    );
    const annotations = { 'work.karmada.io/conflict-resolution': 'overwrite' };
    assert.equal(
      takeoverProblem({ ...manifest, metadata: { ...manifest.metadata, annotations } }, foreign, 'm1'),
      undefined,
    );
    assert.equal(takeoverProblem(manifest, observed, 'm1'), undefined);
  });
  it('knows versions by generation, or by resourceVersion where there is none', () => {
    assert.equal(objectVersion(observed), 'rv:5');
    assert.equal(objectVersion({ ...observed, metadata: { ...observed.metadata, generation: 3 } }), 'gen:3');
  });
});
