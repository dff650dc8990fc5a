/** What a request about objects is answered from, and how its parameters are read. */
import type { Clock } from '#base/clock.ts';
import { badRequest } from '#base/status-error.ts';
import type { Exchange } from '#kube/apiserver/http/respond.ts';
import type { Access } from '../query/access.ts';
import type { Query } from '../query/query.ts';
import type { IndexedKind, IndexReader } from '../store/index-store.ts';
import type { ColumnsOf } from './index-table.ts';

export interface Asking {
  readonly exchange: Exchange;
  readonly reader: IndexReader;
  readonly access: Access;
  readonly query: Query;
  readonly kinds: readonly IndexedKind[];
  readonly cluster: string | undefined;
  readonly clock: Clock;
  readonly columns: ColumnsOf;
  readonly gone: AbortSignal;
}

export function isTrue(text: string | null): boolean {
  if (text === null || text === '' || text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1') return true;
  throw badRequest(`${JSON.stringify(text)} is neither true nor false`);
}
