/** Records in `metadata.managedFields` who wrote which fields. */
import type { Draft } from '#base/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '#kube/meta/object.ts';
import { manageUpdate } from '#kube/patch/index.ts';
import { META_FIELDS, type ResourceDefinition } from '../resource.ts';
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
  setManagers(draft, manageUpdate({ ...writerOf(served, recording), live, next: draft }));
}

/** Who writes, as the bookkeeping of fields wants to know it. */
export function writerOf({ definition, apiVersion }: Served, { manager, now, subresource }: Recording) {
  const { schema, schemaOf } = definition;
  const resetFields = resetFieldsOf(definition, subresource ?? '');
  return { schema, apiVersion, manager, now, subresource, resetFields, schemaOf };
}

type Paths = readonly (readonly string[])[];

/** Made once for each definition, for who reads them knows them by identity. */
const resets = new WeakMap<ResourceDefinition, Map<string, Paths>>();

function resetFieldsOf(definition: ResourceDefinition, door: string): Paths {
  const known = resets.get(definition) ?? new Map<string, Paths>();
  resets.set(definition, known);
  let paths = known.get(door);
  if (!paths) known.set(door, (paths = definition.strategy.resetFields?.[door] ?? usualReset(definition, door)));
  return paths;
}

/** What a door does not let through, its users do not own. */
function usualReset({ strategy }: ResourceDefinition, door: string): Paths {
  const { hasStatus, statusKeeps = [] } = strategy;
  if (door === '') return hasStatus ? [['status']] : [];
  if (door === 'finalize') return [['status']];
  if (door !== 'status') return [];
  return [
    ['spec'],
    ...(statusKeeps === META_FIELDS ? [['metadata']] : statusKeeps.map((field) => ['metadata', field])),
  ];
}

export function setManagers(draft: Draft<KubeObject>, entries: readonly ManagedFieldsEntry[]): void {
  // Entries are read again with the stored object and told apart by identity: they are shared, not copied.
  if (entries.length > 0) draft.metadata.managedFields = entries as Draft<ManagedFieldsEntry>[];
  else delete draft.metadata.managedFields;
}
