import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Clock, systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { supervise } from './supervise.ts';

const directory = mkdtempSync(join(tmpdir(), 'kairship-supervise-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/** A child that says it is ready, then waits until its parent is gone. */
const CHILD = `process.on('disconnect', () => process.exit(0)); console.log('hello'); process.send({ ready: { pid: process.pid } });`;

function start(script: string, onReady?: (said: unknown) => void) {
  const stop = new AbortController();
  const logFile = join(directory, 'child.log');
  const program = { name: 'child', command: process.execPath, args: ['-e', script], logFile };
  const options = { clock: systemClock, log: silentLog, signal: stop.signal, ...(onReady ? { onReady } : {}) };
  return { stop, logFile, child: supervise(program, options) };
}

describe('supervise', () => {
  it('tells when the child is ready, keeps its output, and stops it', async () => {
    const { child, stop, logFile } = start(CHILD);
    assert.deepEqual(await child.ready, { pid: child.pid() });
    stop.abort();
    await child.stopped;
    assert.equal(child.pid(), undefined);
    assert.match(readFileSync(logFile, 'utf8'), /hello/);
  });

  it('leaves no timer behind when the child has stopped', async () => {
    const timers = new Set<number>();
    let next = 0;
    const clock: Clock = {
      now: () => systemClock.now(),
      after(ms, action) {
        const id = ++next;
        timers.add(id);
        const cancel = systemClock.after(ms, action);
        return () => {
          timers.delete(id);
          cancel();
        };
      },
    };
    const stop = new AbortController();
    const program = {
      name: 'child',
      command: process.execPath,
      args: ['-e', CHILD],
      logFile: join(directory, 'timers.log'),
    };
    const child = supervise(program, { clock, log: silentLog, signal: stop.signal });
    await child.ready;
    stop.abort();
    await child.stopped;
    assert.equal(timers.size, 0);
  });

  it('starts a killed child again', async () => {
    const said: unknown[] = [];
    const { promise: again, resolve } = Promise.withResolvers<void>();
    const { child, stop } = start(CHILD, (what) => said.push(what) === 2 && resolve());
    await child.ready;
    process.kill(child.pid() ?? 0, 'SIGKILL');
    await again;
    assert.notDeepEqual(said[0], said[1]);
    stop.abort();
    await child.stopped;
  });

  it('a program that cannot be started is no crash of ours', async () => {
    const stop = new AbortController();
    const program = {
      name: 'none',
      command: join(directory, 'missing'),
      args: [],
      logFile: join(directory, 'none.log'),
    };
    const child = supervise(program, { clock: systemClock, log: silentLog, signal: stop.signal });
    stop.abort();
    await child.stopped;
    await assert.rejects(child.ready, /none was stopped before it was ready/);
  });
});
