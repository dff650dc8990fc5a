/**
 * Builds the console into `console/dist`: `npm run build:console`, and part of every install.
 *
 * Says nothing unless something is wrong. An install for production has everything this needs; one that left parts out
 * on purpose gets a platform without a console, not a failed install.
 */
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

async function build(): Promise<void> {
  const vite = await import('vite').catch(() => undefined);
  if (!vite) return console.warn('the console is not built: vite is not installed');
  await vite.build({ configFile: resolve(ROOT, 'console/vite.config.ts'), logLevel: 'error' });
}

await build();
