/** Where the volumes of a pod appear in its containers. */
import type { Container, VolumeMount } from '#gen/kube/types.ts';
import { forbidden, invalid, required, unknownReference } from '#kube/meta/field-error.ts';
import { oneOf, relativePath } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';
import type { KnownVolumes } from './volume-rules.ts';

export function* volumeMounts(container: Given<Container>, volumes: KnownVolumes, path: string): Errors {
  const devices = container.volumeDevices ?? [];
  const seen = new Set<string>();
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const { name = '', mountPath = '' } = mount;
    const at = `${path}[${index}]`;
    if (name === '') yield required(`${at}.name`);
    if (!volumes.has(name)) yield unknownReference(`${at}.name`, name);
    if (mountPath === '') yield required(`${at}.mountPath`);
    if (seen.has(mountPath)) yield invalid(`${at}.mountPath`, mountPath, 'must be unique');
    seen.add(mountPath);
    if (devices.some((device) => device.name === name)) {
      yield invalid(`${at}.name`, name, 'must not already exist in volumeDevices');
    }
    if (devices.some((device) => device.devicePath === mountPath)) {
      yield invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices');
    }
    yield* subPaths(mount, path, at);
    yield* mountModes(mount, container, path);
  }
}

function* subPaths({ subPath = '', subPathExpr = '' }: Given<VolumeMount>, path: string, at: string): Errors {
  if (subPath !== '') yield* relativePath(subPath, `${path}.subPath`);
  if (subPathExpr === '') return;
  if (subPath !== '') {
    yield invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive');
  }
  yield* relativePath(subPathExpr, `${path}.subPathExpr`);
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

function* mountModes(mount: Given<VolumeMount>, container: Given<Container>, path: string): Errors {
  const { mountPropagation, recursiveReadOnly, readOnly } = mount;
  yield* oneOf(mountPropagation, PROPAGATIONS, `${path}.mountPropagation`);
  if (mountPropagation === 'Bidirectional' && !container.securityContext?.privileged) {
    const rule = 'Bidirectional mount propagation is available only to privileged containers';
    yield forbidden(`${path}.mountPropagation`, rule);
  }
  yield* oneOf(recursiveReadOnly, RECURSIVE, `${path}.recursiveReadOnly`);
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible') return;
  if (!readOnly) yield forbidden(`${path}.recursiveReadOnly`, 'may only be specified when readOnly is true');
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    yield forbidden(
      `${path}.recursiveReadOnly`,
      'may only be specified when mountPropagation is None or not specified',
    );
  }
}

export function* volumeDevices(container: Given<Container>, volumes: KnownVolumes, path: string): Errors {
  const mounts = container.volumeMounts ?? [];
  const seen = { names: new Set<string>(), paths: new Set<string>() };
  for (const [index, { name = '', devicePath = '' }] of (container.volumeDevices ?? []).entries()) {
    const at = `${path}[${index}]`;
    const volume = volumes.get(name);
    if (name === '') yield required(`${at}.name`);
    if (seen.names.has(name)) yield invalid(`${at}.name`, name, 'must be unique');
    if (!volume) yield unknownReference(`${at}.name`, name);
    else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
      const rule = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      yield invalid(`${at}.name`, name, rule);
    }
    if (devicePath === '') yield required(`${at}.devicePath`);
    if (seen.paths.has(devicePath)) yield invalid(`${at}.devicePath`, devicePath, 'must be unique');
    if (devicePath.split('/').includes('..')) {
      yield invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')");
    }
    seen.names.add(name);
    seen.paths.add(devicePath);
    if (mounts.some((mount) => mount.name === name)) {
      yield invalid(`${at}.name`, name, 'must not already exist in volumeMounts');
    }
    if (mounts.some((mount) => mount.mountPath === devicePath)) {
      yield invalid(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts');
    }
  }
}
