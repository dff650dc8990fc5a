import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { platformAddress } from './platform-address.ts';

describe('the address of a platform', () => {
  for (const [text, origin] of [
    ['https://kairship.example.com/', 'https://kairship.example.com'],
    ['http://127.0.0.1:7300/signin?code=x', 'http://127.0.0.1:7300'],
    ['kairship.example.com', 'https://kairship.example.com'],
    ['localhost:7300', 'https://localhost:7300'],
  ] as const)
    it(`is understood as ${text}`, () => assert.equal(platformAddress(text).origin, origin));

  for (const text of ['', 'two words', 'ftp://kairship.example.com', 'https://'])
    it(`is not "${text}"`, () => assert.throws(() => platformAddress(text), { code: 2, message: /no address/ }));
});
