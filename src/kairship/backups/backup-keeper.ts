/**
 * The files of backups, on the machine that runs the instances: `backups/<name>.db`, readable by their owner alone.
 *
 * A backup counts once it was read again from beginning to end. A restore looks at its digest first, prepares the whole
 * file while the instance runs on, and only then stops it for as long as it takes to put the file in its place.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StatusError } from '#base/status-error.ts';
import { checkSnapshot, type Exceptions, readSnapshot, restoreSnapshot } from '#kube/store/snapshot.ts';
import { changesOf, keysIn, only, type RestoreChange } from './restore-preview.ts';
import { type Restore, whatComesBack } from './what-comes-back.ts';
import type { Runner } from '../instances/embedded-operator.ts';
import type { DataDirectory } from '../local/data-directory.ts';

export interface BackupFacts {
  readonly bytes: number;
  readonly objects: number;
  readonly sha256: string;
}

export interface BackupKeeper {
  make(name: string, instance: string): Promise<BackupFacts>;
  restore(name: string, sha256: string, restore: Restore): Promise<void>;
  /** What a restore would change now. */
  preview(name: string, sha256: string, restore: Restore): Promise<readonly RestoreChange[]>;
  remove(name: string): Promise<void>;
}

export function backupKeeper(directory: DataDirectory, runner: Runner): BackupKeeper {
  const fileOf = (name: string) => directory.at('backups', `${name}.db`);

  async function checked(name: string, sha256: string): Promise<string> {
    const file = fileOf(name);
    if ((await digestOf(file)) === sha256) return file;
    throw new StatusError('Conflict', `the file of backup "${name}" is not what was backed up: it has changed since`);
  }

  return {
    async make(name, instance) {
      const [file, draft] = [fileOf(name), `${fileOf(name)}.new`];
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await withSides(draft);
      await runner.snapshot(instance, draft);
      const { bytes, keys } = checkSnapshot(draft);
      await rename(draft, file);
      await withSides(draft);
      return { bytes, objects: keys, sha256: await digestOf(file) };
    },
    async restore(name, sha256, restore) {
      const file = await checked(name, sha256);
      const exceptions = exceptionsOf(file, restore);
      await runner.whileStopped(
        restore.instance,
        (folder) => void restoreSnapshot(file, join(folder, 'store.db'), exceptions),
      );
    },
    async preview(name, sha256, restore) {
      const file = await checked(name, sha256);
      const now = `${file}.now-${restore.instance}`;
      await withSides(now);
      try {
        await runner.snapshot(restore.instance, now);
        return changesOf(readSnapshot(now), readSnapshot(file), exceptionsOf(file, restore));
      } finally {
        await withSides(now);
      }
    },
    remove: (name) => withSides(fileOf(name)),
  };
}

/** What does not come back: what never does, and what nobody asked for. */
function exceptionsOf(file: string, restore: Restore): Exceptions {
  const always = whatComesBack(restore);
  const { namespaces = [] } = restore;
  return namespaces.length === 0 ? always : only(keysIn(readSnapshot(file), namespaces), always);
}

async function withSides(file: string): Promise<void> {
  for (const side of ['', '-wal', '-shm']) await rm(file + side, { force: true });
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (cause) {
    throw new StatusError('NotFound', `the file of the backup cannot be read`, { cause });
  }
  return hash.digest('hex');
}
