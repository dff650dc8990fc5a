import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { LINK_MS, SESSION_MS, sessions } from './session.ts';

describe('sign-in links and sessions', () => {
  it('a link is changed for a session of its user, once', () => {
    const desk = sessions({ key: 'k', clock: fakeClock() });
    const code = desk.link('admin');
    const session = desk.redeem(code);
    assert.equal(session?.user, 'admin');
    assert.equal(desk.userOf(session.cookie), 'admin');
    assert.equal(desk.redeem(code), undefined);
  });

  it('a link and a session end with their time', async () => {
    const clock = fakeClock();
    const desk = sessions({ key: 'k', clock });
    const late = desk.link('admin');
    const cookie = desk.redeem(desk.link('admin'))?.cookie ?? '';
    await clock.advance(LINK_MS);
    assert.equal(desk.redeem(late), undefined);
    assert.equal(desk.userOf(cookie), 'admin');
    await clock.advance(SESSION_MS);
    assert.equal(desk.userOf(cookie), undefined);
  });

  it('a link is no session, and another key signs nothing', () => {
    const clock = fakeClock();
    const desk = sessions({ key: 'k', clock });
    assert.equal(desk.userOf(desk.link('admin')), undefined);
    assert.equal(desk.redeem(sessions({ key: 'other', clock }).link('admin')), undefined);
    for (const junk of ['', '.', 'a.b', 'e30.', 'x'.repeat(5000)]) assert.equal(desk.userOf(junk), undefined);
  });
});
