import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ID_HEADER, requireSigned, SIGNATURE_HEADER, signedHeaders, TIME_HEADER, TOLERANCE_MS } from './signature.ts';

const now = Date.UTC(2026, 10, 15);
const message = { id: 'AccessBinding/b@7', at: now, body: '{"key":"AccessBinding/b"}' };
const check = (headers: Record<string, string>, body = message.body, at = now, keys: readonly string[] = ['k']) =>
  requireSigned(keys, { headers, body, now: at });

describe('a signed message', () => {
  const headers = signedHeaders(['k'], message);

  it('is accepted as it was sent', () => check(headers));

  it('is what the standard says', () => {
    // The example of the specification's reference libraries.
    const signed = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    });
    assert.equal(signed[SIGNATURE_HEADER], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  const forged: [because: string, headers: Record<string, string>, body?: string][] = [
    ['has another body', headers, '{"key":"AccessBinding/c"}'],
    ['has another id', { ...headers, [ID_HEADER]: 'AccessBinding/b@8' }],
    ['has another time', { ...headers, [TIME_HEADER]: String(now / 1000 + 1) }],
    ['is signed with another key', signedHeaders(['other'], message)],
    ['is not signed', { [ID_HEADER]: message.id, [TIME_HEADER]: String(now / 1000) }],
    ['is signed in another way', { ...headers, [SIGNATURE_HEADER]: 'v2,AAAA v1, v1' }],
    ['has no time', { ...headers, [TIME_HEADER]: 'now' }],
    ['has no headers', {}],
  ];
  for (const [because, given, body] of forged)
    it(`is refused when it ${because}`, () => assert.throws(() => check(given, body), { reason: 'Unauthorized' }));

  it('is refused when it is old, or from the future', () => {
    check(headers, undefined, now + TOLERANCE_MS);
    assert.throws(() => check(headers, undefined, now + TOLERANCE_MS + 1000), { reason: 'Unauthorized' });
    assert.throws(() => check(headers, undefined, now - TOLERANCE_MS - 1000), { reason: 'Unauthorized' });
  });

  it('is accepted with either key while a key is being replaced', () => {
    const both = signedHeaders(['old', 'new'], message);
    check(both, undefined, now, ['old']);
    check(both, undefined, now, ['new']);
    check(signedHeaders(['old'], message), undefined, now, ['new', 'old']);
    assert.throws(() => check(both, undefined, now, []), { reason: 'Unauthorized' });
  });
});
