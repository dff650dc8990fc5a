/**
 * Starts a small platform once and stops it again, part of every install: Node then has all programs compiled, and the
 * first start somebody waits for is as quick as every later one.
 *
 * Says nothing, and keeps no install from succeeding: where no platform can be started now, the first start compiles.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const KAIRSHIP = resolve(import.meta.dirname, '../bin/kairship');
/** What Node compiled is written when a program ends by itself; one that hangs is not waited for. */
const [WITHIN_MS, STOP_MS] = [60_000, 15_000];

function startAndStop(directory: string): Promise<void> {
  const args = ['up', '--data-dir', directory, '--port', '0', '--members', '1'];
  const child = spawn(KAIRSHIP, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const stop = () => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), STOP_MS).unref();
  };
  const tired = setTimeout(stop, WITHIN_MS);
  // It prints once, when all of it runs.
  child.stdout.once('data', stop);
  return new Promise((done) => {
    for (const end of ['exit', 'error'])
      child.once(end, () => {
        clearTimeout(tired);
        done();
      });
  });
}

try {
  const directory = mkdtempSync(join(tmpdir(), 'kairship-install-'));
  await startAndStop(directory);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
} catch {
  // Only time is lost, and only at the first start.
}
