import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fakeClock } from '#base/clock.ts';
import { execSession } from '../command-session.ts';
import type { Machine } from '../machine/machine.ts';
import { terminal } from './terminal.ts';

const machine: Machine = {
  hostname: 'web',
  env: {},
  files: { read: () => undefined, list: (path) => (path === '/etc' ? [] : undefined) },
  workingDir: '/',
  user: 'root',
  clock: fakeClock(),
};

function screen() {
  const keyboard = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  return { keyboard, own: terminal(keyboard, output), shown: () => shown };
}

describe('a simulated terminal', () => {
  it('echoes and edits a line before it hands it on', async () => {
    const { keyboard, own, shown } = screen();
    keyboard.write('lx\u007fs\u001b[A\r');
    assert.equal(String(await own.next()), 'ls\n');
    assert.equal(shown(), 'lx\b \bs\r\n');
  });

  it('ends the input at Ctrl-D, once', async () => {
    const { keyboard, own } = screen();
    keyboard.write('\u0004a\r');
    assert.equal(await own.next(), undefined);
    assert.equal(String(await own.next()), 'a\n');
  });

  it('forgets the line at Ctrl-C', async () => {
    const { keyboard, own } = screen();
    let interrupts = 0;
    own.onInterrupt(() => interrupts++);
    keyboard.write('rm -rf\u0003ls\r');
    assert.equal(String(await own.next()), 'ls\n');
    assert.equal(interrupts, 1);
  });

  it('returns the carriage of what is printed', async () => {
    const { own, shown } = screen();
    own.output.write('one\ntwo\r\n');
    await turn();
    assert.equal(shown(), 'one\r\ntwo\r\n');
  });

  it('keeps no more than a terminal would of what nobody reads', async () => {
    const { keyboard, own } = screen();
    keyboard.end(`${'x'.repeat(10_000)}\r${'y\r'.repeat(1_000)}`);
    await turn();
    assert.equal((await own.next())?.length, 4_097);
    let lines = 0;
    while (await own.next()) lines++;
    assert.equal(lines, 255);
  });
});

describe('a shell at a terminal', { timeout: 120_000 }, () => {
  const options = {
    container: 'c',
    tty: true,
    stdin: true,
    stdout: true,
    stderr: false,
    signal: new AbortController().signal,
  };
  function start(command: readonly string[]) {
    const session = execSession(machine, command, options);
    let shown = '';
    session.stdout?.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    return { session, shown: () => shown, type: (keys: string) => session.stdin?.write(keys) };
  }

  it('greets, prompts, runs what is typed, and exits', async () => {
    const { session, shown, type } = start(['/bin/sh']);
    type('echo hi\r');
    type('cd /etc\r');
    type('exit 4\r');
    assert.equal(await session.exit, 4);
    await turn();
    // Typed ahead, so echoed before the first prompt.
    assert.match(shown(), /^This container is simulated: [^\n]*\r\necho hi\r\n/);
    assert.match(shown(), /\/ # hi\r\n\/ # \/etc # $/);
  });

  it('is left with Ctrl-D, and interrupts what it runs at Ctrl-C', async () => {
    const { session, type } = start(['bash']);
    type('sleep 1000\r');
    await turn();
    type('\u0003');
    await turn();
    type('echo $?\r\u0004');
    assert.equal(await session.exit, 0);
  });

  it('gives programs the same terminal', async () => {
    const { session, shown, type } = start(['cat']);
    type('echoed\r\u0004');
    assert.equal(await session.exit, 0);
    await turn();
    assert.equal(shown(), 'echoed\r\nechoed\r\n');
    const sleeping = start(['sleep', '1000']);
    sleeping.type('\u0003');
    assert.equal(await sleeping.session.exit, 130);
  });
});
