/**
 * The audit log: appended to, read newest first page by page, and forgotten by age and by size.
 *
 * A record is on disk before the write it tells of is answered. Pages are found by the last record of the one before, so
 * that what is appended meanwhile neither repeats nor hides anything.
 */
import type { Clock } from '#base/clock.ts';
import { badRequest } from '#base/status-error.ts';
import { parseScopeKey, scopeKey } from '#ghippo/apis/scope.ts';
import { type Database, numberOf, type Row, textOf, type Value } from '../database/database.ts';
import { growingIds } from './growing-ids.ts';
import type { AuditEntry, AuditFilter, AuditRecord, AuditVerdict } from './audit-record.ts';

export const AUDIT_KEEP_MS = 365 * 24 * 3_600_000;
export const AUDIT_KEEP_BYTES = 1024 * 1024 * 1024;
export const AUDIT_PAGE = { default: 50, max: 500 };
/** Longer texts are cut: nobody fills the log with one request. */
export const AUDIT_TEXT = 4_096;
const FORGET_AT_ONCE = 1_000;

export interface AuditLog {
  record(...entries: readonly AuditEntry[]): Promise<void>;
  query(
    filter?: AuditFilter,
    page?: { readonly limit?: number; readonly after?: string },
  ): Promise<{ readonly records: readonly AuditRecord[]; readonly next?: string }>;
  get(id: string): Promise<AuditRecord | undefined>;
  /** Forgets what is too old, and the oldest until the rest is small enough; how many that were. */
  forget(keep?: { readonly forMs?: number; readonly bytes?: number }): Promise<number>;
}

const COLUMNS =
  'id, at, user_name, method, address, agent, action, product, resource_type, resource_name, scope, verdict, reason, detail, bytes';

export function auditLog({ database, clock }: { readonly database: Database; readonly clock: Clock }): AuditLog {
  const nextId = growingIds(clock);

  async function append(entry: AuditEntry): Promise<void> {
    const texts = [
      entry.user,
      entry.method,
      entry.address ?? '',
      entry.agent ?? '',
      entry.action,
      entry.product,
      entry.resourceType,
      entry.resourceName,
      entry.scope ? scopeKey(entry.scope) : '',
      entry.verdict,
      entry.reason,
      entry.detail ? JSON.stringify(entry.detail) : '',
    ].map((text) => text.slice(0, AUDIT_TEXT).replaceAll('\0', ''));
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 64);
    const values = [nextId(), clock.now(), ...texts, bytes];
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    await database.query(`INSERT INTO ghippo_audit (${COLUMNS}) VALUES (${places})`, values);
  }

  async function forgetOld(forMs: number): Promise<number> {
    const rows = await database.query('DELETE FROM ghippo_audit WHERE at < $1 RETURNING id', [clock.now() - forMs]);
    return rows.length;
  }

  async function forgetExcess(bytes: number): Promise<number> {
    for (let gone = 0; ; ) {
      const [row] = await database.query('SELECT COALESCE(SUM(bytes), 0) AS total FROM ghippo_audit');
      if (numberOf(row ?? {}, 'total') <= bytes) return gone;
      const oldest = await database.query(`SELECT id, bytes FROM ghippo_audit ORDER BY id LIMIT ${FORGET_AT_ONCE}`);
      const excess = numberOf(row ?? {}, 'total') - bytes;
      const last = lastOf(oldest, excess);
      if (last === undefined) return gone;
      gone += (await database.query('DELETE FROM ghippo_audit WHERE id <= $1 RETURNING id', [last])).length;
    }
  }

  return {
    async record(...entries) {
      for (const entry of entries) await append(entry);
    },
    async query(filter = {}, { limit = AUDIT_PAGE.default, after } = {}) {
      if (!Number.isInteger(limit) || limit < 1 || limit > AUDIT_PAGE.max)
        throw badRequest(`a page has 1 to ${AUDIT_PAGE.max} records, not ${limit}`);
      const { where, values } = conditions(filter, after);
      const rows = await database.query(
        `SELECT ${COLUMNS} FROM ghippo_audit ${where} ORDER BY id DESC LIMIT ${limit + 1}`,
        values,
      );
      const records = rows.slice(0, limit).map(recordOf);
      const last = records.at(-1);
      return { records, ...(rows.length > limit && last ? { next: last.id } : {}) };
    },
    async get(id) {
      const [row] = await database.query(`SELECT ${COLUMNS} FROM ghippo_audit WHERE id = $1`, [id]);
      return row && recordOf(row);
    },
    async forget({ forMs = AUDIT_KEEP_MS, bytes = AUDIT_KEEP_BYTES } = {}) {
      return (await forgetOld(forMs)) + (await forgetExcess(bytes));
    },
  };
}

/** The id up to which the oldest make up the excess. */
function lastOf(oldest: readonly Row[], excess: number): string | undefined {
  let sum = 0;
  for (const row of oldest) {
    sum += numberOf(row, 'bytes');
    if (sum >= excess) return textOf(row, 'id');
  }
  const last = oldest.at(-1);
  return last && textOf(last, 'id');
}

function conditions(filter: AuditFilter, after: string | undefined) {
  const asked: readonly [sql: string, value: Value | undefined][] = [
    ['id <', after],
    ['user_name =', filter.user],
    ['product =', filter.product],
    ['resource_type =', filter.resourceType],
    ['resource_name =', filter.resourceName],
    ['action =', filter.action],
    ['verdict =', filter.verdict],
    ['at >=', filter.from],
    ['at <', filter.to],
    ['scope =', filter.scope],
  ];
  const given = asked.filter((one): one is [string, Value] => one[1] !== undefined);
  const texts = given.map(([sql], index) => `${sql} $${index + 1}`);
  return { where: texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`, values: given.map(([, value]) => value) };
}

function recordOf(row: Row): AuditRecord {
  const scope = parseScopeKey(textOf(row, 'scope'));
  const detail = textOf(row, 'detail');
  return {
    id: textOf(row, 'id'),
    at: numberOf(row, 'at'),
    user: textOf(row, 'user_name'),
    method: textOf(row, 'method'),
    address: textOf(row, 'address'),
    agent: textOf(row, 'agent'),
    action: textOf(row, 'action'),
    product: textOf(row, 'product'),
    resourceType: textOf(row, 'resource_type'),
    resourceName: textOf(row, 'resource_name'),
    ...(scope ? { scope } : {}),
    verdict: textOf(row, 'verdict') as AuditVerdict,
    reason: textOf(row, 'reason'),
    ...(detail === '' ? {} : { detail: parsedDetail(detail) }),
  };
}

/** A detail that was too long was cut, and is then only text. */
function parsedDetail(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return { text };
  }
}
