/**
 * The files that a simulated container has: those its mounts give it, and the few every container has. They can be
 * read and listed, not written.
 */
import { posix } from 'node:path';
import type { Container, KeyToPath, Pod, Volume, VolumeProjection } from '#gen/kube/types.ts';
import { fieldValue, resourceValue } from './downward.ts';
import { hostnameOf } from './environment.ts';
import type { Data, Sources } from './sources.ts';

export interface FileTree {
  /** The content of a file; undefined when there is none of this name. */
  read(path: string): string | undefined;
  /** The names in a directory, sorted; undefined when there is no such directory. */
  list(path: string): readonly string[] | undefined;
}

const DIRECTORIES = ['/', '/bin', '/etc', '/proc', '/root', '/tmp', '/usr', '/var'];

export async function fileTree(pod: Pod, container: Container, sources: Sources): Promise<FileTree> {
  const files = new Map<string, string>(Object.entries(ownFiles(pod)));
  const mounts: string[] = [];
  for (const { name, mountPath, subPath } of container.volumeMounts ?? []) {
    const volume = pod.spec?.volumes?.find((one) => one.name === name);
    const data = volume ? await volumeFiles(volume, pod, container, sources) : {};
    if (subPath && data[subPath] !== undefined) {
      files.set(posix.normalize(mountPath), data[subPath]);
      continue;
    }
    mounts.push(posix.normalize(mountPath));
    for (const [path, content] of Object.entries(data)) files.set(posix.join(mountPath, path), content);
  }
  return treeOf(files, mounts);
}

function ownFiles(pod: Pod): Data {
  const hostname = hostnameOf(pod);
  const { podIP } = pod.status ?? {};
  return {
    '/etc/hostname': `${hostname}\n`,
    '/etc/hosts': `127.0.0.1\tlocalhost\n${podIP ? `${podIP}\t${hostname}\n` : ''}`,
  };
}

async function volumeFiles(volume: Volume, pod: Pod, container: Container, sources: Sources): Promise<Data> {
  const { configMap, secret, downwardAPI, projected } = volume;
  const single: VolumeProjection = {
    ...(configMap ? { configMap } : {}),
    ...(secret
      ? { secret: { ...(secret.secretName ? { name: secret.secretName } : {}), items: secret.items ?? [] } }
      : {}),
    ...(downwardAPI ? { downwardAPI } : {}),
  };
  const all: Record<string, string> = {};
  for (const projection of projected?.sources ?? [single]) {
    Object.assign(all, await projectedFiles(projection, pod, container, sources));
  }
  return all;
}

async function projectedFiles(
  { configMap, secret, downwardAPI }: VolumeProjection,
  pod: Pod,
  container: Container,
  sources: Sources,
): Promise<Data> {
  const downward = (downwardAPI?.items ?? []).map(({ path, fieldRef, resourceFieldRef }) => [
    path,
    fieldRef
      ? fieldValue(pod, fieldRef.fieldPath)
      : resourceFieldRef
        ? resourceValue(pod, container, resourceFieldRef)
        : '',
  ]);
  return {
    ...chosen(await sources.configMap(configMap?.name), configMap?.items),
    ...chosen(await sources.secret(secret?.name), secret?.items),
    ...Object.fromEntries(downward),
  };
}

/** All keys as files of their names, or only those that are named, where they are wanted. */
function chosen(data: Data, items: readonly KeyToPath[] = []): Data {
  if (items.length === 0) return data;
  return Object.fromEntries(items.flatMap(({ key, path }) => (data[key] === undefined ? [] : [[path, data[key]]])));
}

function treeOf(files: ReadonlyMap<string, string>, mounts: readonly string[]): FileTree {
  const entries = new Map<string, Set<string>>();
  const add = (path: string) => {
    const parent = posix.dirname(path);
    if (parent === path) return;
    entries.set(parent, (entries.get(parent) ?? new Set()).add(posix.basename(path)));
    add(parent);
  };
  for (const directory of [...DIRECTORIES, ...mounts]) {
    entries.set(directory, entries.get(directory) ?? new Set());
    add(directory);
  }
  for (const path of files.keys()) add(path);
  return {
    read: (path) => files.get(posix.normalize(path)),
    list(path) {
      const names = entries.get(posix.normalize(path).replace(/(.)\/$/, '$1'));
      return names ? [...names].sort() : undefined;
    },
  };
}
