/** What the audit log promises on every database, as tests. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type FakeClock, fakeClock } from '#base/clock.ts';
import { instanceScope, scopeKey } from '#ghippo/apis/scope.ts';
import type { Database } from '../database/database.ts';
import { AUDIT_KEEP_MS, AUDIT_PAGE, AUDIT_TEXT, type AuditLog, auditLog } from './audit-log.ts';
import type { AuditEntry } from './audit-record.ts';

const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  user: 'alice',
  method: 'session',
  address: '10.0.0.1',
  agent: 'kairship/1',
  action: 'ghippo/user/create',
  product: 'ghippo',
  resourceType: 'user',
  resourceName: 'bob',
  verdict: 'allowed',
  reason: 'because',
  ...more,
});

export function auditContract(name: string, open: (t: TestContext) => Promise<Database>): void {
  const fixture = async (t: TestContext): Promise<{ clock: FakeClock; log: AuditLog; database: Database }> => {
    const clock = fakeClock();
    const database = await open(t);
    await database.query('DELETE FROM ghippo_audit');
    return { clock, database, log: auditLog({ database, clock }) };
  };
  const namesIn = async (log: AuditLog, ...asked: Parameters<AuditLog['query']>) =>
    (await log.query(...asked)).records.map(({ resourceName }) => resourceName);

  describe(`${name}: the audit log`, () => {
    it('gives back what was recorded', async (t) => {
      const { log, clock } = await fixture(t);
      const whole = entry({ scope: instanceScope('prod'), detail: { changed: ['email'] } });
      await log.record(whole);
      const [record] = (await log.query()).records;
      assert.deepEqual(record, { ...whole, id: record?.id, at: clock.now() });
      assert.deepEqual(await log.get(record?.id ?? ''), record);
      assert.equal(await log.get('none'), undefined);
    });

    it('is read newest first, page by page, whatever is appended meanwhile', async (t) => {
      const { log, clock } = await fixture(t);
      for (let n = 1; n <= 5; n++) {
        await log.record(entry({ resourceName: `r${n}` }));
        // Some within the same millisecond.
        if (n % 2 === 0) await clock.advance(1);
      }
      const first = await log.query({}, { limit: 2 });
      await log.record(entry({ resourceName: 'r6' }));
      const second = await log.query({}, { limit: 2, after: first.next ?? '' });
      const third = await log.query({}, { limit: 2, after: second.next ?? '' });
      const names = [first, second, third].map(({ records }) => records.map(({ resourceName }) => resourceName));
      assert.deepEqual(names, [['r5', 'r4'], ['r3', 'r2'], ['r1']]);
      assert.equal(third.next, undefined);
    });

    it('is filtered by everything a record says', async (t) => {
      const { log, clock } = await fixture(t);
      const start = clock.now();
      await log.record(entry({ resourceName: 'a', user: 'bob', verdict: 'denied', scope: instanceScope('prod') }));
      await clock.advance(1000);
      await log.record(
        entry({ resourceName: 'b', action: 'ghippo/role/delete', resourceType: 'role', product: 'other' }),
      );
      assert.deepEqual(await namesIn(log, { user: 'bob' }), ['a']);
      assert.deepEqual(await namesIn(log, { verdict: 'denied' }), ['a']);
      assert.deepEqual(await namesIn(log, { scope: scopeKey(instanceScope('prod')) }), ['a']);
      assert.deepEqual(await namesIn(log, { action: 'ghippo/role/delete' }), ['b']);
      assert.deepEqual(await namesIn(log, { resourceType: 'role', resourceName: 'b', product: 'other' }), ['b']);
      assert.deepEqual(await namesIn(log, { from: start, to: start + 1000 }), ['a']);
      assert.deepEqual(await namesIn(log, { from: start + 1000 }), ['b']);
      assert.deepEqual(await namesIn(log, { user: `bob' OR '1'='1` }), []);
    });

    it('has pages of a limited size', async (t) => {
      const { log } = await fixture(t);
      for (const limit of [0, -1, 1.5, AUDIT_PAGE.max + 1])
        await assert.rejects(log.query({}, { limit }), { reason: 'BadRequest' });
    });

    it('cuts what is too long', async (t) => {
      const { log } = await fixture(t);
      await log.record(entry({ reason: 'x'.repeat(AUDIT_TEXT * 2), detail: { y: 'y'.repeat(AUDIT_TEXT * 2) } }));
      const [record] = (await log.query()).records;
      assert.equal(record?.reason.length, AUDIT_TEXT);
      assert.equal(JSON.stringify(record?.detail).startsWith('{"text":'), true);
    });

    it('forgets by age', async (t) => {
      const { log, clock } = await fixture(t);
      await log.record(entry({ resourceName: 'old' }));
      await clock.advance(AUDIT_KEEP_MS - 1000);
      await log.record(entry({ resourceName: 'new' }));
      assert.equal(await log.forget(), 0);
      await clock.advance(1001);
      assert.equal(await log.forget(), 1);
      assert.deepEqual(await namesIn(log), ['new']);
      assert.equal(await log.forget({ forMs: -1 }), 1);
    });

    it('forgets the oldest by size, and no more of them than needed', async (t) => {
      const { log, database } = await fixture(t);
      for (let n = 1; n <= 10; n++) await log.record(entry({ resourceName: `r${n}`.padEnd(3) }));
      const [row] = await database.query('SELECT bytes FROM ghippo_audit LIMIT 1');
      const each = Number(row?.['bytes']);
      assert.equal(await log.forget({ bytes: each * 7 }), 3);
      assert.equal((await namesIn(log)).at(-1)?.trim(), 'r4');
      assert.equal(await log.forget({ bytes: 0 }), 7);
    });
  });
}
