/** What a claim for storage may ask, as an object of its own and in the templates of pods and StatefulSets. */
import type { PersistentVolumeClaimSpec } from '#gen/kube/types.ts';
import { forbidden, invalid, required } from '#kube/meta/field-error.ts';
import { tryParseQuantity } from '#kube/meta/quantity.ts';
import { dnsSubdomain, labelSelector, oneOf } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';
import { ACCESS_MODES } from './access-modes.ts';

const SORTED_MODES = ACCESS_MODES.toSorted();

export function* claimSpec(spec: Given<PersistentVolumeClaimSpec>, path: string): Errors {
  const { accessModes = [], selector, resources, storageClassName, volumeMode, volumeAttributesClassName } = spec;
  if (accessModes.length === 0) yield required(`${path}.accessModes`, 'at least 1 access mode is required');
  yield* labelSelector(selector, `${path}.selector`);
  yield* accessModeRules(accessModes, `${path}.accessModes`);
  const storage = resources?.requests?.['storage'];
  if (storage === undefined) yield required(`${path}.resources[storage]`);
  else if ((tryParseQuantity(storage)?.nanos ?? 0n) <= 0n) {
    yield invalid(`${path}.resources[storage]`, storage, 'must be greater than zero');
  }
  if (storageClassName) yield* dnsSubdomain(storageClassName, `${path}.storageClassName`);
  yield* oneOf(volumeMode, ['Block', 'Filesystem'], `${path}.volumeMode`);
  if (volumeAttributesClassName) {
    yield* dnsSubdomain(volumeAttributesClassName, `${path}.volumeAttributesClassName`);
  }
}

/** Known modes; one that is for a single pod stands alone. */
export function* accessModeRules(modes: readonly string[], path: string): Errors {
  for (const mode of modes) yield* oneOf(mode, SORTED_MODES, path);
  if (
    modes.includes('ReadWriteOncePod') &&
    modes.some((mode) => mode !== 'ReadWriteOncePod' && SORTED_MODES.includes(mode))
  ) {
    yield forbidden(path, 'may not use ReadWriteOncePod with other access modes');
  }
}
