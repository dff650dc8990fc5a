import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cluster, Work } from '#karmada/apis/index.ts';
import { abandonedBecause, FORCE_UNJOIN, isReported, leftBehind, unjoinReport } from './left-behind.ts';

const leaving = (ready: 'True' | 'False', annotations = {}): Cluster => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'm1', uid: 'u1', deletionTimestamp: '2026-01-01T00:00:00Z', annotations },
  spec: { syncMode: 'Push', apiEndpoint: 'https://m1' },
  status: { conditions: [{ type: 'Ready', status: ready, message: 'cluster is not reachable' }] },
});
const DELETED = Date.parse('2026-01-01T00:00:00Z');

const work = (name: string, applied: boolean, preserveResourcesOnDeletion = false): Work => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { name, namespace: 'karmada-es-m1' },
  spec: {
    preserveResourcesOnDeletion,
    workload: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } }] },
  },
  ...(applied ? { status: { conditions: [{ type: 'Applied', status: 'True' }] } } : {}),
});

describe('a leaving cluster', () => {
  it('is waited for while its member answers and there is time', () => {
    assert.equal(abandonedBecause(leaving('True'), DELETED + 1_000, 60_000), undefined);
  });

  it('is given up when the member is gone, the time is over, or somebody says so', () => {
    assert.equal(
      abandonedBecause(leaving('False'), DELETED, 60_000),
      'the member is not ready: cluster is not reachable',
    );
    assert.equal(abandonedBecause(leaving('True'), DELETED + 61_000, 60_000), 'it could not be cleared within 60 s');
    assert.equal(
      abandonedBecause(leaving('True', { [FORCE_UNJOIN]: 'true' }), DELETED, 60_000),
      'forced by annotation',
    );
  });

  it('leaves behind what was applied there, and what was meant to stay is marked', () => {
    assert.deepEqual(leftBehind([work('b', true), work('a', true, true), work('never', false)]), [
      'v1 ConfigMap default/a preserved',
      'v1 ConfigMap default/b',
    ]);
  });

  it('is reported once for all, however often somebody was stopped while doing so', () => {
    const facts = { because: 'forced by annotation', at: '2026-01-01T00:00:01Z' };
    const first = unjoinReport(leaving('True'), { ...facts, objects: ['v1 ConfigMap default/a'] });
    const second = unjoinReport(leaving('True'), { ...facts, objects: ['v1 ConfigMap default/b'] }, first);
    assert.equal(second.data['objects'], 'v1 ConfigMap default/a\nv1 ConfigMap default/b');
    assert.equal(second.data['total'], '2');
    assert.equal(isReported(undefined, first), false);
    assert.equal(isReported(first, second), false);
    const later = { ...facts, at: '2026-01-01T00:00:02Z', objects: ['v1 ConfigMap default/b'] };
    assert.equal(isReported(second, unjoinReport(leaving('True'), later, second)), true);
    const another = { ...leaving('True'), metadata: { ...leaving('True').metadata, uid: 'u2' } };
    assert.equal(unjoinReport(another, { ...facts, objects: [] }, second).data['total'], '0');
  });

  it('may leave more behind than a report can hold', () => {
    const objects = Array.from({ length: 30_000 }, (_, n) => `v1 ConfigMap default/a-long-enough-name-${n}`);
    const { data } = unjoinReport(leaving('True'), { because: '', at: '', objects });
    assert.equal(data['total'], '30000');
    assert.ok((data['objects'] ?? '').length < 1_000_000);
  });
});
