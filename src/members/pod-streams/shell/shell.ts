/** Runs programs and scripts in a simulated container; unknown programs end with 127, as a shell ends them. */
import { posix } from 'node:path';
import { PassThrough } from 'node:stream';
import { inputOf, type Input, NO_INPUT, write } from './io.ts';
import { type Command, expandWords, parseScript, ShellSyntaxError, type Step } from './parse.ts';
import { type Process, PROGRAMS } from './programs.ts';

const SHELLS = new Set(['sh', 'bash', 'ash', 'dash']);

/** Runs one program with its arguments, as `exec` is given them. */
export async function runProgram(argv: readonly string[], process: Process): Promise<number> {
  const [path = '', ...args] = argv;
  const name = /^(?:\/usr\/local|\/usr)?\/s?bin\/([^/]+)$/.exec(path)?.[1] ?? path;
  if (SHELLS.has(name)) return runShell(args, process);
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (program) return program(args, process);
  await write(process.stderr, `sh: ${path}: not found\n`);
  return 127;
}

function runShell(args: readonly string[], process: Process): Promise<number> {
  // `-c`, also among other options (`-ec`): then the script is an argument, otherwise it is read.
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  return at < 0
    ? readScript(process)
    : shell(process)
        .run(args[at + 1] ?? '')
        .then(({ code }) => code);
}

/** Reads a script line by line and runs each; programs that it starts have no input of their own. */
async function readScript(process: Process): Promise<number> {
  const script = shell({ ...process, stdin: NO_INPUT });
  let text = '';
  let code = 0;
  for (let chunk = await process.stdin.next(); ; chunk = await process.stdin.next()) {
    text += chunk?.toString() ?? '\n';
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const result = await script.run(line);
      code = result.code;
      if (result.exits || process.signal.aborted) return code;
    }
    if (!chunk) return code;
  }
}

export interface Result {
  readonly code: number;
  /** The script said `exit`. */
  readonly exits: boolean;
}

export interface Shell {
  /** `signal` interrupts this script alone. */
  run(script: string, signal?: AbortSignal): Promise<Result>;
  workingDir(): string;
}

/** A shell that remembers its working directory and the last exit code. */
export function shell(process: Process): Shell {
  let last = 0;
  let { workingDir } = process;
  const value = (name: string) => (name === '?' ? String(last) : (process.machine.env[name] ?? ''));

  async function run(script: string, signal = process.signal): Promise<Result> {
    let steps: readonly Step[];
    try {
      steps = parseScript(script);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      await write(process.stderr, `sh: ${error.message}\n`);
      last = 2;
      return { code: last, exits: false };
    }
    for (const { after, pipeline } of steps) {
      if ((after === '&&' && last !== 0) || (after === '||' && last === 0)) continue;
      const exits = await runStep(pipeline, signal);
      if (signal.aborted) last = 130;
      if (exits || signal.aborted) return { code: last, exits };
    }
    return { code: last, exits: false };
  }

  /** Whether the shell is to end. */
  async function runStep(pipeline: readonly Command[], signal: AbortSignal): Promise<boolean> {
    const commands = pipeline.map((command) => expandWords(command, value));
    const [name, argument] = commands.length === 1 ? (commands[0] ?? []) : [];
    if (name === 'exit') {
      last = argument === undefined ? last : Number.parseInt(argument, 10) & 0xff;
      return true;
    }
    last = name === 'cd' ? await changeDirectory(argument ?? '/root') : await runPipeline(commands, signal);
    return false;
  }

  async function changeDirectory(to: string): Promise<number> {
    const full = posix.resolve(workingDir, to);
    if (process.machine.files.list(full)) {
      workingDir = full;
      return 0;
    }
    await write(process.stderr, `sh: cd: can't cd to ${to}: No such file or directory\n`);
    return 2;
  }

  async function runPipeline(commands: readonly (readonly string[])[], signal: AbortSignal): Promise<number> {
    let stdin: Input = process.stdin;
    const running = commands.map((argv, index) => {
      const own = { ...process, workingDir, signal, stdin };
      if (index === commands.length - 1) return runCommand(argv, own);
      const pipe = new PassThrough();
      stdin = inputOf(pipe);
      return runCommand(argv, { ...own, stdout: pipe }).finally(() => pipe.end());
    });
    return (await Promise.all(running)).at(-1) ?? 0;
  }

  const runCommand = (argv: readonly string[], own: Process) =>
    argv.length === 0 ? Promise.resolve(0) : runProgram(argv, own);

  return { run, workingDir: () => workingDir };
}
