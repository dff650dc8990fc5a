/**
 * Whether an object has the shape that defaults are written for: lists are lists, of objects.
 *
 * Defaults come before the schema is checked, as webhooks do, so they meet whatever was sent. What does not fit is left
 * as it is; the schema then refuses it by field.
 */
import { isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';

type Shape = readonly [Shape] | { readonly [field: string]: Shape };

/** Of all kinds that get defaults here; each has some of these fields, and none has one of them in another shape. */
const SPEC: Shape = {
  resourceSelectors: [{}],
  placement: { spreadConstraints: [{}], replicaScheduling: {} },
  failover: { application: {} },
  resourceModels: [{ ranges: [{}] }],
  taints: [{}],
  workload: { manifests: [{ metadata: {} }] },
};

export function canBeDefaulted(object: KubeObject): boolean {
  const { spec } = object as { readonly spec?: unknown };
  return isObject(spec) && fits(spec, SPEC);
}

function fits(value: unknown, shape: Shape): boolean {
  if (isList(shape)) return Array.isArray(value) && value.every((entry) => fits(entry, shape[0]));
  if (!isObject(value)) return false;
  return Object.entries(shape).every(
    ([field, inner]) => (value[field] ?? undefined) === undefined || fits(value[field], inner),
  );
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
