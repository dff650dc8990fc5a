import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkPassword, hashPassword, PASSWORD_COST, PASSWORD_LENGTH, requireStrongPassword } from './password.ts';

const CHEAP = { ln: 4, r: 8, p: 1 };

describe('a password', () => {
  it('is right only if it is the same', async () => {
    const kept = await hashPassword('correct horse', CHEAP);
    assert.equal(await checkPassword('correct horse', kept, CHEAP), 'right');
    for (const wrong of ['correct horsE', 'correct hors', '', 'correct horse '])
      assert.equal(await checkPassword(wrong, kept, CHEAP), 'wrong');
  });

  it('is kept with a salt of its own, and never itself', async () => {
    const [one, other] = await Promise.all([hashPassword('same secret', CHEAP), hashPassword('same secret', CHEAP)]);
    assert.notEqual(one, other);
    assert.doesNotMatch(one, /same/);
  });

  it('is to be hashed anew when the cost has changed', async () => {
    const kept = await hashPassword('correct horse', CHEAP);
    assert.equal(await checkPassword('correct horse', kept, { ...CHEAP, ln: 5 }), 'right, hash anew');
    assert.equal(await checkPassword('wrong horse', kept, { ...CHEAP, ln: 5 }), 'wrong');
  });

  it('may be typed on any keyboard: composed and decomposed letters are the same', async () => {
    const kept = await hashPassword('caf\u00e9 au lait', CHEAP);
    assert.equal(await checkPassword('cafe\u0301 au lait', kept, CHEAP), 'right');
  });

  it('is wrong when what was kept is damaged', async () => {
    for (const kept of ['', 'plain', '$scrypt$ln=4$x$y', '$argon2id$v=19$m=1,t=1,p=1$x$y'])
      assert.equal(await checkPassword('anything', kept, CHEAP), 'wrong');
  });

  it('costs at least what is recommended today', () => {
    // OWASP: N=2^15, r=8, p=3 is one of the equivalent settings.
    assert.deepEqual(PASSWORD_COST, { ln: 15, r: 8, p: 3 });
  });

  const weak: [because: string, password: string][] = [
    ['is too short', 'seven77'],
    ['is too long', 'long'.repeat(PASSWORD_LENGTH.max)],
    ['has too few different characters', 'abababababab'],
    ['contains the name of the user', 'xAlice2026!'],
  ];
  for (const [because, password] of weak) {
    it(`is refused when it ${because}`, () =>
      assert.throws(() => requireStrongPassword(password, 'alice'), { reason: 'Invalid' }));
  }
  it('is accepted otherwise', () => requireStrongPassword('tr0ub4dor&3', 'alice'));
});
