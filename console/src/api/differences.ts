/** What lives otherwise than it was sent, field by field. Fields that were never sent are the cluster's own business. */
export interface Difference {
  /** As people write it: `spec.replicas`. */
  readonly path: string;
  readonly sent: unknown;
  readonly live: unknown;
}

/** Kept by servers and by the engine, and no part of what anybody asked for. */
const OWN = new Set([
  'status',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.uid',
  'metadata.creationTimestamp',
  'metadata.managedFields',
  // Written for kubectl, and left out of the index.
  'metadata.annotations.kubectl.kubernetes.io/last-applied-configuration',
]);

export function differences(sent: unknown, live: unknown, path = ''): readonly Difference[] {
  if (OWN.has(path)) return [];
  if (isRecord(sent) && (isRecord(live) || live === undefined))
    return Object.keys(sent).flatMap((key) => differences(sent[key], live?.[key], path ? `${path}.${key}` : key));
  if (Array.isArray(sent) && Array.isArray(live) && sent.length === live.length)
    return sent.flatMap((item, index) => differences(item, live[index], `${path}[${index}]`));
  if (isEmpty(sent) && live === undefined) return [];
  return JSON.stringify(sent) === JSON.stringify(live) ? [] : [{ path, sent, live }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A server leaves out what is empty. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
