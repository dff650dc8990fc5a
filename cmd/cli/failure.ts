/**
 * How a command fails: three lines on stderr (what, why, what to run next) and an exit code scripts can branch on.
 */
import { StatusError } from '#base/status-error.ts';

export const EXIT = { failed: 1, usage: 2, notFound: 3, denied: 4, timedOut: 5, disrupts: 6 } as const;

/** A failure that already knows what the reader should do about it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly why: string;
  readonly next: string;
  readonly code: number;

  constructor(
    what: string,
    { why, next, code = EXIT.failed, cause }: { why: string; next: string; code?: number; cause?: unknown },
  ) {
    super(what, { cause });
    this.why = why;
    this.next = next;
    this.code = code;
  }
}

/** What was typed makes no sense. */
export function usageFailure(what: string, why: string, next: string): CommandFailure {
  return new CommandFailure(what, { why, next, code: EXIT.usage });
}

/** What a parser of options says, in the lines of every other failure. */
export function usageLines(text: string, command: string): string {
  const [what = '', ...more] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  const why = more.join(' ').trim() || 'the command line was not understood';
  return `Error: ${what}\n  Why:  ${why}\n  Next: kairship ${command === '' ? '' : `${command} `}--help\n`;
}

/** The lines to print and the code to exit with, for anything a command threw. */
export function failureOf(error: unknown): { readonly lines: readonly string[]; readonly code: number } {
  if (error instanceof CommandFailure) {
    return { lines: [`Error: ${error.message}`, `  Why:  ${error.why}`, `  Next: ${error.next}`], code: error.code };
  }
  if (error instanceof StatusError) {
    return {
      lines: [`Error: ${error.message}`, `  Why:  ${meaningOf(error)}`, `  Next: ${adviceOf(error)}`],
      code: codeOf(error),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    lines: [`Error: ${message}`, '  Why:  this is unexpected', '  Next: run it again with KAIRSHIP_LOG=debug'],
    code: EXIT.failed,
  };
}

function codeOf({ reason }: StatusError): number {
  if (reason === 'NotFound') return EXIT.notFound;
  if (reason === 'Forbidden' || reason === 'Unauthorized') return EXIT.denied;
  if (reason === 'Timeout') return EXIT.timedOut;
  if (reason === 'BadRequest') return EXIT.usage;
  return EXIT.failed;
}

const MEANINGS: Readonly<Record<string, string>> = {
  ServiceUnavailable: 'nothing answers at that address',
  Unauthorized: 'the server does not know these credentials, or no longer',
  Forbidden: 'your roles do not allow it',
  NotFound: 'there is nothing of that name, or you may not see it',
  AlreadyExists: 'the name is taken',
  Conflict: 'something else changed it, or stands in the way',
  Invalid: 'a field has a value that it cannot have',
  BadRequest: 'the request makes no sense to the server',
  Timeout: 'no answer came in time',
  MethodNotAllowed: 'this server cannot do that',
  NotImplemented: 'this server cannot do that',
};

function meaningOf({ reason, details }: StatusError): string {
  const causes = (details?.causes ?? []).map(({ field, message }) => [field, message].filter(Boolean).join(': '));
  return causes.filter(Boolean).join('; ') || (MEANINGS[reason] ?? `the server said ${reason}`);
}

const ADVICE: Readonly<Record<string, string>> = {
  ServiceUnavailable: 'start the platform with: kairship up; or see what is wrong with: kairship doctor',
  NotFound: 'see what is there: kairship status; kairship get deployments -A --scope instance',
  Unauthorized: 'sign in again: kairship login',
  Forbidden: 'see what you may do: kairship whoami; somebody who may grant it: kairship role who-can PERMISSION',
  AlreadyExists: 'choose another name, or change the one that is there',
  Conflict: 'look at it again, then try again',
  Invalid: 'correct the field and try again',
  Timeout: 'see what is slow: kairship doctor',
  MethodNotAllowed: 'compare versions: kairship status',
  NotImplemented: 'compare versions: kairship status',
};

function adviceOf({ reason }: StatusError): string {
  return ADVICE[reason] ?? 'see: kairship --help';
}
