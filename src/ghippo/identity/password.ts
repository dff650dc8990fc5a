/**
 * Passwords: what is kept of them, and whether one is right.
 *
 * scrypt with a salt of its own for each (docs/adr/0021-identity.md), written with its parameters, so that they can be
 * raised: {@link checkPassword} says when a right password should be hashed anew. Comparing takes the same time whatever
 * is wrong, and {@link wasteTime} takes as long for a user who does not exist.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { StatusError } from '#base/status-error.ts';

export interface ScryptCost {
  /** log2 of N: the memory is 128 × r × N bytes. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB and some 100 ms for each attempt. */
export const PASSWORD_COST: ScryptCost = { ln: 15, r: 8, p: 3 };

export const PASSWORD_LENGTH = { min: 8, max: 1024 };
const DIFFERENT = 4;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** What {@link requireStrongPassword} wants, in words and numbers. */
export const PASSWORD_RULE = {
  description: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, at least ${DIFFERENT} of them different, without the name of the user`,
  minLength: PASSWORD_LENGTH.min,
  maxLength: PASSWORD_LENGTH.max,
};

/** Refuses what is too easy to guess, or too long to be worth hashing. */
export function requireStrongPassword(password: string, user: string): void {
  const refuse = (why: string) => new StatusError('Invalid', `the password ${why}`);
  if (password.length < PASSWORD_LENGTH.min) throw refuse(`must have at least ${PASSWORD_LENGTH.min} characters`);
  if (password.length > PASSWORD_LENGTH.max) throw refuse(`must have at most ${PASSWORD_LENGTH.max} characters`);
  if (new Set(password).size < DIFFERENT) throw refuse(`must have at least ${DIFFERENT} different characters`);
  if (password.toLowerCase().includes(user.toLowerCase())) throw refuse('must not contain the name of the user');
}

/** `$scrypt$ln=15,r=8,p=3$salt$hash`. */
export async function hashPassword(password: string, cost: ScryptCost = PASSWORD_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost);
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

export type PasswordCheck = 'wrong' | 'right' | 'right, hash anew';

export async function checkPassword(
  password: string,
  kept: string,
  cost: ScryptCost = PASSWORD_COST,
): Promise<PasswordCheck> {
  const parsed = parse(kept);
  if (!parsed || password.length > PASSWORD_LENGTH.max) {
    await wasteTime(cost);
    return 'wrong';
  }
  const hash = await derive(password, parsed.salt, parsed.cost);
  if (hash.length !== parsed.hash.length || !timingSafeEqual(hash, parsed.hash)) return 'wrong';
  return sameCost(parsed.cost, cost) ? 'right' : 'right, hash anew';
}

/** Takes as long as checking a password. */
export async function wasteTime(cost: ScryptCost = PASSWORD_COST): Promise<void> {
  await derive('', randomBytes(SALT_BYTES), cost);
}

function parse(kept: string) {
  const [, ln, r, p, salt = '', hash = ''] =
    kept.match(/^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/) ?? [];
  if (ln === undefined) return undefined;
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

function sameCost(a: ScryptCost, b: ScryptCost): boolean {
  return a.ln === b.ln && a.r === b.r && a.p === b.p;
}

function derive(password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** ln;
  // Twice what it needs, because the limit counts some overhead too.
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
