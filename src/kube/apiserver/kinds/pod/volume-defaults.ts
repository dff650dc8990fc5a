/** What Kubernetes fills into the volumes of a pod and into persistent volumes, source by source. */
import type { PersistentVolumeSpec, ProjectedVolumeSource, Volume } from '#gen/kube/types.ts';
import type { Making } from '../kind.ts';
import { pullPolicyOf } from './container-defaults.ts';

/** 0644, the mode of a file that everyone may read. */
const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3_600;

export function defaultVolume(volume: Making<Volume>): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
  if (volume.secret) volume.secret.defaultMode ??= FILE_MODE;
  if (volume.configMap) volume.configMap.defaultMode ??= FILE_MODE;
  if (volume.projected) defaultProjected(volume.projected);
  if (volume.downwardAPI) {
    volume.downwardAPI.defaultMode ??= FILE_MODE;
    for (const { fieldRef } of volume.downwardAPI.items ?? []) if (fieldRef) fieldRef.apiVersion ||= 'v1';
  }
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claim) claim.volumeMode ??= 'Filesystem';
  if (volume.image) volume.image.pullPolicy ||= pullPolicyOf(volume.image.reference ?? '');
  defaultSharedSources(volume);
}

function defaultProjected(projected: Making<ProjectedVolumeSource>): void {
  projected.defaultMode ??= FILE_MODE;
  for (const { serviceAccountToken, downwardAPI } of projected.sources ?? []) {
    if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= TOKEN_SECONDS;
    for (const { fieldRef } of downwardAPI?.items ?? []) if (fieldRef) fieldRef.apiVersion ||= 'v1';
  }
}

/** Sources that pods and persistent volumes have in common. */
export function defaultSharedSources(
  volume: Pick<Making<Volume & PersistentVolumeSpec>, 'hostPath' | 'iscsi' | 'rbd' | 'azureDisk' | 'scaleIO'>,
): void {
  if (volume.hostPath) volume.hostPath.type ??= '';
  if (volume.iscsi) volume.iscsi.iscsiInterface ||= 'default';
  if (volume.rbd) {
    volume.rbd.pool ||= 'rbd';
    volume.rbd.user ||= 'admin';
    volume.rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (volume.azureDisk) {
    volume.azureDisk.cachingMode ??= 'ReadWrite';
    volume.azureDisk.fsType ??= 'ext4';
    volume.azureDisk.readOnly ??= false;
    volume.azureDisk.kind ??= 'Shared';
  }
  if (volume.scaleIO) {
    volume.scaleIO.storageMode ||= 'ThinProvisioned';
    volume.scaleIO.fsType ||= 'xfs';
  }
}
