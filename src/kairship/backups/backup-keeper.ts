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
import { checkSnapshot, restoreSnapshot } from '#kube/store/snapshot.ts';
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
  remove(name: string): Promise<void>;
}

export function backupKeeper(directory: DataDirectory, runner: Runner): BackupKeeper {
  const fileOf = (name: string) => directory.at('backups', `${name}.db`);

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
      const file = fileOf(name);
      const found = await digestOf(file);
      if (found !== sha256)
        throw new StatusError(
          'Conflict',
          `the file of backup "${name}" is not what was backed up: it has changed since`,
        );
      const exceptions = whatComesBack(restore);
      await runner.whileStopped(
        restore.instance,
        (folder) => void restoreSnapshot(file, join(folder, 'store.db'), exceptions),
      );
    },
    remove: (name) => withSides(fileOf(name)),
  };
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
