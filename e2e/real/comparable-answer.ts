/** An answer without what no two servers have in common: identifiers, times, revisions, addresses given out. */
import { parse } from 'yaml';
import type { Answer, Ask } from '../kube/kube-server.ts';

export interface Comparable {
  readonly [field: string]: unknown;
  readonly code: number;
  readonly type: string;
  readonly warnings: unknown;
  readonly body: unknown;
}

export function comparable({ path }: Ask, { code, headers, text, body }: Answer): Comparable {
  const type = String(headers['content-type'] ?? '');
  const warnings = plain(headers['warning']);
  // How much of a watch comes before it is over is a matter of time.
  if (code === 200 && path.includes('watch=1')) return { code, type, warnings, body: '(events)' };
  return { code, type, warnings, body: plain(ownItems(path, bodyOf(type, text, body))) };
}

function bodyOf(type: string, text: string, body: unknown): unknown {
  // Binary answers are compared by the tests of the encoding; here it is enough that both give one.
  if (type.includes('protobuf')) return '(binary)';
  if (type.includes('yaml')) return parse(text) as unknown;
  return body ?? text;
}

/** The names that random requests use: everything else in a list is what the servers brought with them. */
const OWN = new Set(['a', 'b', 'c', 'default']);
const LIST_FIELDS = ['items', 'rows'];

function ownItems(path: string, body: unknown): unknown {
  if (!isRecord(body)) return body;
  const field = LIST_FIELDS.find((name) => Array.isArray(body[name]));
  if (field === undefined) return body;
  const items = (body[field] as readonly unknown[]).filter((item) => OWN.has(nameOf(item)));
  // Which is the first of a page depends on what else is there.
  const metadata = isRecord(body['metadata']) ? { ...body['metadata'] } : {};
  delete metadata['continue'];
  delete metadata['remainingItemCount'];
  return { ...body, metadata, [field]: path.includes('limit=') ? [] : items };
}

function nameOf(item: unknown): string {
  const object = isRecord(item) && isRecord(item['object']) ? item['object'] : item;
  const metadata = isRecord(object) ? object['metadata'] : undefined;
  return isRecord(metadata) ? String(metadata['name']) : '';
}

const GIVEN: Readonly<Record<string, string>> = {
  uid: '<uid>',
  resourceVersion: '<revision>',
  clusterIP: '<address>',
  nodePort: '<port>',
  healthCheckNodePort: '<port>',
};

function plain(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return GIVEN[field] !== undefined && value !== '' ? GIVEN[field] : plainText(value);
  if (typeof value === 'number') return GIVEN[field] !== undefined && value >= 30_000 ? GIVEN[field] : value;
  if (Array.isArray(value)) return listOf(value, field);
  if (!isRecord(value)) return value;
  // One asks with a certificate, the other with a token.
  if (field === 'userInfo') return { groups: value['groups'] };
  if (field === 'spec' && isRecord(value['extra']) && 'username' in value) return plain({ ...value, extra: undefined });
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner, key)]));
}

function listOf(values: readonly unknown[], field: string): unknown {
  if (field === 'clusterIPs') return values.map((one) => (one === 'None' ? one : '<address>'));
  // The prose of a column is our own.
  if (field === 'columnDefinitions') return values.map((one) => (isRecord(one) ? { ...one, description: '' } : one));
  const all = values.map((one) => plain(one));
  // Where two parts of Kubernetes look at the same field, both tell what is wrong with it.
  if (field === 'causes') return all.filter((one, at) => all.findIndex((other) => byText(one, other) === 0) === at);
  // Rules of a user come in the order of a map.
  if (/ResourceRules$|^resourceRules$/i.test(field)) return all.toSorted(byText);
  // Ordered by times, which the two servers need not share.
  if (field === 'managedFields') return all.toSorted(byText);
  return all;
}

function byText(a: unknown, b: unknown): number {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return one === other ? 0 : one < other ? -1 : 1;
}

function plainText(text: string): string {
  return (
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
      .replace(/20\d\d-(?!01-01)\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
      // The whole object as it would have become, in the order of no type.
      .replace(/(patch: )?Invalid value: "\{\\?"apiVersion.*\}"/s, '$1Invalid value: <object>')
      .replace(/patch: Invalid value: "map\[.*\]"/s, 'patch: Invalid value: <object>')
      .replace(/(metadata: )?Invalid value: \{.*\}: must be empty/, '$1<metadata>: must be empty')
      .replace(/in record \(\d+\)/g, 'in record (<revision>)')
      // All but the one that random requests use.
      .replace(/\b10\.(?!0\.0\.1\b)\d+\.\d+\.\d+\b/g, '<address>')
      .replace(/\b3\d{4}\/(TCP|UDP|SCTP)/g, '<port>/$1')
      .replace(/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<random>')
      .replace(/^\d+(s|m|m\d+s)$/, '<age>')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
