/**
 * The kubeconfig files that kubectl reads here, and changing one of them beside kubectl.
 *
 * A change holds kubectl's own lock (`FILE.lock`), writes a neighbour and renames it into place, so that readers see the
 * old file or the new one. The first change of a file leaves a copy of how it was (`FILE.before-kairship`).
 */
import { constants } from 'node:fs';
import { access, copyFile, mkdir, open, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIfPresent, writePrivate } from '#kube/pki/private-file.ts';
import { CommandFailure } from './failure.ts';

const LOCK_WITHIN_MS = 10_000;

/** As kubectl reads them, the first has precedence. */
export function kubeconfigPaths(env: Readonly<Record<string, string | undefined>> = process.env): readonly string[] {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(homedir(), '.kube', 'config')];
}

/** Where kubectl would put something new: the first file that is there, else the last one named. */
export async function fileForNewEntries(paths = kubeconfigPaths()): Promise<string> {
  for (const path of paths) if (await exists(path)) return path;
  return paths.at(-1) ?? '';
}

/** Changes a file, or makes it; `edit` gets its text and gives the new one. */
export async function changeFile(path: string, edit: (text: string) => string): Promise<void> {
  // What a link points to is replaced, not the link.
  const target = await realpath(path).catch(() => path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const unlock = await lock(target);
  try {
    const before = await readIfPresent(target);
    const after = edit(before ?? '');
    if (after === before) return;
    if (before !== undefined) await backUpOnce(target);
    await writePrivate(target, after);
  } finally {
    await unlock();
  }
}

async function lock(path: string): Promise<() => Promise<void>> {
  const file = `${path}.lock`;
  const until = Date.now() + LOCK_WITHIN_MS;
  for (;;) {
    try {
      await (await open(file, 'wx', 0o600)).close();
      return () => rm(file, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      if (Date.now() > until)
        throw new CommandFailure(`${path} is locked`, {
          why: `kubectl or another program is changing it, or left ${file} behind`,
          next: `try again; if nothing is running: rm ${file}`,
          cause,
        });
      await sleep(50);
    }
  }
}

async function backUpOnce(path: string): Promise<void> {
  await copyFile(path, `${path}.before-kairship`, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
