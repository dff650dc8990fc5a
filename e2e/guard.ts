/**
 * What a test starts must not outlive it: a test that is killed has no time to stop anything.
 *
 * Each child is watched by a shell in a session of its own, whose input is held open by the test alone. It closes when
 * the test is gone for whatever reason; then the child is asked to end, and made to when it does not.
 */
import { type ChildProcess, spawn } from 'node:child_process';

const PATIENCE_S = 10;
const WATCH = `read -r _; kill -TERM "$1" && sleep ${PATIENCE_S} && kill -KILL "$1"`;

/** Ends `child` when this process ends before it. */
export function endsWithUs(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const guard = spawn('sh', ['-c', WATCH, 'guard', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  // A socket, which the types do not say.
  (guard.stdin as unknown as { unref(): void }).unref();
  child.once('exit', () => guard.kill('SIGKILL'));
}
