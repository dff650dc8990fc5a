/**
 * A reader who types what documents say: in a shell that goes on from block to block, in a folder that looks like a
 * clone, beside a platform that runs there. Nothing outside the folder is read or written.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { kubectlPath } from '../../scripts/test-tools.ts';
import { endsWithUs } from '../guard.ts';
import { type Platform, startPlatform, temporaryDirectory } from '../platform.ts';
import { type Block, type Command, missing } from './read-document.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const WITHIN_MS = 90_000;
const DONE = '@@it ended with';

export interface Place {
  readonly path: string;
  readonly platform: Platform;
  readonly env: NodeJS.ProcessEnv;
  leave(): Promise<void>;
}

/** A folder with `bin` and `docs` as a clone has them, and a platform started in it as the README says. */
export async function place(): Promise<Place> {
  const { path, remove } = temporaryDirectory();
  for (const name of ['bin', 'docs']) symlinkSync(join(ROOT, name), join(path, name));
  const tools = join(path, '.tools');
  const home = join(path, '.home');
  mkdirSync(tools);
  mkdirSync(home);
  for (const tool of ['kubectl', 'helm'] as const)
    symlinkSync(kubectlPath('1.35', tool) ?? `/usr/bin/${tool}`, join(tools, tool));
  const platform = await startPlatform(join(path, '.kairship'));
  return {
    path,
    platform,
    env: {
      PATH: [tools, join(ROOT, 'bin'), process.env['PATH']].join(delimiter),
      HOME: home,
      NO_COLOR: '1',
      ...(process.env['NODE_COMPILE_CACHE'] ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] } : {}),
    },
    async leave() {
      await platform.stop();
      remove();
    },
  };
}

export interface Reader {
  /** Does what a block says; throws when something else comes of it. */
  follow(block: Block): Promise<void>;
  leave(): void;
}

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** A shell of one's own, whose variables and aliases last from one block to the next. */
export function reader({ path, env, platform }: Place): Reader {
  const { port } = new URL(platform.consoleUrl);
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd: path, env, stdio: 'pipe', detached: true });
  endsWithUs(shell);
  let said = '';
  /** What never came to an end. */
  let stuck = '';
  let changed = Promise.withResolvers<void>();
  const tell = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  shell.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    tell();
  });
  shell.once('exit', tell);
  shell.stdin.write('exec 2>&1\nshopt -s expand_aliases\n');

  /** Waits for something in what is printed. */
  async function until(pattern: RegExp, what: string): Promise<RegExpExecArray> {
    const timer = setTimeout(tell, WITHIN_MS);
    const deadline = Date.now() + WITHIN_MS;
    try {
      for (;;) {
        const found = pattern.exec(said);
        if (found) return found;
        if (Date.now() >= deadline || shell.exitCode !== null) {
          stuck = what;
          throw new Error(`${what} does not end; it said:\n${said}`);
        }
        await changed.promise;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async function type(text: string, endless: boolean): Promise<Outcome> {
    said = '';
    // In a group of its own, or it would read what is typed next; the port of a platform is the one it has here.
    const here = text.replaceAll('127.0.0.1:7300', `127.0.0.1:${port}`);
    const work = endless ? untilItSpoke(here) : `{ ${here}\n} < /dev/null`;
    shell.stdin.write(`${work}\nprintf '\\n${DONE} %s\\n' $?\n`);
    const [all, code = ''] = await until(new RegExp(`${DONE} (\\d+)\n`), text);
    return { code: Number(code), output: said.slice(0, said.indexOf(all)) };
  }

  async function obey(command: Command): Promise<void> {
    const deadline = Date.now() + WITHIN_MS;
    for (;;) {
      const { code, output } = await type(command.text, command.endless);
      const problem = problemOf(command, code, output);
      if (problem === undefined) return;
      // What is asked too early is asked again, as a reader would; what changes something is done once.
      if (!isQuestion(command.text) || Date.now() > deadline)
        throw new Error(`line ${command.line}: ${command.text}\n${problem}; it printed:\n${output}`);
      await new Promise((done) => setTimeout(done, 300));
    }
  }

  return {
    async follow(block) {
      if (stuck !== '') throw new Error(`nothing more can be typed: ${stuck} did not end`);
      if (block.kind === 'file') return writeFileSync(join(path, block.name), `${block.content}\n`);
      for (const command of block.commands) await obey(command);
    },
    leave: () => end(shell),
  };
}

function problemOf({ code, prints, endless }: Command, ended: number, output: string): string | undefined {
  if (!endless && ended !== code) return `it ended with ${ended}, not with ${code}`;
  const line = missing(prints, output);
  return line === undefined ? undefined : `it did not print "${line}"`;
}

const QUESTION =
  /(^|[\s/])(kubectl( --?[a-z-]+[ =]\S+)* (get|describe|logs|exec|top)|kairship (status|doctor|why|trace|get|describe|logs|exec|top|events|drift (list|show)|cluster list|instance (list|get)|role (can|who-can|list)|user list|audit|plan|rehearse|whoami)|api|curl) /;

const isQuestion = (text: string) => QUESTION.test(`${text} `) && !/\s>\s/.test(text);

/** Begins it, waits until it has said something, and ends it as Ctrl-C would. */
function untilItSpoke(text: string): string {
  return [
    `${text.replace(/\s# .*$/, '')} > .said < /dev/null &`,
    'for _ in $(seq 900); do [ -s .said ] && break; sleep 0.1; done',
    'kill -INT $! ; wait $! 2> /dev/null; cat .said; [ -s .said ]',
  ].join('\n');
}

/** With everything it has begun. */
function end(shell: ChildProcess): void {
  if (shell.pid === undefined || shell.exitCode !== null) return;
  try {
    process.kill(-shell.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
