/**
 * Where a page ended: the values its rows are sorted by, and the row's id. A page goes on after them whatever was
 * written meanwhile; nothing is told twice or left out that was there all the time.
 */
import { badRequest, StatusError } from '#base/status-error.ts';
import type { Order } from './query.ts';

export interface Cursor {
  readonly values: readonly (string | number)[];
  readonly id: number;
}

export function cursorText(order: readonly Order[], { values, id }: Cursor): string {
  return Buffer.from(JSON.stringify([orderText(order), values, id])).toString('base64url');
}

export function parseCursor(order: readonly Order[], text: string): Cursor {
  const [wasOrder, values, id] = decoded(text);
  if (!Array.isArray(values) || typeof id !== 'number' || values.length !== order.length) throw unreadable();
  if (wasOrder !== orderText(order)) {
    throw badRequest('the continue token belongs to a list in another order: repeat it with the same orderby');
  }
  return { values: values.map((value) => (typeof value === 'number' ? value : String(value))), id };
}

function decoded(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause?: unknown): StatusError {
  return new StatusError('BadRequest', 'the continue token is not one of this index', { cause });
}

function orderText(order: readonly Order[]): string {
  return order.map(({ by, descending }) => `${by}${descending ? ' desc' : ''}`).join();
}
