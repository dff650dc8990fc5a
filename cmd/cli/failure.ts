/**
 * How a command fails: three lines on stderr (what, why, what to run next) and an exit code scripts can branch on.
 */
import { InvalidArgumentError } from 'commander';
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
    // What is wrong with a value comes after what is said of every wrong value.
    .replace(/^(.+ is invalid(?: for argument '[^']*')?)\. /, '$1\n')
    .replace(/^command-argument value/, 'the value')
    .split('\n');
  const why = more.join(' ').trim() || reasonOf(what, command);
  return `Error: ${what}\n  Why:  ${why}\n  Next: ${helpFor(command)}\n`;
}

const NOT_UNDERSTOOD = 'the command line was not understood';

function reasonOf(what: string, command: string): string {
  return command === '' && what.startsWith('unknown option')
    ? 'options come after the command: kairship COMMAND OPTIONS'
    : NOT_UNDERSTOOD;
}

const helpFor = (command: string) => `kairship ${command === '' ? '' : `${command} `}--help`;

export interface Failure {
  readonly lines: readonly string[];
  readonly code: number;
}

/** The lines to print and the code to exit with, for anything a command threw. */
export function failureOf(error: unknown, command = ''): Failure {
  if (error instanceof CommandFailure) return failure(error.message, error.why, error.next, error.code);
  if (error instanceof StatusError)
    return failure(titleOf(error), meaningOf(error), adviceOf(error, command), codeOf(error));
  if (error instanceof InvalidArgumentError)
    return failure(error.message, NOT_UNDERSTOOD, helpFor(command), EXIT.usage);
  const message = error instanceof Error ? error.message : String(error);
  const { code, path } = error as { code?: unknown; path?: unknown };
  const unreadable = FILES[String(code)];
  if (unreadable && typeof path === 'string')
    return failure(`cannot read ${path}`, unreadable.why, 'check the path', unreadable.code);
  return failure(message, 'this is unexpected', 'run it again with KAIRSHIP_LOG=debug', EXIT.failed);
}

function failure(what: string, why: string, next: string, code: number): Failure {
  return { lines: [`Error: ${what}`, `  Why:  ${why}`, `  Next: ${next}`], code };
}

const FILES: Readonly<Record<string, { readonly why: string; readonly code: number }>> = {
  ENOENT: { why: 'there is no such file or folder', code: EXIT.notFound },
  EACCES: { why: 'you may not read it', code: EXIT.denied },
  EISDIR: { why: 'it is a folder', code: EXIT.usage },
};

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

function meaningOf(error: StatusError): string {
  return causesOf(error) || (MEANINGS[error.reason] ?? `the server said ${error.reason}`);
}

function causesOf({ details }: StatusError): string {
  const causes = (details?.causes ?? []).map(({ field, message }) => [field, message].filter(Boolean).join(': '));
  return causes.filter(Boolean).join('; ');
}

/** What is told below is not told twice. */
function titleOf(error: StatusError): string {
  const [, title] = /^(.+? is invalid): /.exec(error.message) ?? [];
  return title !== undefined && causesOf(error) !== '' ? title : error.message;
}

const ADVICE: Readonly<Record<string, string>> = {
  ServiceUnavailable: 'start the platform with: kairship up; or see what is wrong with: kairship doctor',
  Unauthorized: 'sign in again: kairship login',
  Forbidden: 'see what you may do: kairship whoami; somebody who may grant it: kairship role who-can PERMISSION',
  AlreadyExists: 'choose another name, or change the one that is there',
  Conflict: 'look at it again, then try again',
  Invalid: 'correct the field and try again',
  Timeout: 'see what is slow: kairship doctor',
  MethodNotAllowed: 'compare versions: kairship status',
  NotImplemented: 'compare versions: kairship status',
};

function adviceOf({ reason, message }: StatusError, command: string): string {
  if (reason === 'NotFound') return whereToLook(message);
  return ADVICE[reason] ?? `see: ${helpFor(command)}`;
}

/** What lists them, by the resource that the message names. */
const LISTS: Readonly<Record<string, string>> = {
  'instances.kairship.io': 'kairship instance list',
  'instancebackups.kairship.io': 'kairship instance backups',
  'clusters.cluster.karmada.io': 'kairship cluster list',
  'clusters.kpanda.io': 'kairship cluster list',
  'users.ghippo.io': 'kairship user list',
  'roles.ghippo.io': 'kairship role list',
  'workspaces.ghippo.io': 'kairship workspace list',
  'tokens.ghippo.io': 'kairship token list',
};

function whereToLook(message: string): string {
  const [, resource] = /^([a-z][a-z0-9.-]*) "[^"]*" not found/.exec(message) ?? [];
  if (resource === undefined) return 'see what is there: kairship status';
  return `see what is there: ${LISTS[resource] ?? `kairship get ${resource} -A --scope all`}`;
}
