/**
 * Who is signed in. A session ends when it is not used for a while, after a day in any case, or when it is revoked.
 *
 * Its id is the hash of what the browser holds: the database does not help whoever reads it. Every replica sees a
 * revocation with its next question. When it was last seen is written at most once a minute.
 */
import type { Clock } from '#base/clock.ts';
import { type Database, numberOf, type Row, textOf } from '../database/database.ts';
import { hashOf, type NewSecret, newSecret } from './secret.ts';

export const SESSION_IDLE_MS = 2 * 3_600_000;
export const SESSION_LONGEST_MS = 24 * 3_600_000;
/** How exactly it is known when a session was last used. */
export const SESSION_SEEN_MS = 60_000;
/** The oldest are ended beyond this many, so that a script which signs in again and again fills nothing. */
export const SESSIONS_PER_USER = 50;

export interface Session {
  /** Names it without opening it: what lists show and revocation takes. */
  readonly id: string;
  readonly user: string;
  readonly method: SignInMethod;
  readonly address: string;
  readonly agent: string;
  readonly createdAt: number;
  readonly seenAt: number;
  /** When it ends if nobody uses it. */
  readonly endsAt: number;
}

const METHODS = ['password', 'oidc', 'link', 'code'] as const;
export type SignInMethod = (typeof METHODS)[number];

export interface Sessions {
  /** The secret is told once, to its holder. */
  create(of: {
    readonly user: string;
    readonly method: SignInMethod;
    readonly address?: string;
    readonly agent?: string;
  }): Promise<{ readonly secret: string; readonly session: Session }>;
  /** The session a secret opens, used by that; undefined when it has ended or never was. */
  open(secret: string): Promise<Session | undefined>;
  /** Newest first. */
  list(user: string): Promise<readonly Session[]>;
  /** Whether there was one. With `user`, only a session of theirs. */
  revoke(id: string, user?: string): Promise<boolean>;
  /** All of a user, but for the one they are using when it is given. */
  revokeAll(user: string, except?: string): Promise<number>;
  purge(): Promise<void>;
}

export function sessions(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly newSecret?: NewSecret;
}): Sessions {
  const { database, clock } = deps;
  const secretOf = deps.newSecret ?? newSecret;
  const COLUMNS = 'id, user_name, method, address, agent, created_at, seen_at, idle_until, ends_at';

  async function list(user: string): Promise<readonly Session[]> {
    const rows = await database.query(
      `SELECT ${COLUMNS} FROM ghippo_sessions WHERE user_name = $1 AND idle_until > $2 ORDER BY created_at DESC, id`,
      [user, clock.now()],
    );
    return rows.map(sessionOf);
  }

  async function revoke(id: string, user?: string): Promise<boolean> {
    const rows = await database.query(
      'DELETE FROM ghippo_sessions WHERE id = $1 AND ($2 = $3 OR user_name = $2) RETURNING id',
      [id, user ?? '', ''],
    );
    return rows.length > 0;
  }

  /** Seldom written, so that reading is all that most requests do. */
  async function touch(session: Session, ends: number): Promise<Session> {
    const now = clock.now();
    if (now - session.seenAt < SESSION_SEEN_MS) return session;
    const idleUntil = Math.min(now + SESSION_IDLE_MS, ends);
    await database.query('UPDATE ghippo_sessions SET seen_at = $2, idle_until = $3 WHERE id = $1', [
      session.id,
      now,
      idleUntil,
    ]);
    return { ...session, seenAt: now, endsAt: idleUntil };
  }

  return {
    async create({ user, method, address = '', agent = '' }) {
      const secret = secretOf();
      const now = clock.now();
      const known = await list(user);
      for (const { id } of known.slice(SESSIONS_PER_USER - 1)) await revoke(id);
      const [row] = await database.query(
        `INSERT INTO ghippo_sessions (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8) RETURNING ${COLUMNS}`,
        [
          hashOf(secret),
          user,
          method,
          address,
          agent.slice(0, 256),
          now,
          now + SESSION_IDLE_MS,
          now + SESSION_LONGEST_MS,
        ],
      );
      return { secret, session: sessionOf(row ?? {}) };
    },
    async open(secret) {
      const [row] = await database.query(
        `SELECT ${COLUMNS} FROM ghippo_sessions WHERE id = $1 AND idle_until > $2 AND ends_at > $2`,
        [hashOf(secret), clock.now()],
      );
      return row && touch(sessionOf(row), numberOf(row, 'ends_at'));
    },
    list,
    revoke,
    async revokeAll(user, except = '') {
      const rows = await database.query('DELETE FROM ghippo_sessions WHERE user_name = $1 AND id <> $2 RETURNING id', [
        user,
        except,
      ]);
      return rows.length;
    },
    async purge() {
      await database.query('DELETE FROM ghippo_sessions WHERE idle_until <= $1', [clock.now()]);
    },
  };
}

function sessionOf(row: Row): Session {
  return {
    id: textOf(row, 'id'),
    user: textOf(row, 'user_name'),
    method: methodOf(textOf(row, 'method')),
    address: textOf(row, 'address'),
    agent: textOf(row, 'agent'),
    createdAt: numberOf(row, 'created_at'),
    seenAt: numberOf(row, 'seen_at'),
    endsAt: numberOf(row, 'idle_until'),
  };
}

function methodOf(text: string): SignInMethod {
  return METHODS.find((method) => method === text) ?? 'password';
}
