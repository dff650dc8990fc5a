import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Claims, distinctName, MOST_GROUPS, personOf } from './external-identity.ts';

const spec = { issuer: 'https://idp', clientId: 'x' };
const person = (claims: Claims, more: object = {}) => personOf('corp', { ...spec, ...more }, { sub: '1', ...claims });

describe('somebody from an identity provider', () => {
  const names: [claims: Claims, name: string][] = [
    [{ preferred_username: 'Alice' }, 'alice'],
    [{ preferred_username: 'alice.b@corp.example' }, 'alice.b'],
    [{ email: 'bob@corp.example' }, 'bob'],
    [{ preferred_username: 'Éva Kovács' }, 'va-kov-cs'],
    [{ preferred_username: '../../admin' }, 'admin'],
    [{ preferred_username: '王' }, 'user-58a8574f'],
    [{}, '1'],
  ];
  for (const [claims, name] of names)
    it(`is called ${name} for ${JSON.stringify(claims)}`, () => {
      const { wantedName } = person(claims);
      assert.match(wantedName, /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
      if (!name.startsWith('user-')) assert.equal(wantedName, name);
    });

  it('has another name when that is taken, always the same', () => {
    const one = person({ preferred_username: 'x'.repeat(80) });
    assert.equal(distinctName(one), distinctName(one));
    assert.ok(distinctName(one).length <= 63);
    assert.notEqual(distinctName(one), distinctName(person({ preferred_username: 'x'.repeat(80), sub: '2' })));
  });

  it('is in the groups of the provider, which cannot pass for ours', () => {
    assert.deepEqual(person({ groups: ['admins', 'dev', 'dev', 7] }).identity.groups, ['corp:admins', 'corp:dev']);
    assert.deepEqual(person({ roles: 'one' }, { groupsClaim: 'roles', groupsPrefix: 'x:' }).identity.groups, ['x:one']);
    const mapping = { groupMapping: [{ claim: 'admins', group: 'platform' }] };
    assert.deepEqual(person({ groups: ['admins', 'dev'] }, mapping).identity.groups, ['corp:dev', 'platform']);
    assert.deepEqual(person({}).identity.groups, []);
    const many = Array.from({ length: MOST_GROUPS * 2 }, (_, n) => `g${n}`);
    assert.equal(person({ groups: many }).identity.groups?.length, MOST_GROUPS);
  });

  it('has an address only if nobody doubts it', () => {
    assert.equal(person({ email: 'a@b', email_verified: false }).email, undefined);
    assert.equal(person({ email: 'a@b' }).email, 'a@b');
  });

  it('is nobody without a subject', () => {
    assert.throws(() => personOf('corp', spec, { name: 'x' }), { reason: 'Unauthorized' });
  });
});
