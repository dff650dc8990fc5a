/** R29: what is taken away in one process is gone in all others, told by events and not found by looking again. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ofSuite } from '#base/testing.ts';
import { SYSTEM } from '#ghippo/access/caller.ts';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { sqliteDatabase } from '#ghippo/database/sqlite-database.ts';
import { type Ghippo, startGhippo } from './ghippo.ts';
import { globalCluster } from './testing.ts';

const PERMISSION = 'ghippo/access/list';
const SCOPE = instanceScope('prod');

describe('R29: two processes on one global cluster and one database', () => {
  const suite = ofSuite();
  let here: Ghippo;
  let there: Ghippo;

  before(async () => {
    const { client, signal } = await globalCluster(suite);
    const database = await sqliteDatabase();
    const start = () => startGhippo({ client, database, signal, passwordCost: { ln: 4, r: 8, p: 1 } });
    [here, there] = await Promise.all([start(), start()]);
    await Promise.all([here.ready, there.ready]);
  });

  /** Resolves when a process was told of something after which the condition holds; it is never polled. */
  function told(process: Ghippo, condition: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (condition()) resolve();
    };
    const end = process.snapshot.subscribe(look);
    look();
    return promise.finally(end);
  }

  const may = (process: Ghippo, user: string) =>
    process.snapshot.decide({ user, permission: PERMISSION, scope: SCOPE }).allowed;

  async function person(name: string): Promise<void> {
    await here.users.createUser(SYSTEM, { name });
    await Promise.all([here, there].map((one) => told(one, () => one.snapshot.current().user(name) !== undefined)));
  }

  it('agree on a right when it is given, and on its end when it is taken back', async () => {
    await person('vera');
    const subjects = [{ kind: 'User', name: 'vera' }] as const;
    assert.equal(may(there, 'vera'), false);
    await here.bindings.grant(SYSTEM, { name: 'b', role: 'instance-viewer', scope: SCOPE, subjects });
    await told(there, () => may(there, 'vera'));
    await here.bindings.revoke(SYSTEM, 'b');
    await told(there, () => !may(there, 'vera'));
  });

  it('refuse a session with the next request once another has ended it', async () => {
    await person('sam');
    const { secret, session } = await here.signIns.admit('sam', 'password');
    assert.equal((await there.authenticate({ session: secret }))?.user, 'sam');
    await here.sessions.revoke(session.id);
    await assert.rejects(there.authenticate({ session: secret }), { reason: 'Unauthorized' });
  });

  it('refuse a token that another has revoked, and take one that another has just made', async () => {
    await person('tom');
    const tom = { user: 'tom', method: 'session' } as const;
    const { text, token } = await here.tokens.createToken(tom, { description: 'ci' });
    assert.equal((await there.authenticate({ bearer: text }))?.user, 'tom');
    await here.tokens.revokeToken(tom, token.id);
    for (;;) {
      const answer = await there.authenticate({ bearer: text }).catch((error: { reason: string }) => error.reason);
      if (answer === 'Unauthorized') break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('refuse everything of a user whom another has disabled, and sign them in no more', async () => {
    await person('dan');
    const { secret } = await there.signIns.admit('dan', 'password');
    await here.users.updateUser(SYSTEM, 'dan', { disabled: true });
    await told(there, () => there.snapshot.current().user('dan')?.spec.disabled === true);
    await assert.rejects(there.authenticate({ session: secret }), { reason: 'Unauthorized' });
    await assert.rejects(there.signIns.admit('dan', 'link'), { reason: 'Unauthorized' });
  });
});
