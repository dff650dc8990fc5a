import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '#gen/kube/types.ts';
import { defaultClass, newVolume, STANDARD, volumeFor } from './binding.ts';

const claim = (spec: object = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default', uid: 'c' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '5Gi' } },
    storageClassName: 'slow',
    ...spec,
  },
});

const volume = (name: string, storage: string, spec: object = {}, labels = {}): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name, labels },
  spec: { capacity: { storage }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], storageClassName: 'slow', ...spec },
});

describe('a claim', () => {
  const reference = { namespace: 'default', name: 'data' };
  const cases: Array<
    [because: string, claim: PersistentVolumeClaim, volumes: PersistentVolume[], gets: string | undefined]
  > = [
    [
      'gets the smallest volume that is large enough',
      claim(),
      [volume('a', '20Gi'), volume('b', '10Gi'), volume('c', '1Gi')],
      'b',
    ],
    ['does not get one of another class', claim(), [volume('a', '10Gi', { storageClassName: 'fast' })], undefined],
    [
      'does not get one that cannot be mounted so',
      claim({ accessModes: ['ReadWriteMany'] }),
      [volume('a', '10Gi')],
      undefined,
    ],
    [
      'does not get one that is taken',
      claim(),
      [volume('a', '10Gi', { claimRef: { ...reference, name: 'other' } })],
      undefined,
    ],
    [
      'prefers one that was kept for it',
      claim(),
      [volume('a', '6Gi'), volume('b', '10Gi', { claimRef: reference })],
      'b',
    ],
    [
      'does not get one that was kept for one before it',
      claim(),
      [volume('a', '6Gi', { claimRef: { ...reference, uid: 'older' } })],
      undefined,
    ],
    ['gets the one it names', claim({ volumeName: 'a' }), [volume('a', '20Gi'), volume('b', '10Gi')], 'a'],
    [
      'gets one it selects',
      claim({ selector: { matchLabels: { disk: 'x' } } }),
      [volume('a', '6Gi'), volume('b', '10Gi', {}, { disk: 'x' })],
      'b',
    ],
  ];
  for (const [because, wanting, volumes, gets] of cases) {
    it(because, () => assert.equal(volumeFor(wanting, volumes)?.metadata.name, gets));
  }

  it('gets a new volume of its size from its class', () => {
    const { metadata, spec } = newVolume(claim(), STANDARD);
    assert.deepEqual([metadata.name, spec?.capacity, spec?.claimRef?.uid], ['pvc-c', { storage: '5Gi' }, 'c']);
  });

  it('without a class gets the default one, the newest if there are several', () => {
    const named = (name: string, creationTimestamp: string): StorageClass => ({
      ...STANDARD,
      metadata: { ...STANDARD.metadata, name, creationTimestamp },
    });
    const classes = [named('old', '2026-01-01T00:00:00Z'), named('new', '2026-02-01T00:00:00Z')];
    assert.equal(defaultClass(classes)?.metadata.name, 'new');
    assert.equal(defaultClass([{ ...STANDARD, metadata: { name: 'plain' } }]), undefined);
  });
});
