/** Runs one line in a shell: finds the command, lets it speak within its limits, and says how it ended. */
import { badRequest, StatusError, WIRE } from '#base/status-error.ts';
import { optionsOf, wordsOf } from './command-line.ts';
import { COMMANDS, type Desk, HELP } from './commands.ts';

export const LINE_LIMITS = {
  lineCharacters: 4_096,
  inputBytes: 1 << 20,
  outputCharacters: 1 << 20,
  seconds: 30,
} as const;

export interface Said {
  readonly output?: string;
  readonly isError?: boolean;
  readonly ended?: boolean;
  readonly exitCode?: number;
}

/** As our commands end everywhere: 1 failed, 2 wrong usage, 3 not found, 4 denied, 5 out of time. */
const EXIT: Readonly<Record<number, number>> = { 400: 2, 404: 3, 401: 4, 403: 4, 408: 5, 504: 5 };

export async function* runLine(line: string, desk: Desk): AsyncGenerator<Said> {
  let left: number = LINE_LIMITS.outputCharacters;
  try {
    for await (const output of commandOf(line, desk)) {
      if (desk.signal.aborted)
        throw new StatusError('Timeout', `the command did not end within ${LINE_LIMITS.seconds} s`);
      yield { output: output.slice(0, left) };
      left -= output.length;
      if (left < 0) throw new StatusError('RequestEntityTooLarge', 'there is more than a shell shows: ask for less');
    }
    yield { ended: true, exitCode: 0 };
  } catch (error) {
    const known = error instanceof StatusError ? error : new StatusError('InternalError', 'the command failed');
    yield { output: `error: ${known.message}\n`, isError: true };
    yield { ended: true, exitCode: EXIT[WIRE[known.reason].http] ?? 1 };
  }
}

async function* commandOf(line: string, desk: Desk): AsyncGenerator<string> {
  if (line.length > LINE_LIMITS.lineCharacters)
    throw badRequest(`a line has at most ${LINE_LIMITS.lineCharacters} characters`);
  if (Buffer.byteLength(desk.input) > LINE_LIMITS.inputBytes)
    throw badRequest(`the input has at most ${LINE_LIMITS.inputBytes} bytes`);
  const [program = '', verb = '', ...args] = wordsOf(line);
  if (program === '') return;
  if (program === 'help' || verb === 'help' || verb === '--help') {
    yield HELP;
    return;
  }
  const command = Object.hasOwn(COMMANDS, program) ? COMMANDS[program] : undefined;
  if (!command) throw new StatusError('NotFound', `there is no command "${program}": help lists what there is`);
  const run = Object.hasOwn(command, verb) ? command[verb] : undefined;
  if (!run) throw badRequest(`${program} ${verb}: only ${Object.keys(command).join(', ')} are run here`);
  yield* run(desk, optionsOf(args));
}
