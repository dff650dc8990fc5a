import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingRight } from './problem.ts';

describe('what a refusal says', () => {
  it('names the right that is missing, and the roles that have it', () => {
    const said =
      'user "vera" may not get instance: user "vera" has no binding that grants kairship/instance/get in instance "demo": nothing was given to user "vera"; roles that would grant it: admin, instance-viewer';
    assert.deepEqual(missingRight(said), { right: 'kairship/instance/get', roles: 'admin, instance-viewer' });
  });

  it('does without roles where none is told', () => {
    const said =
      'user "vera" has no binding that grants ghippo/audit/list in the platform: what they were given does not reach it';
    assert.deepEqual(missingRight(said), { right: 'ghippo/audit/list', roles: '' });
  });

  it('is not known where somebody else refuses', () => {
    assert.equal(missingRight('pods is forbidden: User "vera" cannot list resource "pods"'), undefined);
  });
});
