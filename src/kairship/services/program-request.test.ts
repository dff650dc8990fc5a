import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashOf } from '#ghippo/session/index.ts';
import { answerAt, askingPath, askingProgram, comparedCode } from './program-request.ts';

const ASKED = {
  challenge: hashOf('a secret'),
  state: 'x'.repeat(43),
  redirect: 'http://127.0.0.1:4711/',
  computer: 'laptop',
};
const asking = (more: object = {}) => askingProgram(new URLSearchParams({ ...ASKED, ...more }));

describe('a program that asks to be let in', () => {
  it('is understood as it asked', () => {
    assert.deepEqual(asking(), ASKED);
    const { searchParams } = new URL(askingPath(ASKED), 'http://localhost');
    assert.deepEqual(askingProgram(searchParams), ASKED);
  });

  for (const redirect of ['http://localhost:1/', 'http://[::1]:65535/', 'http://127.0.0.1:8000/back'])
    it(`is answered at ${redirect}`, () => assert.equal(asking({ redirect }).redirect, redirect));

  for (const redirect of [
    '',
    'nonsense',
    'http://evil.example:4711/',
    'http://127.0.0.1.evil.example:4711/',
    'http://127.0.0.1@evil.example:4711/',
    'http://me:you@127.0.0.1:4711/',
    'https://127.0.0.1:4711/',
    'http://127.0.0.1/',
    'http://127.0.0.1:4711/?code=mine',
    'http://127.0.0.1:4711/#there',
    'http://10.0.0.1:4711/',
    'javascript:alert(1)//127.0.0.1:1',
  ])
    it(`is not answered at "${redirect}"`, () =>
      assert.throws(() => asking({ redirect }), { reason: 'BadRequest', message: /same computer only/ }));

  it('must show a challenge and a state', () => {
    for (const challenge of ['', 'short', `${ASKED.challenge}x`, `${ASKED.challenge.slice(1)}"`])
      assert.throws(() => asking({ challenge }), { reason: 'BadRequest', message: /SHA-256/ });
    for (const state of ['', 'short', '<script>alert(1)</script>'])
      assert.throws(() => asking({ state }), { reason: 'BadRequest', message: /its question/ });
  });

  it('says where it runs in words that can be no page', () => {
    assert.equal(asking({ computer: '<b>me</b>'.repeat(20) }).computer, 'bmeb'.repeat(16));
    assert.equal(asking({ computer: '' }).computer, 'this computer');
  });

  it('is told what was decided, with its state', () => {
    assert.equal(answerAt(ASKED, { code: 'c' }), `http://127.0.0.1:4711/?code=c&state=${ASKED.state}`);
    assert.match(answerAt(ASKED, { error: 'access_denied' }), /\?error=access_denied&state=/);
  });

  it('is known by a code that only its challenge gives', () => {
    assert.match(comparedCode(ASKED.challenge), /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    assert.notEqual(comparedCode(ASKED.challenge), comparedCode(hashOf('another')));
  });
});
