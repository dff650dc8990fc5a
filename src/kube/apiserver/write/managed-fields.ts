/** Records in `metadata.managedFields` who wrote which fields. */
import type { Draft } from '#base/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '#kube/meta/object.ts';
import { manageUpdate } from '#kube/patch/index.ts';
import type { Served } from '../served.ts';

export interface Recording {
  readonly manager: string;
  readonly now: number;
  readonly subresource?: string | undefined;
}

/** Records that `draft` differs from `live` by the hand of a manager who sent it whole. */
export function recordUpdate(
  served: Served,
  live: KubeObject | undefined,
  draft: Draft<KubeObject>,
  recording: Recording,
): void {
  const entries = manageUpdate({ ...writerOf(served, recording), live, next: draft });
  setManagers(draft, recording.subresource === 'scale' ? entries.map(withoutTime).sort(byAge) : entries);
}

/** Who writes, as the bookkeeping of fields wants to know it. */
export function writerOf({ definition, apiVersion }: Served, { manager, now, subresource }: Recording) {
  const { schema, custom } = definition;
  const resetFields = custom ? undefined : KEPT[subresource ?? ''];
  return { schema, apiVersion, manager, now, subresource, resetFields };
}

/** Built-in kinds let nothing but the status through their status. */
const KEPT: Readonly<Record<string, readonly (readonly string[])[] | undefined>> = {
  status: [['spec'], ['metadata', 'labels'], ['metadata', 'annotations'], ['metadata', 'finalizers']],
};

export function setManagers(draft: Draft<KubeObject>, entries: readonly ManagedFieldsEntry[]): void {
  // Entries are read again with the stored object and told apart by identity: they are shared, not copied.
  if (entries.length > 0) draft.metadata.managedFields = entries as Draft<ManagedFieldsEntry>[];
  else delete draft.metadata.managedFields;
}

/** Scaling leaves no time, in Kubernetes as here: clients that compare objects expect none. */
function withoutTime(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  if (entry.subresource !== 'scale' || entry.time === undefined) return entry;
  const { time: _, ...rest } = entry;
  return rest;
}

function byAge(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  const [orderA, orderB] = [orderOf(a), orderOf(b)];
  return orderA < orderB ? -1 : orderA > orderB ? 1 : 0;
}

function orderOf({ operation, time = '', manager = '', subresource = '' }: ManagedFieldsEntry): string {
  return [operation === 'Apply' ? '0' : '1', time, manager, subresource].join('\u0000');
}
