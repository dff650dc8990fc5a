import { StatusError } from '#base/status-error.ts';
import { type FieldPath, type FieldSet, pathsOf, pathText } from './field-set.ts';
import { type Manager, textOrder } from './managed-fields.ts';

/** What an apply would take from a manager. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** The refusal of an apply, with the words and causes kubectl shows. */
export function applyConflict(conflicts: readonly Conflict[]): StatusError {
  const found = [...conflicts]
    .sort((a, b) => textOrder(a.manager.id, b.manager.id))
    .map(({ manager, fields }) => ({ manager: managerText(manager), paths: [...pathsOf(fields)] }));
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

function managerText({ identity: { manager, operation, apiVersion, subresource } }: Manager): string {
  const through = subresource ? ` with subresource ${JSON.stringify(subresource)}` : '';
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return JSON.stringify(manager) + through + version;
}
