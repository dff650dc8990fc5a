import { StatusError } from '#base/status-error.ts';
import { type FieldPath, type FieldSet, pathsOf, pathText } from './field-set.ts';
import { identityOf } from './managed-fields.ts';

/** What an apply would take from whom, by the identity of the manager. */
export type Conflicts = ReadonlyMap<string, FieldSet>;

/** The refusal of an apply, with the words and causes kubectl shows. */
export function applyConflict(conflicts: Conflicts): StatusError {
  const found = [...conflicts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, fields]) => ({ manager: managerText(id), paths: [...pathsOf(fields)] }));
  const causes = found.flatMap(({ manager, paths }) => paths.map((path) => causeOf(manager, path)));
  return new StatusError('Conflict', messageOf(found, causes.length), { details: { causes } });
}

function causeOf(manager: string, path: FieldPath) {
  return { reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field: pathText(path) };
}

function messageOf(found: readonly { manager: string; paths: readonly FieldPath[] }[], count: number): string {
  const [first] = found;
  if (count === 1 && first) {
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.paths.map(pathText).join('')}`;
  }
  const groups = found.map(({ manager, paths }) =>
    [`conflicts with ${manager}:`, ...paths.map((path) => `- ${pathText(path)}`)].join('\n'),
  );
  return `Apply failed with ${count} conflicts: ${groups.join('\n')}`;
}

function managerText(id: string): string {
  const { manager = '', operation, apiVersion, subresource } = identityOf(id);
  const through = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return JSON.stringify(manager) + through + version;
}
