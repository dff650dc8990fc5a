/** Scratch files for the tests of SQLite stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from './sqlite-store.ts';
import type { OpenedStore } from './store-contract.ts';

export interface Scratch {
  readonly directory: string;
  path(name: string): string;
  /** A fresh store, for the contract suite. */
  open(): Promise<OpenedStore>;
  remove(): void;
}

/**
 * A directory of its own. Threads started after this keep what they compile in it, as the product's launcher has it:
 * a test file starts dozens of them, and each would translate the same modules again.
 */
export function scratch(): Scratch {
  const directory = mkdtempSync(join(tmpdir(), 'kairship-store-'));
  const path = (name: string) => join(directory, name);
  process.env['NODE_COMPILE_CACHE'] ??= path('compiled');
  let count = 0;

  async function open(): Promise<OpenedStore> {
    const options = { file: path(`${++count}.db`), durability: 'normal' } as const;
    const store = await sqliteStore(options);
    let newest = store;
    const reopen = async () => {
      await newest.close();
      newest = await sqliteStore(options);
      return newest;
    };
    return { store, reopen, cleanup: () => newest.close() };
  }

  return { directory, path, open, remove: () => rmSync(directory, { recursive: true }) };
}
