/** What ConfigMaps and Secrets have in common: keys that become file names, a limit, and a way to be frozen. */
import { jsonEqual } from '#base/json.ts';
import { forbidden, invalidAll } from '#kube/meta/field-error.ts';
import { configKeyProblems } from '#kube/meta/names.ts';
import type { Errors } from '../kind.ts';

export const MAX_DATA_BYTES = 1024 * 1024;

export function* keyNames(data: object, path: string): Errors {
  for (const key of Object.keys(data)) yield* invalidAll(`${path}[${key}]`, key, configKeyProblems(key));
}

interface Freezable {
  readonly immutable?: boolean | undefined;
  readonly data?: unknown;
  readonly binaryData?: unknown;
}

/** Once `immutable` is set, nothing of it changes, `immutable` itself included. */
export function* frozen(object: Freezable, old: Freezable, fields: readonly ('data' | 'binaryData')[]): Errors {
  if (!old.immutable) return;
  const rule = 'field is immutable when `immutable` is set';
  if (!object.immutable) yield forbidden('immutable', rule);
  for (const field of fields) if (!jsonEqual(object[field], old[field])) yield forbidden(field, rule);
}
