import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { AuditRecord_Verdict, AuditRecordSchema } from '#gen/proto/ghippo/api/audit/v1alpha1/audit_service_pb.ts';
import { csvOf, gathered } from './audit-csv.ts';

const record = (id: string, more: object = {}) =>
  create(AuditRecordSchema, { id, at: 0n, user: 'ann', verdict: AuditRecord_Verdict.denied, ...more });

describe('The record as CSV', () => {
  it('has a line for each record below its names, and says what the verdict was', () => {
    const [head, line, rest] = csvOf([record('1', { scope: { instance: 'demo' } })]).split('\r\n');
    assert.match(head ?? '', /^\uFEFFid,time,user,/);
    assert.equal(line, '1,1970-01-01T00:00:00.000Z,ann,,,,,,,,demo,,denied,');
    assert.equal(rest, '');
  });

  it('keeps separators within their cell, and computes nothing', () => {
    const csv = csvOf([record('1', { reason: 'no, "never"\nagain', resourceName: '=1+1' })]);
    assert.ok(csv.includes('"no, ""never""\nagain"'), csv);
    assert.ok(csv.includes(",'=1+1,"), csv);
  });
});

describe('What is exported', () => {
  const pages: Readonly<Record<string, { items: ReturnType<typeof record>[]; nextPageToken: string }>> = {
    '': { items: [record('3'), record('2')], nextPageToken: 'a' },
    a: { items: [record('1')], nextPageToken: '' },
  };
  const ask = async (token: string) => pages[token] ?? { items: [], nextPageToken: '' };
  const ids = ({ records }: { readonly records: readonly { readonly id: string }[] }) => records.map(({ id }) => id);

  it('is every page there is', async () => {
    const all = await gathered(ask);
    assert.deepEqual([ids(all), all.more], [['3', '2', '1'], false]);
  });

  it('ends at the limit and says so', async () => {
    const some = await gathered(ask, 2);
    assert.deepEqual([ids(some), some.more], [['3', '2'], true]);
  });
});
