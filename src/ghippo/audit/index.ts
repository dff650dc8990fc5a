export * from './audit-log.ts';
export type * from './audit-record.ts';
