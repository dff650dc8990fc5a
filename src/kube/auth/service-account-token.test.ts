import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { ISSUER, newServiceAccountKey, type TokenSigner, tokenSigner } from './service-account-token.ts';

const account = { namespace: 'n1', name: 'robot', uid: 'u1' };
const now = Date.UTC(2026, 0, 1);
const options = { audiences: [ISSUER], now, seconds: 3600, id: 'j1' };

function decoded(token: string, part: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

describe('a token of a service account', () => {
  let signer: TokenSigner;
  before(() => {
    signer = tokenSigner(newServiceAccountKey());
  });

  it('says what Kubernetes would have it say', () => {
    const token = signer.bound(account, { ...options, pod: { name: 'p', uid: 'pu' }, node: { name: 'n', uid: 'nu' } });
    const seconds = now / 1000;
    assert.deepEqual(decoded(token, 1), {
      aud: ['https://kubernetes.default.svc'],
      exp: seconds + 3600,
      iat: seconds,
      iss: 'https://kubernetes.default.svc',
      jti: 'j1',
      'kubernetes.io': {
        namespace: 'n1',
        node: { name: 'n', uid: 'nu' },
        pod: { name: 'p', uid: 'pu' },
        serviceaccount: { name: 'robot', uid: 'u1' },
      },
      nbf: seconds,
      sub: 'system:serviceaccount:n1:robot',
    });
    assert.deepEqual(decoded(signer.legacy(account, 's1'), 1), {
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': 'n1',
      'kubernetes.io/serviceaccount/secret.name': 's1',
      'kubernetes.io/serviceaccount/service-account.name': 'robot',
      'kubernetes.io/serviceaccount/service-account.uid': 'u1',
      sub: 'system:serviceaccount:n1:robot',
    });
  });

  it('is read as it was written', () => {
    const secret = { name: 's', uid: 'su' };
    assert.deepEqual(signer.read(signer.bound(account, { ...options, audiences: ['vault'], secret }), now), {
      account,
      audiences: ['vault'],
      id: 'j1',
      secret,
    });
    assert.deepEqual(signer.read(signer.legacy(account, 's1'), now), { account, audiences: [ISSUER], heldBy: 's1' });
  });

  it('is good from a minute before it was made to its end, also when it has been seen before', () => {
    const token = signer.bound(account, options);
    const isGood = (at: number) => signer.read(token, at) !== undefined;
    assert.deepEqual([now - 61_000, now - 59_000, now, now + 3_599_000, now + 3_600_000].map(isGood), [
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it('can be checked by others with the published key', () => {
    const token = signer.bound(account, options);
    const { keys } = signer.jwks() as { keys: Record<string, string>[] };
    const [jwk] = keys;
    assert.ok(jwk);
    assert.deepEqual(
      [jwk['kid'], jwk['alg'], jwk['use'], jwk['d']],
      [decoded(token, 0)['kid'], 'ES256', 'sig', undefined],
    );
    const [header, body, signature = ''] = token.split('.');
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
    assert.ok(verify('sha256', Buffer.from(`${header}.${body}`), key, Buffer.from(signature, 'base64url')));
  });

  it('of another key, of no algorithm, or changed anywhere, is not believed', () => {
    const token = signer.bound(account, options);
    const [header, body] = token.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const others = [
      tokenSigner(newServiceAccountKey()).bound(account, options),
      `${none}.${body}.`,
      `${header}.${body}.`,
      `${header}.${body}`,
      `${token}.x`,
      '',
      'tok-alice',
      '..',
    ];
    for (const other of others) assert.equal(signer.read(other, now), undefined, other);
    fc.assert(
      fc.property(
        fc.nat({ max: token.length - 1 }),
        fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '.'),
        (at, char) => {
          const changed = `${token.slice(0, at)}${char}${token.slice(at + 1)}`;
          // The last character carries bits that mean nothing; a token that differs in them only is the same token.
          if (changed === token || at === token.length - 1) return;
          assert.equal(signer.read(changed, now), undefined);
        },
      ),
      { seed: 1, numRuns: 200 },
    );
  });

  it('is not made with a key of another kind', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    assert.throws(() => tokenSigner(privateKey.export({ type: 'pkcs8', format: 'pem' })), /P-256/);
  });
});
