/** The audit log: a line of JSON for each request, in a file that is rotated. */
import { type Clock, systemClock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { RequestWitness } from '#kube/apiserver/index.ts';
import { auditEvent } from './audit-event.ts';
import { rotatingFile } from './rotating-file.ts';

export interface AuditLog {
  /** To be told of requests: the `witness` of an API server. */
  readonly witness: RequestWitness;
  /** Resolves when all requests told of are on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditLogOptions {
  readonly file: string;
  /** 100 MiB when absent. */
  readonly maxBytes?: number;
  /** How many older files are kept; 10 when absent. */
  readonly keep?: number;
  readonly clock?: Clock;
  readonly log?: Log;
}

const MIB = 1024 * 1024;

export async function auditLog(options: AuditLogOptions): Promise<AuditLog> {
  const { file: path, maxBytes = 100 * MIB, keep = 10, clock = systemClock, log = silentLog } = options;
  const file = await rotatingFile({
    path,
    maxBytes,
    keep,
    maxWaitingBytes: 32 * MIB,
    onLoss: (lines, error) => log.error('audit events were lost', { lines, path, error }),
  });
  return {
    witness: (notes, stage, code) => file.append(`${JSON.stringify(auditEvent(notes, stage, code, clock.now()))}\n`),
    flush: () => file.flush(),
    close: () => file.close(),
  };
}
