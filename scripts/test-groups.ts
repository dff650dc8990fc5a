/**
 * Which test files share a process.
 *
 * A process loads much of the product before its first test: for most files that is more than their tests take. So the
 * files of a room are imported by one, a few at a time. Alone stay journeys, which take long and would keep what comes
 * after them waiting, and whatever touches what a process has only one of: its environment, its signals, its clock,
 * hooks of a whole run, other programs.
 *
 * A process that ends before its time is told as a failure of each of its files: what they had to say was lost.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Small enough that no process is the one that everybody waits for at the end. */
const MOST = 8;
const ALONE = /^e2e\//;
const OF_THE_PROCESS =
  /\bprocess\.(?:env|chdir|exit|on|once|kill|argv|stdout|stderr)\b|\bmock\.|node:(?:child_process|worker_threads|cluster)|\bglobalThis\b|^(?:before|after|beforeEach|afterEach)\(/m;

/** Files that run in one process, in the order they came in. */
export function groupsOf(files: readonly string[], textOf: (file: string) => string): readonly (readonly string[])[] {
  const groups: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    if (ALONE.test(file) || OF_THE_PROCESS.test(textOf(file))) {
      groups.push([file]);
      continue;
    }
    const room = roomOf(file);
    const group = open.get(room);
    if (group && group.length < MOST) group.push(file);
    else {
      const next = [file];
      open.set(room, next);
      groups.push(next);
    }
  }
  return groups;
}

/** `src/kube/store/a.test.ts` is of `src/kube`: neighbours there load much the same. */
const roomOf = (file: string) => file.split('/').slice(0, -1).slice(0, 2).join('/');

export interface Entry {
  /** What the process is started with: the file itself if it is alone. */
  readonly path: string;
  readonly files: readonly string[];
}

/** Modules that import the files of a group, in a directory that the caller removes. */
export function entriesOf(groups: readonly (readonly string[])[]): {
  readonly entries: readonly Entry[];
  readonly directory: string;
} {
  const directory = mkdtempSync(join(tmpdir(), 'kairship-tests-'));
  const entries = groups.map((files, index) => {
    const [only] = files;
    if (only !== undefined && files.length === 1) return { path: only, files };
    const path = join(directory, `${index}.mjs`);
    writeFileSync(path, files.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)};\n`).join(''));
    return { path, files };
  });
  return { entries, directory };
}
