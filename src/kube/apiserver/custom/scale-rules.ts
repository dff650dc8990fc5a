/** Whether an object can be scaled at the paths its CRD names. */
import { isObject } from '#base/json.ts';
import type { CustomResourceSubresourceScale } from '#gen/kube/types.ts';
import { invalid } from '#kube/meta/field-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { FieldError } from '../resource.ts';

export function scaleProblems(
  scale: CustomResourceSubresourceScale | undefined,
  object: KubeObject,
): readonly FieldError[] {
  if (!scale) return [];
  const { specReplicasPath: path } = scale;
  const found = valueAt(object, path);
  if (typeof found === 'object') return [invalid(path, 0, `${path} accessor error: ${found.problem}`)];
  return found !== undefined && found < 0 ? [invalid(path, found, 'should be a non-negative integer')] : [];
}

function valueAt(object: unknown, path: string): number | undefined | { readonly problem: string } {
  let value = object;
  for (const key of path.split('.').filter((part) => part !== '')) {
    if (value === undefined) return undefined;
    if (!isObject(value)) {
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      return { problem: `${shown} is of the type ${typeName(value)}, expected map[string]interface{}` };
    }
    value = value[key];
  }
  if (value === undefined || typeof value === 'number') return value;
  return { problem: `${JSON.stringify(value)} is of the type ${typeName(value)}, expected int64` };
}

function typeName(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return '[]interface {}';
  return value === null ? '<nil>' : typeof value;
}
