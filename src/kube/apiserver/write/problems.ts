/** Everything that is wrong with an object on its way to the store, in the order Kubernetes tells it. */
import type { KubeObject } from '#kube/meta/object.ts';
// VALIDATE
import type { FieldError } from '../resource.ts';
import type { Served } from '../served.ts';
import { metadataProblems, metadataUpdateProblems } from './metadata-rules.ts';

export function problemsOf(
  { definition }: Served,
  object: KubeObject,
  old: KubeObject | undefined,
  subresource?: string,
): readonly FieldError[] {
  const { strategy } = definition;
  const errors: FieldError[] = [];
  if (old) errors.push(...metadataUpdateProblems(object, old));
  errors.push(...metadataProblems(definition, object));
  // VALIDATE2
  if (subresource === 'status') {
    if (old) errors.push(...(strategy.validateStatusUpdate?.(object, old) ?? []));
    return errors;
  }
  const own = old && strategy.validateUpdate ? strategy.validateUpdate(object, old) : strategy.validate?.(object);
  errors.push(...(own ?? []));
  return errors;
}
