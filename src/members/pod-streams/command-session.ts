/** A simulated command as a session: its streams, and how it ends. */
import { PassThrough } from 'node:stream';
import type { CommandOptions, CommandSession } from '#kube/streams/pod-streams.ts';
import type { Machine } from './machine/machine.ts';
import { interactiveShell, isInteractive } from './shell/interactive.ts';
import { inputOf, NO_INPUT } from './shell/io.ts';
import type { Process } from './shell/programs.ts';
import { runProgram } from './shell/shell.ts';
import { terminal } from './shell/terminal.ts';

export function execSession(machine: Machine, command: readonly string[], options: CommandOptions): CommandSession {
  return session(options, (streams) => (options.tty ? atTerminal : plainly)(machine, command, options, streams));
}

interface Streams {
  readonly stdin: PassThrough | undefined;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

export function session(options: CommandOptions, run: (streams: Streams) => Promise<number>): CommandSession {
  const stdin = options.stdin ? new PassThrough() : undefined;
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const all = [stdin, stdout, stderr];
  for (const stream of all) stream?.on('error', () => undefined);
  options.signal.addEventListener('abort', () => all.forEach((stream) => stream?.destroy()), { once: true });
  // What nobody reads must not hold up the command.
  if (!options.stdout) stdout.resume();
  if (!options.stderr) stderr.resume();
  const exit = run({ stdin, stdout, stderr }).finally(() => {
    stdout.end();
    stderr.end();
    stdin?.destroy();
  });
  return {
    ...(stdin ? { stdin } : {}),
    ...(options.stdout ? { stdout } : {}),
    ...(options.stderr ? { stderr } : {}),
    resize: () => undefined,
    exit,
  };
}

function plainly(machine: Machine, command: readonly string[], { signal }: CommandOptions, streams: Streams) {
  const { stdin, stdout, stderr } = streams;
  const input = stdin ? inputOf(stdin) : NO_INPUT;
  return runProgram(command, { machine, stdin: input, stdout, stderr, workingDir: machine.workingDir, signal });
}

async function atTerminal(machine: Machine, command: readonly string[], options: CommandOptions, streams: Streams) {
  const screen = terminal(streams.stdin, streams.stdout);
  const interrupted = new AbortController();
  const signal = AbortSignal.any([options.signal, interrupted.signal]);
  const { output } = screen;
  const own: Process = {
    machine,
    stdin: screen,
    stdout: output,
    stderr: output,
    workingDir: machine.workingDir,
    signal,
  };
  screen.onInterrupt(() => interrupted.abort());
  const stopped = new Promise<number>((resolve) => {
    interrupted.signal.addEventListener('abort', () => resolve(130), { once: true });
  });
  const running = isInteractive(command)
    ? interactiveShell(screen, { ...own, signal: options.signal })
    : Promise.race([runProgram(command, own), stopped]);
  return running.finally(() => output.end());
}
