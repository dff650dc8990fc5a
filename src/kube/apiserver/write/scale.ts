/** The `scale` subresource: the number of replicas of any kind, in one shape (`autoscaling/v1 Scale`). */
import { type Draft, isObject } from '#base/json.ts';
import { invalid as invalidValue } from '#kube/meta/field-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { invalid } from '../failures.ts';
import { builtinSchema } from '#kube/schema/index.ts';
import type { ResourceDefinition, Scale } from '../resource.ts';
import type { Decodable } from './decode.ts';
import { editable } from './editable.ts';

/** What is sent to and answered by the scale of any kind. */
export const SCALE: Decodable = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  custom: false,
  get schema() {
    return builtinSchema({ group: 'autoscaling', version: 'v1', kind: 'Scale' }) ?? {};
  },
  strategy: {},
};

export function scaleOf(scale: Scale, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = scale.selector?.(object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: numberOrNothing(valueAt(object, scale.specReplicas)),
    status: { replicas: numberAt(object, scale.statusReplicas), ...(selector ? { selector } : {}) },
  };
}

/** The object with the replicas its scale asks for, guarded by the scale's resourceVersion if it names one. */
export function scaled(
  definition: ResourceDefinition,
  scale: Scale,
  object: KubeObject,
  wanted: unknown,
): Draft<KubeObject> {
  const draft = editable(object);
  const spec = isObject(wanted) && isObject(wanted['spec']) ? wanted['spec'] : {};
  const replicas = spec['replicas'] ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, object.metadata.name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const metadata = isObject(wanted) && isObject(wanted['metadata']) ? wanted['metadata'] : {};
  setAt(draft, scale.specReplicas, replicas);
  draft.metadata.resourceVersion = textOf(metadata['resourceVersion']);
  if (typeof metadata['uid'] === 'string' && metadata['uid'] !== '') draft.metadata.uid = metadata['uid'];
  if (typeof metadata['name'] === 'string' && metadata['name'] !== '') draft.metadata.name = metadata['name'];
  return draft;
}

/** The number of replicas an object asks for, if it does. */
export function replicasOf(scale: Scale, object: KubeObject): number | undefined {
  const value = valueAt(object, scale.specReplicas);
  return typeof value === 'number' ? value : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOrNothing(value: unknown): { readonly replicas?: number } {
  return typeof value === 'number' && value !== 0 ? { replicas: value } : {};
}

function numberAt(object: unknown, path: readonly string[]): number {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), object);
}

function setAt(object: Record<string, unknown>, path: readonly string[], value: number): void {
  let at = object;
  for (const key of path.slice(0, -1)) {
    const next = at[key];
    if (isObject(next)) at = next;
    else {
      const made = {};
      at[key] = made;
      at = made;
    }
  }
  const last = path.at(-1);
  if (last !== undefined) at[last] = value;
}
