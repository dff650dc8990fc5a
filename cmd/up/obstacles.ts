/** What can be in the way of a start, each told so that its reader knows what to do. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type DataDirectory, dataDirectory, isFree } from '#kairship/local/data-directory.ts';
import { holdDirectory } from '#kairship/local/single-run.ts';
import { CommandFailure } from '../cli/failure.ts';

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'it may not be written to',
  EPERM: 'it may not be written to',
  EROFS: 'its file system may only be read',
  ENOSPC: 'its file system is full',
};

/** The folder, made if it is not there. */
export async function openDirectory(path: string): Promise<DataDirectory> {
  try {
    return await dataDirectory(path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new CommandFailure(`${path} cannot be the data directory`, {
      why: REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause)),
      next: 'name a folder that is empty or does not exist yet: --data-dir <folder>',
      cause,
    });
  }
}

/** Holds the folder until the returned function is called. */
export async function holdAlone({ path }: DataDirectory): Promise<() => Promise<void>> {
  return holdDirectory(path).catch((cause: unknown) => {
    throw new CommandFailure(`${path} is in use`, {
      why: 'another kairship up runs on it',
      next: 'stop that one with Ctrl-C, or choose another folder with --data-dir',
      cause,
    });
  });
}

export async function requireFreePort(port: number): Promise<void> {
  if (await isFree(port)) return;
  throw new CommandFailure(`port ${port} is already in use`, {
    why: 'another program listens there on 127.0.0.1, perhaps another platform',
    next: 'choose another one with --port, or --port 0 for any that is free',
  });
}

/** A program of ours that ended again and again before it was ready. */
export async function doesNotStart(program: string, how: string, logFile: string): Promise<CommandFailure> {
  return new CommandFailure(`${program} does not start: ${how}`, {
    why: (await lastError(logFile)) ?? 'it did not say why',
    next: `read ${logFile}`,
  });
}

/** The last thing a program said when it gave up. */
async function lastError(logFile: string): Promise<string | undefined> {
  let found: string | undefined;
  for await (const line of createInterface({ input: createReadStream(logFile) }))
    found = /^Error: (.*)/.exec(line)?.[1] ?? found;
  return found;
}
