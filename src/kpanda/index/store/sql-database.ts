/**
 * A database as the index needs it: groups of statements that see one state, or commit as one.
 *
 * A group is sent as a whole, so that neither a thread nor a connection is held while somebody thinks. Reads end within
 * their limit with `Timeout`; a database that cannot be asked answers `ServiceUnavailable`, which may pass.
 */
import type { Dialect } from './dialect.ts';
import type { Param, Sql } from './sql.ts';

export type Row = Readonly<Record<string, Param>>;

export interface SqlDatabase {
  readonly dialect: Dialect;
  /** The rows of each statement; all see the same state. */
  read(statements: readonly Sql[], limitMs?: number): Promise<readonly (readonly Row[])[]>;
  /** One transaction. A statement under `expects` that gives no row undoes it all, with the error it stands for. */
  write(statements: readonly Sql[], expects?: Expectation): Promise<readonly (readonly Row[])[]>;
  /** Statements that make or change tables, not part of any transaction. */
  define(texts: readonly string[]): Promise<void>;
  /** Looks at how much is in the tables now, where plans depend on it; beside all reading and writing. */
  lookAgain?(): Promise<void>;
  /** Calls back after somebody, here or in another process, has committed something; the returned function ends it. */
  onCommit(told: () => void): () => void;
  close(): Promise<void>;
}

export interface Expectation {
  /** Which statement must give a row. */
  readonly statement: number;
  readonly otherwise: string;
}

export const READ_LIMIT_MS = 5_000;
