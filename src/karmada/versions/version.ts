/** What the table of convertible kinds is made of. */
import { StatusError } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** Rewrites everything but `apiVersion`; throws `BadRequest` when something said has no place in the other version. */
export type Step = (object: KubeObject) => KubeObject;

/** One version of a kind. Its shape is that of the kind's first version where a step is absent. */
export interface Version {
  readonly apiVersion: string;
  readonly toFirst?: Step;
  readonly fromFirst?: Step;
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function itemsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** The refusal of a conversion: which field, and why it cannot be said there. */
export function noPlaceFor(field: string, why: string): StatusError {
  return new StatusError('BadRequest', `${field} ${why}`);
}
