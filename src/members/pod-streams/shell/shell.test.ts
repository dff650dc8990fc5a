import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fakeClock } from '#base/clock.ts';
import type { Machine } from '../machine/machine.ts';
import { inputOf } from './io.ts';
import { parseScript, ShellSyntaxError } from './parse.ts';
import { runProgram } from './shell.ts';

const FILES: Readonly<Record<string, string>> = { '/etc/hostname': 'web\n', '/etc/a b': 'spaced\n' };
const machine: Machine = {
  hostname: 'web',
  env: { WHO: 'world', MANY: 'one  two', EMPTY: '' },
  files: {
    read: (path) => FILES[path],
    list: (path) => (path === '/etc' ? ['a b', 'hostname'] : path === '/' ? ['etc'] : undefined),
  },
  workingDir: '/',
  user: 'root',
  clock: fakeClock(Date.UTC(2026, 0, 1)),
};

async function run(argv: readonly string[], stdin = '', signal = new AbortController().signal) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const process = {
    machine,
    stdin: inputOf(Readable.from([Buffer.from(stdin)])),
    stdout,
    stderr,
    workingDir: '/',
    signal,
  };
  const code = await runProgram(argv, process);
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

const sh = (script: string, stdin = '') => run(['sh', '-c', script], stdin);

describe('the shell of a simulated container', () => {
  const scripts: [script: string, out: string, code?: number, err?: string][] = [
    ['echo hello   world', 'hello world\n'],
    ['echo -n no newline', 'no newline'],
    ["echo -e 'a\\tb'", 'a\tb\n'],
    ['echo \'$WHO\' "$WHO" ${WHO}s \\$WHO', '$WHO world worlds $WHO\n'],
    ['echo $MANY "$MANY" [$EMPTY] $EMPTY"" $', 'one two one  two []  $\n'],
    ['true && echo yes || echo no', 'yes\n'],
    ['false && echo yes || echo no', 'no\n'],
    ['false; echo $?; true; echo $?', '1\n0\n'],
    ['echo a; exit 3; echo b', 'a\n', 3],
    ['exit 300', '', 44],
    ['echo one\necho two # a comment', 'one\ntwo\n'],
    ['echo piped | cat | cat', 'piped\n'],
    ['false | true', '', 0],
    ['cat /etc/hostname "/etc/a b"', 'web\nspaced\n'],
    ['cat', 'from stdin'],
    [
      'cat /nope /etc',
      '',
      1,
      "cat: can't open '/nope': No such file or directory\ncat: can't open '/etc': Is a directory\n",
    ],
    [
      'cd /etc && pwd && cat hostname; cd nope',
      '/etc\nweb\n',
      2,
      "sh: cd: can't cd to nope: No such file or directory\n",
    ],
    ['ls; ls /etc /nope', 'etc\na b\nhostname\n', 1, 'ls: /nope: No such file or directory\n'],
    ['hostname; whoami; pwd; date', 'web\nroot\n/\nThu Jan  1 00:00:00 UTC 2026\n'],
    ['printenv WHO NOPE', 'world\n', 1],
    ['/bin/echo by path; /usr/bin/env', 'by path\nWHO=world\nMANY=one  two\nEMPTY=\n'],
    ['sh -c "echo nested; exit 5"', 'nested\n', 5],
    ['vi /etc/hostname', '', 127, 'sh: vi: not found\n'],
    ['constructor', '', 127, 'sh: constructor: not found\n'],
    ['sleep x', '', 1, "sleep: invalid number 'x'\n"],
    ['echo $(date)', '', 2, 'sh: syntax error: unexpected "$("\n'],
    ['echo a > /tmp/x', '', 2, 'sh: syntax error: unexpected ">"\n'],
    ["echo 'open", '', 2, 'sh: syntax error: unterminated quoted string\n'],
    ['| cat', '', 2, 'sh: syntax error: unexpected "end of file"\n'],
    ['true &&', '', 2, 'sh: syntax error: unexpected "end of file"\n'],
    ['', ''],
    [' ; ', ''],
  ];
  for (const [script, out, code = 0, err = ''] of scripts) {
    it(`runs ${JSON.stringify(script)}`, async () =>
      assert.deepEqual(await sh(script, 'from stdin'), { code, out, err }));
  }

  it('reads its script when it is given none', async () => {
    assert.deepEqual(await run(['sh'], 'echo one\nfalse\necho $?\nexit 9\necho never'), {
      code: 9,
      out: 'one\n1\n',
      err: '',
    });
    assert.equal((await run(['bash'], 'echo without an end')).out, 'without an end\n');
  });

  it('stops a program that is interrupted', async () => {
    const stop = new AbortController();
    const sleeping = run(['sh', '-c', 'sleep infinity; echo never'], '', stop.signal);
    stop.abort();
    assert.deepEqual(await sleeping, { code: 130, out: '', err: '' });
  });

  it('parses or refuses whatever it is given', () => {
    const script = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('&&', '||', '|', ';', "'", '"', '$', '${', '\\', ' ', 'a', '\n')),
    );
    const property = fc.property(script, (parts) => {
      try {
        parseScript(parts.join(''));
      } catch (error) {
        assert.ok(error instanceof ShellSyntaxError, String(error));
      }
    });
    fc.assert(property, { seed: 1, numRuns: 1_000 });
  });
});
