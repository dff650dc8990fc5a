/** The record as a table that other programs read, and the way it is gathered page by page. */
import { type AuditRecord, AuditRecord_VerdictSchema } from '#gen/proto/ghippo/api/audit/v1alpha1/audit_service_pb.ts';
import { wordOf } from '../api/words.ts';

/** More than this is no longer a list to read: narrower filters, or the API, tell the rest. */
export const MOST_EXPORTED = 10_000;

const HEADER = [
  'id',
  'time',
  'user',
  'method',
  'address',
  'agent',
  'action',
  'product',
  'resourceType',
  'resourceName',
  'instance',
  'namespace',
  'verdict',
  'reason',
] as const;

export function csvOf(records: readonly AuditRecord[]): string {
  const lines = records.map((one) => [
    one.id,
    new Date(Number(one.at)).toISOString(),
    one.user,
    one.method,
    one.address,
    one.agent,
    one.action,
    one.product,
    one.resourceType,
    one.resourceName,
    one.scope?.instance ?? '',
    one.scope?.namespace ?? '',
    wordOf(AuditRecord_VerdictSchema, one.verdict),
    one.reason,
  ]);
  // Spreadsheets take a text without a mark for the letters of the machine.
  return `\uFEFF${[HEADER, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** What a spreadsheet would compute is told to it as text: names and reasons are written by whoever asked. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

interface Page {
  readonly items: readonly AuditRecord[];
  readonly nextPageToken: string;
}

/** All pages, or the newest of them. */
export async function gathered(
  ask: (pageToken: string) => Promise<Page>,
  most = MOST_EXPORTED,
): Promise<{ readonly records: readonly AuditRecord[]; readonly more: boolean }> {
  const records: AuditRecord[] = [];
  for (let token = ''; ; ) {
    const page = await ask(token);
    records.push(...page.items);
    token = page.nextPageToken;
    if (token === '' || records.length >= most)
      return { records: records.slice(0, most), more: token !== '' || records.length > most };
  }
}
