/** A kind of Karmada as a CustomResourceDefinition. */
import {
  type CustomResourceDefinition,
  definition as customResource,
  type KindDefinition,
} from '#kube/crds/definition.ts';

/** In the category `karmada-io` unless told otherwise; upstream forgot it on a few kinds. */
export function definition(kind: KindDefinition): CustomResourceDefinition {
  return customResource({ category: 'karmada-io', ...kind });
}
