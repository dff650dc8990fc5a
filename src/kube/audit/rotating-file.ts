/**
 * A file that lines are appended to, and that never grows beyond a size: full, it is set aside as `name.1`, the one
 * before as `name.2`, and so on up to a number of files, beyond which the oldest is deleted.
 *
 * Lines are written in order, several at a time, without holding up whoever appends them. If the disk cannot keep up,
 * lines are dropped rather than memory used up, and that is told. Readable by its owner only.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

export interface RotatingFile {
  append(line: string): void;
  /** Resolves when all that was appended is written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface RotatingFileOptions {
  readonly path: string;
  readonly maxBytes: number;
  /** How many files there are besides the one that is written. */
  readonly keep: number;
  readonly maxWaitingBytes: number;
  /** Told of lines that could not be written. */
  readonly onLoss: (lines: number, error?: unknown) => void;
}

export async function rotatingFile(options: RotatingFileOptions): Promise<RotatingFile> {
  const { path, maxBytes, keep, maxWaitingBytes, onLoss } = options;
  let file = await openForAppending(path);
  let size = (await file.stat()).size;
  let waiting: string[] = [];
  let waitingBytes = 0;
  let lost = 0;
  let writing: Promise<void> | undefined;

  async function rotate(): Promise<void> {
    await file.close();
    await rm(`${path}.${keep}`, { force: true });
    for (let number = keep - 1; number >= 1; number--)
      await rename(`${path}.${number}`, `${path}.${number + 1}`).catch(ifMissing);
    if (keep > 0) await rename(path, `${path}.1`);
    else await rm(path);
    file = await openForAppending(path);
    size = 0;
  }

  async function write(lines: readonly string[]): Promise<void> {
    let batch: string[] = [];
    for (const line of lines) {
      const bytes = Buffer.byteLength(line);
      if (size > 0 && size + bytes > maxBytes) {
        await file.appendFile(batch.join(''));
        batch = [];
        await rotate();
      }
      batch.push(line);
      size += bytes;
    }
    await file.appendFile(batch.join(''));
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0 || lost > 0) {
      const [lines, missed] = [waiting, lost];
      [waiting, waitingBytes, lost] = [[], 0, 0];
      if (missed > 0) onLoss(missed);
      await write(lines).catch((error: unknown) => onLoss(lines.length, error));
    }
    writing = undefined;
  }

  return {
    append(line) {
      if (waitingBytes + line.length > maxWaitingBytes) lost++;
      else {
        waiting.push(line);
        waitingBytes += line.length;
      }
      writing ??= drain();
    },
    flush: async () => writing,
    async close() {
      await writing;
      await file.close();
    },
  };
}

function openForAppending(path: string): Promise<FileHandle> {
  return open(path, 'a', 0o600);
}

function ifMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
