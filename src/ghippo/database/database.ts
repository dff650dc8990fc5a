/**
 * Where Ghippo keeps what is no object of a cluster: sessions, failed attempts, what was delivered, the audit log.
 *
 * One SQL for every database: each operation is one statement, so that it is atomic everywhere without transactions, and
 * several processes may share a database. Parameters are `$1`, `$2`, …; columns are TEXT or BIGINT (milliseconds, counts).
 * `databaseContract()` is what an implementation promises.
 */
export interface Database {
  /** The rows a statement gives; a statement that fails changes nothing and throws. */
  query(text: string, parameters?: readonly Value[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** A column as the type it is declared with. */
export function textOf(row: Row, column: string): string {
  return String(row[column] ?? '');
}

export function numberOf(row: Row, column: string): number {
  return Number(row[column] ?? 0);
}
