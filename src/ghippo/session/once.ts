/**
 * Codes that work once and not for long: sign-in links, and what has to be remembered while somebody is at their identity
 * provider. Whoever redeems one takes it out of the database, so that of many who try at once one succeeds.
 */
import type { Clock } from '#base/clock.ts';
import { type Database, textOf } from '../database/database.ts';
import { hashOf, type NewSecret, newSecret } from './secret.ts';

export const ONCE_MS = 10 * 60_000;

export interface Once {
  /** A new code for `body`, which only a redeemer with the same purpose gets. */
  issue(purpose: string, body: object): Promise<string>;
  redeem(purpose: string, code: string): Promise<unknown>;
  purge(): Promise<void>;
}

export function once(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly newSecret?: NewSecret;
}): Once {
  const { database, clock } = deps;
  return {
    async issue(purpose, body) {
      const code = (deps.newSecret ?? newSecret)();
      await database.query('INSERT INTO ghippo_once (id, purpose, body, ends_at) VALUES ($1, $2, $3, $4)', [
        hashOf(code),
        purpose,
        JSON.stringify(body),
        clock.now() + ONCE_MS,
      ]);
      return code;
    },
    async redeem(purpose, code) {
      const [row] = await database.query(
        'DELETE FROM ghippo_once WHERE id = $1 AND purpose = $2 AND ends_at > $3 RETURNING body',
        [hashOf(code), purpose, clock.now()],
      );
      return row && JSON.parse(textOf(row, 'body'));
    },
    async purge() {
      await database.query('DELETE FROM ghippo_once WHERE ends_at <= $1', [clock.now()]);
    },
  };
}
