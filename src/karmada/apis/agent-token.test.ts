import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { decodeAgentToken, encodeAgentToken } from './agent-token.ts';

describe('the token of an agent', () => {
  it('says what it was made of, whatever that is', () => {
    const parts = fc.record(
      { server: fc.string(), ca: fc.string(), cluster: fc.string(), token: fc.string() },
      { requiredKeys: ['server', 'cluster', 'token'], noNullPrototype: true },
    );
    const property = fc.property(parts, (token) =>
      assert.deepEqual(decodeAgentToken(` ${encodeAgentToken(token)}\n`), token),
    );
    fc.assert(property, { seed: 1, numRuns: 200 });
  });

  it('is refused when it is something else, or was cut short', () => {
    const whole = encodeAgentToken({ server: 'https://x', cluster: 'edge', token: 'secret' });
    for (const text of ['', 'eyJhbGciOi', whole.slice(0, -5), 'kairship-agent.e30'])
      assert.throws(() => decodeAgentToken(text), { reason: 'BadRequest', message: /no token for an agent/ });
  });
});
