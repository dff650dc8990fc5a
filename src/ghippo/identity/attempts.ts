/**
 * Against guessing: after a few failures a user, and after many an address, has to wait, each time longer.
 *
 * An attempt is counted before the password is looked at and taken back when it was right, so that many guesses at once
 * are counted like many in a row. Whoever has to wait is told for how long, whether or not the user exists.
 */
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { type Database, numberOf } from '../database/database.ts';

export interface AttemptLimit {
  /** So many failures are free. */
  readonly free: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** After so long without a failure all is forgotten. */
  readonly forgetAfterMs: number;
}

const MINUTE = 60_000;
export const USER_LIMIT: AttemptLimit = {
  free: 5,
  firstWaitMs: MINUTE,
  longestWaitMs: 60 * MINUTE,
  forgetAfterMs: 24 * 60 * MINUTE,
};
/** Wider, because many people may come from one address. */
export const ADDRESS_LIMIT: AttemptLimit = { ...USER_LIMIT, free: 50 };

export interface AttemptState {
  readonly failures: number;
  readonly lastAt: number;
  readonly lockedUntil: number;
}

/** One more attempt: the state after it should it fail, or until when it has to wait. */
export function countAttempt(
  state: AttemptState | undefined,
  now: number,
  limit: AttemptLimit,
): { readonly state: AttemptState } | { readonly waitUntil: number } {
  if (state && state.lockedUntil > now) return { waitUntil: state.lockedUntil };
  const isForgotten = !state || now - Math.max(state.lastAt, state.lockedUntil) >= limit.forgetAfterMs;
  const failures = isForgotten ? 1 : state.failures + 1;
  const excess = failures - limit.free;
  const wait = excess < 0 ? 0 : Math.min(limit.firstWaitMs * 2 ** excess, limit.longestWaitMs);
  return { state: { failures, lastAt: now, lockedUntil: wait === 0 ? 0 : now + wait } };
}

export interface Attempts {
  /** Counts one for each; throws `TooManyRequests` when one of them has to wait. */
  begin(user: string, address: string): Promise<void>;
  /** It was right after all. */
  succeeded(user: string, address: string): Promise<void>;
  purge(): Promise<void>;
}

export function attempts({ database, clock }: { readonly database: Database; readonly clock: Clock }): Attempts {
  const keys = (user: string, address: string): [key: string, limit: AttemptLimit][] => [
    [`user:${user}`, USER_LIMIT],
    ...(address === '' ? [] : [[`address:${address}`, ADDRESS_LIMIT] as [string, AttemptLimit]]),
  ];

  async function count(key: string, limit: AttemptLimit): Promise<void> {
    for (;;) {
      const old = await read(key);
      const next = countAttempt(old, clock.now(), limit);
      if ('waitUntil' in next) throw tooMany(next.waitUntil - clock.now());
      if (await write(key, old, next.state)) return;
    }
  }

  async function read(key: string): Promise<AttemptState | undefined> {
    const [row] = await database.query('SELECT failures, last_at, locked_until FROM ghippo_attempts WHERE id = $1', [
      key,
    ]);
    return (
      row && {
        failures: numberOf(row, 'failures'),
        lastAt: numberOf(row, 'last_at'),
        lockedUntil: numberOf(row, 'locked_until'),
      }
    );
  }

  /** Whether nobody else counted since. */
  async function write(key: string, old: AttemptState | undefined, next: AttemptState): Promise<boolean> {
    const values = [key, next.failures, next.lastAt, next.lockedUntil];
    const rows = old
      ? await database.query(
          `UPDATE ghippo_attempts SET failures = $2, last_at = $3, locked_until = $4
           WHERE id = $1 AND failures = $5 AND last_at = $6 RETURNING id`,
          [...values, old.failures, old.lastAt],
        )
      : await database.query(
          `INSERT INTO ghippo_attempts (id, failures, last_at, locked_until) VALUES ($1, $2, $3, $4)
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          values,
        );
    return rows.length > 0;
  }

  return {
    async begin(user, address) {
      for (const [key, limit] of keys(user, address)) await count(key, limit);
    },
    async succeeded(user, address) {
      await database.query('DELETE FROM ghippo_attempts WHERE id = $1', [`user:${user}`]);
      // Others at the address may be guessing: only this attempt is taken back.
      await database.query(
        'UPDATE ghippo_attempts SET failures = failures - 1, locked_until = 0 WHERE id = $1 AND failures > 0',
        [`address:${address}`],
      );
    },
    async purge() {
      const before = clock.now() - USER_LIMIT.forgetAfterMs;
      await database.query('DELETE FROM ghippo_attempts WHERE last_at < $1 AND locked_until < $1', [before]);
    },
  };
}

function tooMany(waitMs: number): StatusError {
  const seconds = Math.ceil(waitMs / 1000);
  return new StatusError('TooManyRequests', `too many failed attempts: try again in ${seconds} s`, {
    details: { retryAfterSeconds: seconds },
  });
}
