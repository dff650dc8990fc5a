/** Scopes and times of the identity module, as people write and read them. */
import { type Scope, Scope_Type } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { humanDuration } from '#kube/meta/age.ts';
import { usageFailure } from '../cli/failure.ts';

/** `platform`, `folder/europe`, `workspace/payments`, `instance/demo`, `namespace/demo/shop`. */
export function scopeText({ type, folder, workspace, instance, namespace }: Scope): string {
  if (type === Scope_Type.Folder) return `folder/${folder}`;
  if (type === Scope_Type.Workspace) return `workspace/${workspace}`;
  if (type === Scope_Type.Instance) return `instance/${instance}`;
  if (type === Scope_Type.Namespace) return `namespace/${instance}/${namespace}`;
  return 'platform';
}

/** The other way round. */
export function scopeFrom(text: string): Omit<Scope, '$typeName' | '$unknown'> {
  const nowhere = { folder: '', workspace: '', instance: '', namespace: '' };
  const [word = '', first = '', second = ''] = text.split('/');
  if (word === 'platform' && first === '') return { ...nowhere, type: Scope_Type.Platform };
  if (word === 'folder' && first !== '') return { ...nowhere, type: Scope_Type.Folder, folder: first };
  if (word === 'workspace' && first !== '') return { ...nowhere, type: Scope_Type.Workspace, workspace: first };
  if (word === 'instance' && first !== '') return { ...nowhere, type: Scope_Type.Instance, instance: first };
  if (word === 'namespace' && second !== '')
    return { ...nowhere, type: Scope_Type.Namespace, instance: first, namespace: second };
  throw usageFailure(
    `"${text}" is no place`,
    'a place is platform, folder/NAME, workspace/NAME, instance/NAME or namespace/INSTANCE/NAME',
    'try --in instance/NAME',
  );
}

/** How long ago, from milliseconds since 1970; nothing for never. */
export function ago(at: bigint | number | undefined): string {
  const ms = Number(at ?? 0);
  return ms === 0 ? '' : humanDuration(Date.now() - ms);
}

const A_MOMENT_MS = 2_000;

/** In how long. */
export function ahead(at: bigint | number | undefined): string {
  const ms = Number(at ?? 0);
  if (ms === 0) return 'never';
  // A moment more: what was made for thirty days just now ends in thirty, not in twenty-nine.
  return ms < Date.now() ? 'ended' : `in ${humanDuration(ms - Date.now() + A_MOMENT_MS)}`;
}
