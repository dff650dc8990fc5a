/** The programs of a simulated container. Each answers with its exit code. */
import { posix } from 'node:path';
import type { Writable } from 'node:stream';
import { sleep } from '#base/clock.ts';
import type { Machine } from '../machine/machine.ts';
import { type Input, write } from './io.ts';

export interface Process {
  readonly machine: Machine;
  readonly stdin: Input;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly workingDir: string;
  readonly signal: AbortSignal;
}

export type Program = (args: readonly string[], process: Process) => Promise<number>;

const say =
  (text: (process: Process) => string): Program =>
  async (_args, process) => {
    await write(process.stdout, `${text(process)}\n`);
    return 0;
  };

const environmentOf = ({ machine }: Process) =>
  Object.entries(machine.env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', e: '\u001b' };

export const PROGRAMS: Readonly<Record<string, Program>> = {
  true: () => Promise.resolve(0),
  ':': () => Promise.resolve(0),
  false: () => Promise.resolve(1),

  async echo(args, { stdout }) {
    const options = /^-[neE]+$/.exec(args[0] ?? '')?.[0] ?? '';
    const text = args.slice(options === '' ? 0 : 1).join(' ');
    const shown = options.includes('e')
      ? text.replace(/\\([ntre\\])/g, (_, char: string) => ESCAPES[char] ?? '')
      : text;
    await write(stdout, options.includes('n') ? shown : `${shown}\n`);
    return 0;
  },

  async env(_args, process) {
    await write(process.stdout, environmentOf(process));
    return 0;
  },

  async printenv(args, process) {
    if (args.length === 0) {
      await write(process.stdout, environmentOf(process));
      return 0;
    }
    const values = args.map((name) => process.machine.env[name]);
    for (const value of values) if (value !== undefined) await write(process.stdout, `${value}\n`);
    return values.includes(undefined) ? 1 : 0;
  },

  async cat(args, process) {
    let code = 0;
    for (const path of args.length === 0 ? ['-'] : args) {
      if (path === '-') await copyInput(process);
      else if (!(await copyFile(path, process))) code = 1;
    }
    return code;
  },

  async sleep(args, { machine, signal, stderr }) {
    const times = args.map(milliseconds);
    if (times.length === 0 || times.includes(undefined)) {
      await write(stderr, `sleep: invalid number '${args.join(' ')}'\n`);
      return 1;
    }
    const ms = times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
    await sleep(machine.clock, ms, signal).catch(() => undefined);
    return 0;
  },

  async ls(args, { machine, workingDir, stdout, stderr }) {
    const paths = args.filter((arg) => !arg.startsWith('-'));
    let code = 0;
    for (const path of paths.length === 0 ? ['.'] : paths) {
      const full = posix.resolve(workingDir, path);
      const names = machine.files.list(full) ?? (machine.files.read(full) === undefined ? undefined : [path]);
      if (names) await write(stdout, names.map((name) => `${name}\n`).join(''));
      else {
        await write(stderr, `ls: ${path}: No such file or directory\n`);
        code = 1;
      }
    }
    return code;
  },

  pwd: say(({ workingDir }) => workingDir),
  hostname: say(({ machine }) => machine.hostname),
  whoami: say(({ machine }) => machine.user),
  date: say(({ machine }) => dateText(machine.clock.now())),
};

async function copyInput({ stdin, stdout, signal }: Process): Promise<void> {
  for (let chunk = await stdin.next(); chunk && !signal.aborted; chunk = await stdin.next()) await write(stdout, chunk);
}

async function copyFile(path: string, { machine, workingDir, stdout, stderr }: Process): Promise<boolean> {
  const full = posix.resolve(workingDir, path);
  const content = machine.files.read(full);
  if (content !== undefined) {
    await write(stdout, content);
    return true;
  }
  const why = machine.files.list(full) ? 'Is a directory' : 'No such file or directory';
  await write(stderr, `cat: can't open '${path}': ${why}\n`);
  return false;
}

const UNITS: Readonly<Record<string, number>> = { '': 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_SLEEP = 2_147_483_647;

function milliseconds(text: string): number | undefined {
  if (/^inf(inity)?$/.test(text)) return LONGEST_SLEEP;
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text) ?? [];
  return number === undefined ? undefined : Math.min(Number(number) * (UNITS[unit] ?? 1_000), LONGEST_SLEEP);
}

/** `Thu Jan  1 00:00:00 UTC 2026`, as date prints it. */
function dateText(now: number): string {
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(now)
    .toUTCString()
    .replace(',', '')
    .split(' ');
  return `${day} ${month} ${date.replace(/^0/, ' ')} ${time} UTC ${year}`;
}
