/**
 * How a store refuses: the StatusErrors of the {@link Store} contract, worded once for all implementations.
 *
 * A failed guard is a {@link StoreConflict}, the only one with something for programs to read: the revision the key is
 * at, so that a caller can look again without asking first.
 */
import { StatusError } from '#base/status-error.ts';
import type { Revision } from './store.ts';

/** `Conflict`: the guard of a write named another revision than the key's own. */
export class StoreConflict extends StatusError {
  /** The key's revision when the write was refused; 0 when the key is absent. */
  readonly conflictingRevision: Revision;

  constructor(key: string, expected: Revision, current: Revision) {
    super('Conflict', conflictMessage(key, expected, current));
    this.conflictingRevision = current;
  }
}

/** The revision a refused write found, or undefined when `error` is no failed guard. */
export function conflictingRevision(error: unknown): Revision | undefined {
  return error instanceof StoreConflict ? error.conflictingRevision : undefined;
}

function conflictMessage(key: string, expected: Revision, current: Revision): string {
  if (current === 0) return `key "${key}" does not exist`;
  if (expected === 0) return `key "${key}" already exists at revision ${current}`;
  return `key "${key}" is at revision ${current}, not ${expected}`;
}

/** Refuses revisions that history no longer holds, or does not hold yet. */
export function checkRevision(asked: Revision, oldest: Revision, newest: Revision): void {
  if (asked < oldest) throw new StatusError('Expired', `too old resource version: ${asked} (${oldest})`);
  if (asked > newest) {
    const message = `Too large resource version: ${asked}, current: ${newest}`;
    const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
    throw new StatusError('Timeout', message, { details: { causes, retryAfterSeconds: 1 } });
  }
}

/** `ServiceUnavailable`: the medium refused, or the store is closed. */
export function unavailable(message: string, cause?: unknown): StatusError {
  return new StatusError('ServiceUnavailable', message, cause === undefined ? {} : { cause });
}
