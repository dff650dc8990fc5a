/**
 * Signing in without a password: a link that works once, and the cookie it is changed for.
 *
 * Both are signed texts, so any replica that knows the key can check them. A link carries a nonce and expires after ten
 * minutes; the replica that accepts it remembers the nonce until then. Pure but for the time and the nonces used.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#base/clock.ts';

export const SESSION_COOKIE = 'kairship_session';
export const LINK_MS = 10 * 60_000;
export const SESSION_MS = 12 * 3_600_000;

export interface Sessions {
  /** The code of a new sign-in link. */
  link(user: string): string;
  /** Exchanges a link's code, once, for a session; undefined when it is forged, used or too old. */
  redeem(code: string): { readonly user: string; readonly cookie: string } | undefined;
  /** Who a session cookie belongs to. */
  userOf(cookie: string): string | undefined;
}

export function sessions({ key, clock }: { readonly key: string; readonly clock: Clock }): Sessions {
  const used = new Map<string, number>();

  function forgetExpired(): void {
    for (const [nonce, expires] of used) if (expires <= clock.now()) used.delete(nonce);
  }

  return {
    link: (user) => seal(key, 'link', { user, expires: clock.now() + LINK_MS, nonce: randomBytes(12).toString('hex') }),
    redeem(code) {
      const link = open(key, 'link', code, clock.now());
      if (!link?.nonce || used.has(link.nonce)) return undefined;
      forgetExpired();
      used.set(link.nonce, link.expires);
      return { user: link.user, cookie: seal(key, 'session', { user: link.user, expires: clock.now() + SESSION_MS }) };
    },
    userOf: (cookie) => open(key, 'session', cookie, clock.now())?.user,
  };
}

interface Claims {
  readonly user: string;
  readonly expires: number;
  readonly nonce?: string;
}

/** `payload.signature`; the purpose is signed too, so that a link cannot be used as a session. */
function seal(key: string, purpose: string, claims: Claims): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${sign(key, purpose, payload)}`;
}

function open(key: string, purpose: string, sealed: string, now: number): Claims | undefined {
  const [payload = '', signature = ''] = sealed.split('.');
  const expected = Buffer.from(sign(key, purpose, payload));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  return claims.expires > now ? claims : undefined;
}

function sign(key: string, purpose: string, payload: string): string {
  return createHmac('sha256', key).update(`${purpose}:${payload}`).digest('base64url');
}
