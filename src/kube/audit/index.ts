/** A record of who did what. Start at {@link auditLog}. */
export { type AuditLog, type AuditLogOptions, auditLog } from './audit-log.ts';
