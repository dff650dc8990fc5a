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
  return EXIT.failed;
}

function meaningOf({ reason }: StatusError): string {
  if (reason === 'ServiceUnavailable') return 'nothing answers at that address';
  if (reason === 'Unauthorized') return 'the server does not know these credentials';
  if (reason === 'Forbidden') return 'your roles do not allow it';
  return `the server said ${reason}`;
}

function adviceOf({ reason }: StatusError): string {
  if (reason === 'ServiceUnavailable') return 'start the platform with: kairship up';
  if (reason === 'NotFound') return 'see what is there: kubectl get deployments,propagationpolicies -A';
  if (reason === 'Unauthorized') return 'check --data-dir or --kubeconfig';
  return 'see: kairship --help';
}
