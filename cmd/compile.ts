/**
 * `kairship __compile`: loads every program and every command, and starts none of them.
 *
 * What Node compiles on the way it keeps in the compile cache, so that the first `kairship up` after an install finds it
 * there: it would spend a third of its CPU time on it. An install does this while it builds the console.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export const PROGRAMS = [
  'up.ts',
  'apiserver.ts',
  'controller-manager.ts',
  'ghippo.ts',
  'karmada.ts',
  'kpanda.ts',
  'kube-apiserver.ts',
  'agent.ts',
  'member.ts',
  'operator.ts',
  'print-crds.ts',
];

export async function compile(): Promise<void> {
  const commands = (await readdir(join(import.meta.dirname, 'commands'))).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  for (const file of [...PROGRAMS, ...commands.map((each) => `commands/${each}`)]) await import(`./${file}`);
  // Loaded only when certificates are made, which a first start does.
  await import('reflect-metadata');
  await import('@peculiar/x509');
}
