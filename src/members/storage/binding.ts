/**
 * Which volume a claim gets. Pure.
 *
 * A volume that exists and fits, the smallest first; or a new one, if the claim's storage class makes any. Nothing is ever
 * stored in them.
 */
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '#gen/kube/types.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import { namespaceOf } from '../owners.ts';
import { milli } from '../pod-requests.ts';

export const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
const PROVISIONER = 'members.kairship.io/simulated';

/** The class every simulated cluster has. */
export const STANDARD: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { [DEFAULT_CLASS]: 'true' } },
  provisioner: PROVISIONER,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  allowVolumeExpansion: true,
};

/** The default class; the newest, should there be several. */
export function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  return classes
    .filter(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1))[0];
}

export function volumeFor(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  const asked = milli(claim.spec?.resources?.requests?.['storage']);
  const size = ({ spec }: PersistentVolume) => milli(spec?.capacity?.['storage']);
  const selector = claim.spec?.selector ? selectorOf(claim.spec.selector) : undefined;
  return volumes
    .filter((volume) => isFor(volume, claim) || isFree(volume))
    .filter(({ metadata }) => !claim.spec?.volumeName || metadata.name === claim.spec.volumeName)
    .filter((volume) => (volume.spec?.storageClassName ?? '') === (claim.spec?.storageClassName ?? ''))
    .filter(({ spec }) => (claim.spec?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode)))
    .filter(({ spec }) => (spec?.volumeMode ?? 'Filesystem') === (claim.spec?.volumeMode ?? 'Filesystem'))
    .filter((volume) => size(volume) >= asked && (!selector || selector.matches(volume.metadata.labels)))
    .sort((a, b) => Number(isFor(b, claim)) - Number(isFor(a, claim)) || size(a) - size(b))[0];
}

/** Whether a volume is reserved for, or bound to, this very claim. */
export function isFor({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { claimRef } = spec ?? {};
  if (claimRef?.name !== metadata.name || claimRef.namespace !== namespaceOf({ metadata })) return false;
  return claimRef.uid === undefined || claimRef.uid === metadata.uid;
}

const isFree = ({ metadata, spec }: PersistentVolume) =>
  spec?.claimRef === undefined && metadata.deletionTimestamp === undefined;

export function claimReference(claim: PersistentVolumeClaim) {
  const { name, uid = '', resourceVersion = '' } = claim.metadata;
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: namespaceOf(claim), name, uid, resourceVersion };
}

/** A volume made for a claim by its class. */
export function newVolume(claim: PersistentVolumeClaim, storageClass: StorageClass): PersistentVolume {
  const { uid = '' } = claim.metadata;
  const { accessModes = ['ReadWriteOnce'], volumeMode, resources } = claim.spec ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': storageClass.provisioner } },
    spec: {
      capacity: { storage: resources?.requests?.['storage'] ?? '1Gi' },
      accessModes,
      claimRef: claimReference(claim),
      csi: { driver: 'members.kairship.io', volumeHandle: `pvc-${uid}` },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      ...(volumeMode === undefined ? {} : { volumeMode }),
    },
  };
}
