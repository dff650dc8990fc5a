/** What the index's threads are asked, and answer. Requests are answered in order, so answers carry no ids. */
import type { Reason } from '#base/status-error.ts';
import type { Expectation, Row } from './sql-database.ts';
import type { Sql } from './sql.ts';

export interface ThreadOptions {
  readonly file: string;
  readonly readOnly: boolean;
}

export type ThreadRequest =
  | { readonly do: 'read'; readonly statements: readonly Sql[]; readonly limitMs: number }
  | { readonly do: 'write'; readonly statements: readonly Sql[]; readonly expects: Expectation | undefined }
  | { readonly do: 'define'; readonly texts: readonly string[] }
  | { readonly do: 'close' };

export type ThreadAnswer =
  | { readonly rows: readonly (readonly Row[])[] }
  | { readonly refusal: { readonly reason: Reason; readonly message: string } };
