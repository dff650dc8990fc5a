/** For tests: identity tokens that must be refused, each wrong in one way and right in all others, and one wrong in none. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface SigningKey {
  readonly jwk: object;
  readonly key: KeyObject;
}

export type Lie = 'nothing' | 'signature' | 'algorithm' | 'audience' | 'issuer' | 'nonce' | 'expired';

let made = 0;

export function newKey(): SigningKey {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { key, jwk: { ...key.export({ format: 'jwk' }), kid: `key-${(made += 1)}`, alg: 'RS256', use: 'sig' } };
}

export function forged(token: string, lie: Lie, { key }: SigningKey): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = { ...decoded(payload), ...LIES[lie] };
  if (lie === 'algorithm') return `${encoded({ ...decoded(header), alg: 'none' })}.${encoded(claims)}.`;
  const signed = `${header}.${encoded(claims)}`;
  const signer = lie === 'signature' ? newKey().key : key;
  return `${signed}.${sign('sha256', Buffer.from(signed), signer).toString('base64url')}`;
}

const LIES: Readonly<Record<Lie, object>> = {
  nothing: {},
  signature: {},
  algorithm: {},
  audience: { aud: 'somebody-else' },
  issuer: { iss: 'http://127.0.0.1:1' },
  nonce: { nonce: 'another' },
  expired: { exp: 1_000_000_000 },
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const decoded = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
