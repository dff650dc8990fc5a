/** The audit log, read and written to by products. */
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { badRequest, notFound } from '#base/status-error.ts';
import {
  type AuditRecord as AuditMessage,
  AuditRecord_Verdict,
  type AuditRecordSchema,
  AuditService,
} from '#gen/proto/ghippo/api/audit/v1alpha1/audit_service_pb.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import { PLATFORM, scopeKey } from '#ghippo/apis/scope.ts';
import {
  AUDIT_KEEP_BYTES,
  AUDIT_KEEP_MS,
  type AuditEntry,
  type AuditRecord,
  type AuditVerdict,
} from '#ghippo/audit/index.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn, type Context } from './caller-in.ts';
import { given, scopeFrom, scopeMessage } from './messages.ts';

const DAY_MS = 86_400_000;

export function auditApi({ audit, guard }: Ghippo): ServedService {
  const require = (context: Context, action: string) =>
    guard.require(callerIn(context), { permission: ghippoPermission('audit', action), scope: PLATFORM, name: '' });

  return service(AuditService, {
    async listAudits(request, context) {
      await require(context, 'list');
      const { user, product, resourceType, resourceName, action } = request;
      const scope = scopeFrom(request.scope);
      const verdict = verdictFrom(request.verdict);
      const filter = {
        ...given({ user, product, resourceType, resourceName, action }),
        ...(scope ? { scope: scopeKey(scope) } : {}),
        ...(verdict ? { verdict } : {}),
        ...(request.from === 0n ? {} : { from: Number(request.from) }),
        ...(request.to === 0n ? {} : { to: Number(request.to) }),
      };
      const page = {
        ...(request.pageSize === 0 ? {} : { limit: request.pageSize }),
        ...(request.pageToken === '' ? {} : { after: request.pageToken }),
      };
      const { records, next = '' } = await audit.query(filter, page);
      return { items: records.map(recordMessage), nextPageToken: next };
    },
    async getAuditDetail({ id }, context) {
      await require(context, 'list');
      const record = await audit.get(id);
      if (!record) throw notFound('audits', id);
      return recordMessage(record);
    },
    async getAutoClearAuditTime(_request, context) {
      await require(context, 'list');
      return { days: AUDIT_KEEP_MS / DAY_MS, bytes: BigInt(AUDIT_KEEP_BYTES) };
    },
    async batchInsertAudits({ items }, context) {
      await require(context, 'insert');
      await audit.record(...items.map(entryFrom));
      return {};
    },
  });
}

const VERDICTS: readonly AuditVerdict[] = ['allowed', 'denied', 'failed'];

function verdictFrom(message: AuditRecord_Verdict): AuditVerdict | undefined {
  return VERDICTS.find((name) => AuditRecord_Verdict[name] === message);
}

function recordMessage(record: AuditRecord): MessageInitShape<typeof AuditRecordSchema> {
  const { scope, detail, address = '', agent = '', at, verdict, ...texts } = record;
  return {
    ...texts,
    at: BigInt(at),
    address,
    agent,
    verdict: AuditRecord_Verdict[verdict],
    ...(scope ? { scope: scopeMessage(scope) } : {}),
    ...(detail ? { detail: detail as JsonObject } : {}),
  };
}

/** Identity and time of a record are the log's own. */
function entryFrom(message: AuditMessage): AuditEntry {
  const { user, method, address, agent, action, product, resourceType, resourceName, reason, detail } = message;
  const verdict = verdictFrom(message.verdict);
  if (!verdict) throw badRequest('a record has a verdict');
  const scope = scopeFrom(message.scope);
  const texts = { user, method, address, agent, action, product, resourceType, resourceName, reason };
  return { ...texts, verdict, ...(scope ? { scope } : {}), ...(detail ? { detail } : {}) };
}
