/** What SQLite's result codes mean to a store; see https://sqlite.org/rescode.html. */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const NOTADB = 26;

export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

export function isDamaged(error: unknown): boolean {
  return codeOf(error) === CORRUPT;
}

export function isNoDatabase(error: unknown): boolean {
  return codeOf(error) === NOTADB;
}

/** One sentence for people, without SQLite's own vocabulary where there is a plainer one. */
export function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case FULL:
      return 'no room is left for it';
    case READONLY:
      return 'the file system is read-only';
    case IOERR:
      return `the disk refused (${message})`;
    default:
      return message;
  }
}

/** The primary result code: extended codes carry details in the higher bytes. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
}
