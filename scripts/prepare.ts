/**
 * What an install does once everything is fetched: it builds the console, and meanwhile has Node compile all programs.
 *
 * The second saves time later and is no reason to fail. Nothing is started.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const KAIRSHIP = resolve(import.meta.dirname, '../bin/kairship');

async function compilePrograms(): Promise<void> {
  const child = spawn(KAIRSHIP, ['__compile'], { stdio: 'ignore' });
  await once(child, 'close').catch(() => undefined);
}

await Promise.all([import('./build-console.ts'), compilePrograms()]);
