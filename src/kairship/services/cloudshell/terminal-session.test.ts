import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fakeClock } from '#base/clock.ts';
import type { Said } from './run-line.ts';
import { completion, printable, terminalSession } from './terminal-session.ts';

const [CTRL_C, CTRL_D, CTRL_Z, UP] = ['\u0003', '\u0004', '\u001a', '\u001b[A'];

function terminal(answer: (line: string, input: string, signal: AbortSignal) => AsyncIterable<Said>) {
  const clock = fakeClock();
  const ran: string[] = [];
  const leaving = new AbortController();
  const session = terminalSession({
    instance: 'demo',
    idleMs: 5_000,
    clock,
    signal: leaving.signal,
    run(line, input, signal) {
      ran.push(input === '' ? line : `${line} < ${input}`);
      return answer(line, input, signal);
    },
    onActivity: () => undefined,
  });
  let shown = '';
  let look = () => {};
  session.stdout?.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    look();
  });
  return {
    session,
    clock,
    ran,
    leave: () => leaving.abort(),
    shown: () => shown,
    type: (keys: string) => void session.stdin?.write(keys),
    until: async (wanted: RegExp) => {
      while (!wanted.test(shown)) await new Promise<void>((resolve) => (look = resolve));
    },
  };
}

async function* says(output: string): AsyncGenerator<Said> {
  yield { output };
  yield { ended: true, exitCode: 0 };
}

async function* fails(): AsyncGenerator<Said> {
  yield { output: 'error: no\n', isError: true };
  yield { ended: true, exitCode: 3 };
}

describe('a terminal', { timeout: 120_000 }, () => {
  it('prompts, runs what is typed, and ends as its last command did', async () => {
    const { session, type, ran, shown, until } = terminal((line) => (line === 'bad' ? fails() : says('one\ntwo\n')));
    await until(/demo> /);
    type('kubectl get podx\u007fs\r');
    await until(/one\r\ntwo\r\n.*demo> /s);
    type('bad\r');
    await until(/error: no/);
    type('exit\r');
    assert.equal(await session.exit, 3);
    assert.deepEqual(ran, ['kubectl get pods', 'bad']);
    assert.match(shown(), /with your own rights/);
  });

  it('remembers and completes what was typed', async () => {
    const { session, type, ran, until } = terminal(() => says('said\n'));
    await until(/demo> /);
    type('kubectl ver\t');
    await until(/version /);
    type('\r');
    await until(/said\r\n.*demo> /s);
    type(`${UP}\r`);
    await until(/said.*said.*demo> /s);
    type(CTRL_D);
    assert.equal(await session.exit, 0);
    assert.deepEqual(ran, ['kubectl version', 'kubectl version']);
    assert.deepEqual(completion('kube'), [['kubectl '], 'kube']);
    assert.deepEqual(completion('constructor to'), [[], 'to']);
    assert.deepEqual(completion('kubectl get po'), [[], '']);
  });

  it('gives a command the manifests it asks for, and remembers none of them', async () => {
    const { session, type, ran, until } = terminal(() => says('applied\n'));
    await until(/demo> /);
    type('kubectl apply -f -\r');
    type('kind: ConfigMap\rdata: {}\r');
    type(CTRL_D);
    await until(/applied.*demo> /s);
    type(`${UP}\r${CTRL_C}`);
    await until(/demo> .*\^C.*demo> /s);
    type(CTRL_D);
    await session.exit;
    assert.deepEqual(ran, ['kubectl apply -f - < kind: ConfigMap\ndata: {}\n']);
  });

  it('interrupts what runs, and forgets what is typed, at Ctrl-C', async () => {
    const { session, type, ran, until } = terminal(async function* (_line, _input, signal) {
      yield { output: 'waiting\n' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield { output: 'too late\n' };
    });
    await until(/demo> /);
    type(`half a line${CTRL_C}`);
    await until(/\^C.*demo> /s);
    type('sleep\r');
    await until(/waiting/);
    type(CTRL_C);
    await until(/\^C.*\^C.*demo> /s);
    type(CTRL_D);
    assert.equal(await session.exit, 130);
    assert.deepEqual(ran, ['sleep']);
  });

  it('does not hold the server still at Ctrl-Z', async () => {
    const { session, type, ran, until } = terminal(() => says('still here\n'));
    await until(/demo> /);
    type(`${CTRL_Z}help\r`);
    await until(/still here/);
    type(`${CTRL_Z}${CTRL_D}`);
    await session.exit;
    assert.deepEqual(ran, ['help']);
  });

  it('ends after a long silence, and when its caller leaves', async () => {
    const silent = terminal(() => says(''));
    await silent.until(/demo> /);
    await silent.clock.advance(4_000);
    silent.type('x');
    await turn();
    await silent.clock.advance(4_000);
    assert.doesNotMatch(silent.shown(), /silence/);
    await silent.clock.advance(5_000);
    await silent.session.exit;
    assert.match(silent.shown(), /ended after 5 s of silence/);
    const left = terminal(() => says(''));
    await left.until(/demo> /);
    left.leave();
    await left.session.exit;
  });

  it('ends with a connection that breaks', async () => {
    const { session, type, until } = terminal(() => says(''));
    await until(/demo> /);
    type('half a li');
    session.stdin?.destroy(new Error('Premature close'));
    assert.equal(await session.exit, 0);
  });

  it('takes no line without end', async () => {
    const { session, type, ran, until } = terminal(() => says('ran\n'));
    await until(/demo> /);
    type('x'.repeat(9_000));
    await until(/too long/);
    type(`\rhelp\r`);
    await until(/ran/);
    type(CTRL_D);
    await session.exit;
    assert.ok(ran.every((line) => line.length < 9_000));
  });

  it('lets no object play tricks with it', () => {
    assert.equal(printable('a\u001b]0;x\u0007\u009b31mb\tc\n\r\u202ed'), 'a]0;x31mb\tc\nd');
  });
});
